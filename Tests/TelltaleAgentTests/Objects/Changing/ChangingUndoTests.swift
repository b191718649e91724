#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("A change is put back unless another came after it")
struct ChangingUndoTests {
    let host = ChangingHost()

    private func undo(_ change: PerformedChange) throws -> PerformedChange {
        try changingWriter().undo(change, root: .object(host))
    }

    private func conflict(_ change: PerformedChange) -> CommandFailure? {
        do {
            _ = try undo(change)
            return nil
        } catch {
            return error as? CommandFailure
        }
    }

    @Test("the texts are the values as they would be typed")
    func texts() throws {
        let change = try change(host, ".prompt", "WOOT!")
        #expect(change.oldText == "nil" && change.newText == "\"WOOT!\"")
        let back = try undo(change)
        #expect(back.oldText == "\"WOOT!\"" && back.newText == "nil")
        #expect(host.prompt == nil)
        #expect(try undo(back).newText == "\"WOOT!\"")
        #expect(host.prompt == "WOOT!")
    }

    @Test(
        "every sort of place",
        arguments: [
            (".count", "9"), (".settings.inner.depth", "9"), (".boxes[1].quality", "9"),
            (".table[\"c\"]", "9"), (".table[\"new\"]", "9"), (".table[\"c\"]", "nil"),
            (".numbers", "[9]"), (".state", ".named(\"x\")"), (".cover", "nil"),
            (".pair.label", "x"), (".boxed.quality", "9"), (".items[1].title", "x"),
            (".optionals[\"x\"]", "nil"), (".nested", "nil"), (".mode", ".busy"),
        ])
    func everySort(path: String, text: String) throws {
        let old = try shown()
        let change = try change(host, path, text)
        #expect(try shown() != old)
        let back = try undo(change)
        #expect(try shown() == old)
        #expect(back.oldText == change.newText && back.newText == change.oldText)
    }

    private func shown() throws -> String {
        [
            "\(host.count)", "\(host.settings)", "\(host.boxes)",
            "\(host.table.sorted { $0.key < $1.key })", "\(host.numbers)", "\(host.state)",
            host.cover.map { "\(ObjectIdentifier($0))" } ?? "nil", "\(host.pair)",
            "\(host.boxed)", "\(host.items.map(\.title))", "\(host.optionals)",
            "\(String(describing: host.nested))", "\(host.mode)",
        ].joined(separator: "|")
    }

    @Test("a value that changed since is left alone, and said")
    func conflicts() throws {
        let change = try change(host, ".count", "9")
        host.count = 10
        let failure = conflict(change)
        #expect(failure?.code == .conflict)
        #expect(failure?.message.contains("not undone: host.count is now 10, not the ") == true)
        #expect(host.count == 10)
    }

    @Test("an equal value that the host wrote again is the same value")
    func equalValues() throws {
        let text = String(repeating: "long enough for the heap ", count: 4)
        let change = try change(host, ".title", Literal.quoted(text))
        host.title = (text + "x").replacing("x", with: "")
        _ = try undo(change)
        #expect(host.title == "Wall")
    }

    @Test("an equal property of another object is not the same place")
    func otherObject() throws {
        let change = try change(host, ".items[0].title", "x")
        host.items.insert(.init("x"), at: 0)
        #expect(conflict(change)?.code == .conflict)
        #expect(host.items.map(\.title) == ["x", "x", "b"])
    }

    @Test("a place that is not there any more")
    func gonePlaces() throws {
        let change = try change(host, ".numbers[2]", "9")
        host.numbers = [1]
        #expect(conflict(change)?.code == .notFound)
        #expect(host.numbers == [1])
    }

    @Test("a key that was inserted and changed since is not removed")
    func insertedKeys() throws {
        let change = try change(host, ".table[\"new\"]", "9")
        #expect(change.oldText == "nil")
        host.table["new"] = 10
        #expect(conflict(change)?.code == .conflict)
        #expect(host.table["new"] == 10)
    }

    @Test("secrets are neither in the change nor in a failure")
    func secrets() throws {
        for path in [".apiToken", ".headers[\"Authorization\"]"] {
            let change = try change(host, path, "\"n3w s3cr3t\"")
            #expect(change.oldText == "<masked>" && change.newText == "<masked>")
            host.apiToken = "oth3r"
            host.headers["Authorization"] = "oth3r"
            let failure = conflict(change)
            #expect(failure?.code == .conflict)
            #expect(failure?.description.contains("oth3r") == false)
            #expect(failure?.description.contains("s3cr3t") == false)
        }
        for text in ["hunter2 [", "12345", "[1]", ".hunter2"] {
            let failure = refusal(host, ".apiToken", text)
            #expect(failure != nil)
            #expect(failure?.description.contains("hunter2") == false)
            #expect(failure?.description.contains("12345") == false)
        }
        #expect(try change(host, ".headers[\"Accept\"]", "x").newText == "\"x\"")
        #expect(
            try change(host, ".title", "x", masks: ["title"]).newText == "<masked>")
    }
}
#endif
