import Foundation
import TelltaleTestSupport
import Testing

/// Methods that were not registered, called in a service.
@Suite(.timeLimit(.minutes(3)))
struct MethodCallTests {
    private func call(_ host: TestHost, _ call: String) throws -> (status: Int32, text: String) {
        let outcome = try host.telltale(
            ["--timeout", "5s", "\(host.pid)", "call", "--yes", call])
        return (outcome.status, outcome.output + outcome.errors)
    }

    @Test("private, inherited, overridden, throwing and async ones run on their owners")
    func called() throws {
        let host = try TestHost(["methods"])
        for (text, shown) in [
            ("album.bump(3)", ": 3 "), ("album.bump(4)", ": 7 "),
            ("album.items[2].shout()", "\"C\""), ("album.items[0].base(255)", ": 0 "),
            ("album.choose(album.items[1], named: \"beach\")", "Picture"),
            ("album.cover.shout()", "\"BEACH\""), ("album.choose(nil, named: \"\")", "nil"),
            ("album.later(2)", ": 9 "), ("album.area.size(times: 4)", ": 24 "),
            ("album.area.widen(5)", ": 7 "), ("album.area.size(times: 1)", ": 21 "),
            ("vault.add(2)", ": 2 "), ("vault.addLater(3)", ": 5 "),
            ("album.vault.add(1)", ": 1 "), ("album.vault.addLater(1)", ": 2 "),
            ("screen.draw(2.5)", "2.5"), ("rules.half(9)", ": 4 "),
        ] {
            let outcome = try call(host, text)
            #expect(outcome.status == 0, "\(text): \(outcome)")
            #expect(outcome.text.contains(shown), "\(text): \(outcome)")
        }
        let thrown = try call(host, "album.fail(code: 12)")
        #expect(thrown.status == 1)
        #expect(thrown.text.contains("album.fail threw: Jam(code: 12)"), "\(thrown)")
        let changes = try host.telltale(["\(host.pid)", "changes"]).output
        #expect(changes.contains("album.fail"), "\(changes)")
    }

    @Test("methods of what was found in memory run on the owner of what leads to it, or not at all")
    func found() throws {
        let host = try TestHost(["methods"])
        func lines(_ lines: String...) throws -> String {
            try host.shell(
                #"printf '%s\n' "$@" | "$TELLTALE_CLIENT" "$PID" - 2>&1"#, arguments: lines
            ).output
        }
        let found = try lines(
            "instances Picture --where title=b", "call --yes #1.isOwned()",
            "call --yes #1.shout()",
            "call --yes CallModes.shared.items[0].isOwned()")
        #expect(found.contains("#1.isOwned: true"), "\(found)")
        #expect(found.contains("#1.shout: \"B\""), "\(found)")
        #expect(found.contains("CallModes.shared.items[0].isOwned: true"), "\(found)")
        let loose = try lines("instances Picture --where title=lost", "call --yes #2.shout()")
        #expect(loose.contains("has no owner that is known"), "\(loose)")
        // If another object is at the address by then, it is not called.
        let other = try lines(
            "instances Picture --where title=b", "call --yes #1.isOwned()",
            "set album.items[1] album.items[2]", "call --yes #1.shout()")
        #expect(other.contains("#1.isOwned: true"), "\(other)")
        #expect(!other.contains("#1.shout:"), "\(other)")
    }

    @Test("static methods run on the owner that is named for them, and nowhere without one")
    func statics() throws {
        let host = try TestHost(["methods"])
        for (line, shown) in [
            ("--yes --on album CallModes.Album.make(2, named: \"x\")", "\"Album x 2\""),
            ("--on album --yes Album.make(3, named: \"y\")", "\"Album y 5\""),
            ("--yes --on main Album.make(3, named: \"z\")", "\"elsewhere\""),
            ("--yes --on main CallModes.Area.unit(1.5)", "3"),
            ("--yes --on album Album.stir(4)", "\"Album 4 here\""),
            ("--yes --on main Album.stir(4)", "\"Album 4 elsewhere\""),
            ("--yes --on main CallModes.Area.slowUnit(1.5)", "4.5"),
        ] {
            let outcome = try host.telltale(["\(host.pid)", "call \(line)"])
            #expect(outcome.status == 0 && outcome.output.contains(shown), "\(line): \(outcome)")
        }
        for (line, reason) in [
            ("--yes Album.make(1, named: \"x\")", "nothing says where it may run"),
            ("--yes --on rules Album.make(1, named: \"x\")", "without an owner"),
            ("--yes --on nowhere Album.make(1, named: \"x\")", "nowhere"),
            ("--yes --on main album.bump(1)", "--on is for static methods"),
            ("--yes --on main Album.bump(1)", "no method"),
            ("--on main CallModes.Area.unit(1.5)", "if it traps"),
        ] {
            let outcome = try host.telltale(["\(host.pid)", "call \(line)"])
            #expect(outcome.status != 0 && outcome.errors.contains(reason), "\(line): \(outcome)")
        }
        let ruled = try TestHost(
            ["methods"], environment: ["TELLTALE_DENY": "call CallModes.Album.*"])
        let rule = try ruled.telltale(
            ["\(ruled.pid)", "call --yes --on album Album.make(1, named: \"x\")"])
        #expect(rule.status == 4, "\(rule)")
    }

    @Test("the getters of computed properties run on the owner, for get and for show --getters")
    func getters() throws {
        let host = try TestHost(["methods"])
        for (path, value) in [
            ("album.halves", "0.0"), ("album.doubled", "0"), ("album.latest.title", "\"c\""),
            ("album.area.square", "6"), ("album.apiToken", "<masked>"),
        ] {
            let outcome = try host.telltale(["\(host.pid)", "get", "--yes", path])
            #expect(outcome.output == "\(value)\n", "\(path): \(outcome)")
        }
        let shown = try host.telltale(["\(host.pid)", "show", "--yes", "album.halves"]).output
        #expect(shown.contains("computed by its getter, on its owner"), "\(shown)")
        let unasked = try host.telltale(["\(host.pid)", "get", "album.halves"])
        #expect(unasked.status == 4 && unasked.errors.contains("that traps"), "\(unasked)")
        let refused = try host.telltale(["\(host.pid)", "get", "album.lister"])
        #expect(refused.status == 1 && refused.errors.contains("is a function"), "\(refused)")
        let none = try host.telltale(["\(host.pid)", "get", "album.nothing"])
        #expect(none.status == 1 && none.errors.contains("nothing"), "\(none)")
        let late = try host.telltale([
            "--timeout", "300ms", "\(host.pid)", "get", "--yes", "album.stuck",
        ])
        #expect(late.status == 5, "\(late)")
        #expect(try host.telltale(["\(host.pid)", "jobs"]).output.contains("album.stuck"))
        let all = try host.telltale(
            ["--timeout", "10s", "\(host.pid)", "show", "album", "--getters", "--yes"]
        ).output
        for line in ["halves: 0.0", "doubled: 0", "computed", "its getter can't be run"] {
            #expect(all.contains(line), "\(all)")
        }
        #expect(!all.contains("never shown"))
        let reading = try TestHost(["methods"], environment: ["TELLTALE_MODE": "read-only"])
        let denied = try reading.telltale(["\(reading.pid)", "get", "album.halves"])
        #expect(denied.status == 4 && denied.errors.contains("read-only"), "\(denied)")
        let ruled = try TestHost(["methods"], environment: ["TELLTALE_DENY": "call album.h*"])
        let rule = try ruled.telltale(["\(ruled.pid)", "get", "album.halves"])
        #expect(rule.status == 4, "\(rule)")
    }

    @Test("it is confirmed first, and what can't be called says why")
    func refused() throws {
        let host = try TestHost(["methods"])
        let unconfirmed = try host.telltale(["\(host.pid)", "album.bump(3)"])
        #expect(unconfirmed.status == 4)
        #expect(unconfirmed.errors.contains("if it traps, the service crashes"), "\(unconfirmed)")
        #expect(try call(host, "album.bump(0)").text.contains("album.bump: 0 "))
        for (text, reason) in [
            ("album.each(1)", "closure"), ("album.bmup(1)", "bump"), ("album.bump(\"x\")", "Int"),
            ("album.bump()", "bump(Int) -> Int"), ("album.bump(by: 1)", "bump(Int) -> Int"),
            ("album.choose(vault, named: \"x\")", "Picture"),
        ] {
            let outcome = try call(host, text)
            #expect(outcome.status != 0, "\(text): \(outcome)")
            #expect(outcome.text.contains(reason), "\(text): \(outcome)")
        }
        let marked = try call(host, "album.choose(nil, named: 3)").text
        let lines = marked.split(separator: "\n")
        let line = lines.firstIndex { $0.contains("^") }.map { lines[$0 - 1] } ?? ""
        #expect(line.contains("album.choose(Picture?, named: String)"), "\(marked)")
        let mark = lines.first { $0.contains("^") } ?? ""
        #expect(mark.prefix { $0 != "^" }.count == line.prefix { $0 != "n" }.count, "\(marked)")
        let listed = try host.telltale(["\(host.pid)", "methods", "CallModes.Album"]).output
        #expect(listed.contains("func bump(Int) -> Int  (callable)"), "\(listed)")
        #expect(listed.contains("(not callable: it takes or gives a closure)"), "\(listed)")
    }

    @Test("what has code around its storage is set by its setter, raw only where that is asked for")
    func setters() throws {
        let host = try TestHost(["methods"])
        for (command, shown) in [
            ("album.observed = 2", "its observers ran"), ("get album.changes", "1"),
            ("set --raw album.observed 3", "its willSet and didSet did not run"),
            ("get album.changes", "1"), ("get album.observed", "3"),
            ("undo 2", "album.observed"), ("get album.changes", "2"), ("get album.observed", "2"),
            ("album.doubled = 8", "its setter ran"), ("get album.count", "4"),
            ("album.frame.width = 7", "its observers ran"), ("get album.changes", "12"),
            ("get album.frame.width", "7"),
            ("album.level = 40", "its setter ran"), ("album.doubled = 6", "8 -> 6"),
            ("album.model.title = \"b\"", "its setter ran"), ("get album.model.told", "1"),
            ("set --raw album.model.title c", "were not told"), ("get album.model.told", "1"),
            ("album.count = 9", "3 -> 9"),
        ] {
            let outcome = try host.telltale(["\(host.pid)"] + [command])
            #expect(outcome.status == 0, "\(command): \(outcome)")
            #expect(outcome.output.contains(shown), "\(command): \(outcome)")
        }
        let shown = try host.telltale(["\(host.pid)", "show", "album.level"]).output
        #expect(shown.contains("10"), "\(shown)")
    }

    @Test("a trap is found in a copy of the process, and the service lives")
    func trapped() throws {
        let host = try TestHost(["methods"])
        let outcome = try call(host, "album.trap()")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(
            outcome.text.contains("album.trap was not run: it would end the service (SIG"),
            "\(outcome)")
        #expect(host.isRunning)
    }

    @Test(
        "one that waits for its owner past the deadline never runs; one that goes on is cancelled")
    func late() throws {
        let host = try TestHost(["methods"])
        let block = try host.telltale(
            ["--timeout", "300ms", "\(host.pid)", "call", "album.block(2)"])
        #expect(block.status == 5, "\(block)")
        let late = try host.telltale(
            ["--timeout", "300ms", "\(host.pid)", "call", "--yes", "album.bump(1)"])
        #expect(late.status == 5, "\(late)")
        let bumped = try host.telltale(
            ["--timeout", "10s", "\(host.pid)", "call", "--yes", "album.bump(0)"])
        #expect(bumped.output.contains("album.bump: 0 "), "\(bumped)")
        let hung = try host.telltale(
            ["--timeout", "300ms", "\(host.pid)", "call", "--yes", "album.hang()"])
        #expect(hung.status == 5, "\(hung)")
    }
}
