import Foundation
import TelltaleTestSupport
import Testing

/// Methods that nobody registered, called in a service.
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

    @Test("it is confirmed first, and what can't be called says why")
    func refused() throws {
        let host = try TestHost(["methods"])
        let unconfirmed = try host.telltale(["\(host.pid)", "album.bump(3)"])
        #expect(unconfirmed.status == 4)
        #expect(unconfirmed.errors.contains("where it traps, the service ends"), "\(unconfirmed)")
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

    @Test("a trap takes the service with it, as was said")
    func trapped() throws {
        let host = try TestHost(["methods"])
        let outcome = try call(host, "album.trap()")
        #expect(outcome.status != 0, "\(outcome)")
        for _ in 0..<100 where host.isRunning { Thread.sleep(forTimeInterval: 0.1) }
        #expect(!host.isRunning)
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
