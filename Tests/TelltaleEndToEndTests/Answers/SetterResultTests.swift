import TelltaleTestSupport
import Testing

/// The results of setters for given values, and the values that are then restored.
@Suite(.timeLimit(.minutes(3)))
struct SetterResultTests {
    private func session(_ host: TestHost, _ lines: String...) throws -> TestHost.Outcome {
        try host.shell(#"printf '%s\n' "$@" | "$TELLTALE_CLIENT" "$PID" -"#, arguments: lines)
    }

    @Test("what stands there after a setter is shown and kept, and is undone")
    func clamped() throws {
        let host = try TestHost(["methods"])
        for (command, shown) in [
            ("set --preview album.level 99", "its setter will run"),
            ("album.level = 99", "5 -> 10"), ("undo 1", "10 -> 5"), ("redo 1", "5 -> 10"),
            ("album.level = 99", "10 stands there, not 99, which it was given"),
            ("album.level = 7", "note: its setter ran"),
        ] {
            let outcome = try host.telltale(["\(host.pid)", command])
            #expect(outcome.status == 0, "\(command): \(outcome)")
            #expect(outcome.output.contains(shown), "\(command): \(outcome)")
        }
    }

    @Test("a transaction that fails is put back past a setter that made another value of it")
    func putBack() throws {
        let host = try TestHost(["methods"])
        let failed = try session(
            host, "begin", "album.level = 99", "album.count = 1", "album.items.removeLast()",
            "album.items[2].title = \"x\"", "commit")
        #expect(failed.errors.contains("nothing was changed"), "\(failed)")
        #expect(try host.telltale(["\(host.pid)", "get", "album.count"]).output.contains("0"))
        #expect(
            try host.telltale(["\(host.pid)", "changes"]).output
                == "nothing was changed or called\n")
    }

    @Test("what can't be put back is a change with a number, and is said")
    func left() throws {
        let host = try TestHost(["methods"])
        let failed = try session(
            host, "begin", "album.ratchet = 9", "album.items.removeLast()",
            "album.items[2].title = \"x\"", "commit")
        #expect(failed.errors.contains("not all could be put back"), "\(failed)")
        #expect(failed.errors.contains("its setter left 9 there"), "\(failed)")
        #expect(failed.errors.contains("what still stands is change 1"), "\(failed)")
        let changes = try host.telltale(["\(host.pid)", "changes"]).output
        #expect(changes.contains("album.ratchet"), "\(changes)")
        #expect(!changes.contains("album.items"), "\(changes)")
    }

    @Test("previews reckon in what was collected, and what is put back before")
    func previews() throws {
        let host = try TestHost(["methods"])
        let collected = try session(
            host, "begin", "album.items.removeLast()", "album.items.removeLast()",
            "album.items.removeLast()", "album.items.removeLast()", "commit")
        #expect(
            collected.output.contains("commit") || collected.errors.contains("empty"),
            "\(collected)")
        #expect(collected.status != 0, "the fourth was accepted: \(collected)")
        let twice = try session(
            host, "begin", "album.count = 1", "album.count = 2", "commit")
        #expect(twice.output.contains("1 -> 2"), "\(twice)")
        let changes = try host.telltale(["\(host.pid)", "changes"]).output
        let numbers = changes.split(separator: "\n").filter { $0.contains("album.count") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        let number = try #require(numbers.last)
        let preview = try host.telltale(["\(host.pid)", "undo \(number) --preview"])
        #expect(preview.status == 0, "\(preview)")
        #expect(
            preview.output.contains("2 -> 1") && preview.output.contains("1 -> 0"), "\(preview)")
        let undone = try host.telltale(["\(host.pid)", "undo \(number)"])
        #expect(undone.status == 0, "\(undone)")
        let again = try host.telltale(["\(host.pid)", "redo \(number) --preview"])
        #expect(again.status == 0, "\(again)")
    }

    @Test("what was refused of an operation is said, and a word that is a path is noted")
    func answers() throws {
        let host = try TestHost(["methods"])
        let operation = try host.telltale(
            ["\(host.pid)", "call", "album.items.removeAll(keepingCapacity: true)"])
        #expect(operation.status != 0, "\(operation)")
        #expect(operation.errors.contains("removeAll()"), "\(operation)")
        #expect(!operation.errors.contains("stripped"), "\(operation)")
        let word = try host.telltale(["\(host.pid)", "album.name = album.count"])
        #expect(word.output.contains("not what stands at the path album.count"), "\(word)")
        let plain = try host.telltale(["\(host.pid)", "album.name = album.jpg"])
        #expect(!plain.output.contains("note"), "\(plain)")
        let typed = try host.telltale(
            ["\(host.pid)", "call", "--yes", "album.choose(nil, named: hush-wrong3)"])
        #expect(typed.status != 0, "\(typed)")
        #expect(!typed.errors.contains("hush"), "\(typed)")
        for options in ["--raw --preview", "--preview --raw"] {
            let both = try host.telltale(["\(host.pid)", "set \(options) album.count 3"])
            #expect(both.output.contains("a preview: nothing"), "\(both)")
        }
    }

    @Test("a global is given another object, and no other owner's object is named")
    func global() throws {
        let host = try TestHost(["properties"])
        let outcome = try host.telltale(["\(host.pid)", "PropertyModes.short = cart"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try host.telltale(["\(host.pid)", "undo 1"]).status == 0)
    }

    @Test("a word that is the path of a secret is noted as well, and the secret is not copied")
    func secretWord() throws {
        let host = try TestHost()
        let outcome = try host.telltale(["\(host.pid)", "photos.items[0].title = photos.apiToken"])
        #expect(
            outcome.output.contains("not what stands at the path photos.apiToken"), "\(outcome)")
        #expect(!outcome.output.contains("PLANTED"), "\(outcome)")
    }
}
