import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `--json` prints one document, whatever the command and whatever comes of it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DocumentTests {
    @Test("every command's document is valid JSON for another reader, and as the schema says")
    func everyCommand() throws {
        let host = try TestHost()
        let schema = SchemaCheck(
            try JSONParser.parse(Array(RepositoryFile.text("Docs/telltale.schema.json").utf8)))
        let commands: [[String]] = [
            ["objects"], ["show", "photos"], ["photos.items[0]"], ["po", "store"],
            ["get", "photos.items.count"], ["p", "photos.ratings"],
            ["set", "photos.prompt", "\"W\""],
            ["photos.settings.quality = 7"], ["changes"], ["undo", "1"], ["actions"],
            ["call", "photos.add(\"x\", 1)"], ["photos.remove(0)"], ["queues"], ["status"],
            ["info"],
            ["dump"], ["dump", "d1"], ["help"], ["help", "set"], ["stuck"], ["alive"],
            ["queue", "test.photos"], ["threads"], ["stack", "main"], ["tasks"], ["actors"],
            ["operations"], ["groups"], ["semaphores"], ["timers"], ["heap"], ["roots"],
            ["types", "Photo"], ["methods", "Photo"], ["instances", "Photo"],
            ["holders", "photos"], ["cycle", "photos"], ["limits"], ["redo", "1"], ["begin"],
            ["show", "photos", "--match", "a", "--depth", "2"],
            ["show", "photos.items", "--table"],
            ["show", "photos", "--memory"], ["watch", "photos.items.count", "--count", "2"],
            ["suspend", "test.photos"],
            // Failures are documents too.
            ["nothing"], ["show", "photos.nothing"], ["set", "photos.prompt", "12"],
            ["undo", "99"],
            ["call", "photos.fail()"], ["dump", "d99"], ["frobnicate", "it"],
        ]
        for command in commands {
            let outcome = try host.telltale(["--json", "\(host.pid)"] + command)
            let document = try? JSONSerialization.jsonObject(
                with: Data(outcome.output.utf8), options: .fragmentsAllowed)
            #expect(document is [String: Any], "\(command): \(outcome)")
            let problems = schema.problems(of: try JSONParser.parse(Array(outcome.output.utf8)))
            #expect(problems.isEmpty, "\(command): \(problems)")
            let isFailure = (document as? [String: Any])?["error"] != nil
            #expect(isFailure == (outcome.status != 0), "\(command): \(outcome)")
        }
        let listing = try host.telltale(["--json"])
        #expect((try? JSONSerialization.jsonObject(with: Data(listing.output.utf8))) != nil)
    }

    @Test(
        "what can't be done says what, where and what to do, with its exit status",
        arguments: [
            (["nothing"], 1, "nothing is registered as `nothing`"),
            (["photo"], 1, "did you mean photos"),
            (["stuk"], 1, "`stuk` is neither a command nor a registered object"),
            (
                ["set", "photos.promt", "nil"], 1,
                "photos (PhotoLibrary) has no stored property 'promt'"
            ),
            (["photos.nothing"], 1, "nothing"),
            (["photos.items[99]"], 1, "3"),
            (["set", "photos.prompt", "12"], 1, "String?"),
            (["set", "photos.items[0].size", "\"big\""], 1, "Int"),
            (["set", "photos.settings.quality", "99999999999999999999"], 1, "Int"),
            (["set", "plain.limit", "3"], 1, "owner"),
            (["undo", "99"], 1, "there is no change 99"),
            (["call", "photos.ad(1)"], 1, "photos.add"),
            (["call", "photos.add(\"x\")"], 2, "takes 2 arguments"),
            (["call", "photos.add(1, 2)"], 1, "String"),
            (["call", "photos.fail()"], 1, "threw"),
            (["frobnicate", "it"], 2, "frobnicate"),
            (["show", "photos", "--bogus"], 2, "--bogus"),
            (["show", "photos[\"a\""], 2, "no ']' closes this"),
            (["dump", "d99"], 1, "d99"),
        ] as [([String], Int32, String)])
    func failures(_ command: [String], _ status: Int32, _ text: String) throws {
        let host = try TestHost()
        let outcome = try host.telltale(["\(host.pid)"] + command)
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errors.contains(text), "\(outcome)")
        #expect(outcome.errors.hasPrefix("error: "))
        #expect(outcome.output.isEmpty)
        #expect(try host.perform("prompt") == "nil")
        #expect(try host.perform("count") == "3")
    }

    @Test("what is set is there, is listed with who did it, and is put back unless it has changed")
    func changeAndUndo() throws {
        let host = try TestHost()
        let pid = "\(host.pid)"
        let set = try host.telltale([pid, "photos.prompt = \"WOOT!\""])
        #expect(
            set.output.hasPrefix(
                "photos.prompt: nil -> \"WOOT!\"      (change 1; `undo 1` puts it back)"))
        #expect(try host.perform("prompt") == "WOOT!")
        #expect(try host.telltale([pid, "changes"]).output.contains("uid=\(ProcessIdentity.uid)"))
        #expect(try host.telltale([pid, "undo", "1"]).status == 0)
        #expect(try host.perform("prompt") == "nil")
        _ = try host.telltale([pid, "set", "photos.prompt", "one"])
        _ = try host.telltale([pid, "set", "photos.prompt", "two"])
        let conflict = try host.telltale([pid, "undo", "3"])
        #expect(conflict.status == 1)
        #expect(try host.perform("prompt") == "two")
    }

    @Test(
        "stored properties of every kind can be changed where they are",
        arguments: [
            ("photos.items[1].title", "\"Grumpy Cat\"", "\"Grumpy Cat\""),
            ("photos.items[0].size", "-7", "-7"),
            ("photos.items[0].state", ".failed(\"no net\")", ".failed(\"no net\")"),
            ("photos.settings.quality", "0x10", "16"),
            ("photos.settings.folder", "\"file:///srv/photos\"", "\"file:///srv/photos\""),
            ("photos.ratings", "[\"x\": 1]", "[\"x\": 1]"),
            ("photos.ratings[\"a b\"]", "9", "9"),
            ("photos.hidden", "8", "8"),
            ("store.balance", "77", "77"),
            ("store.names", "[\"p\", \"q\"]", "[\"p\", \"q\"]"),
            ("view.title", "\"other\"", "\"other\""),
            ("cache.values[\"k\"]", "5", "5"),
        ])
    func kinds(_ path: String, _ value: String, _ shown: String) throws {
        let host = try TestHost()
        let before = try host.telltale(["\(host.pid)", "get", path]).output
        let outcome = try host.telltale(["\(host.pid)", "set", path, value])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try host.telltale(["\(host.pid)", "get", path]).output == shown + "\n")
        #expect(try host.telltale(["\(host.pid)", "undo", "1"]).status == 0)
        #expect(try host.telltale(["\(host.pid)", "get", path]).output == before)
    }

    @Test(
        "a registered object that the host has let go is gone, in a listing, a dump and for every command",
        arguments: [("library", "PhotoLibrary"), ("store", "Store"), ("plain", "Plain")])
    func gone(name: String, type: String) throws {
        let host = try TestHost(["passing"])
        let path = "passing.\(name)"
        #expect(try host.telltale(["\(host.pid)", "show", path]).status == 0)
        try host.perform("let-go")
        for command in [["show", path], ["get", path], ["set", "\(path).names", "[]"]] {
            let outcome = try host.telltale(["\(host.pid)"] + command)
            #expect(outcome.status == 1, "\(command): \(outcome.output)")
            // An object without an owner can't be changed, whether it is there or not.
            if command[0] != "set" || name != "plain" {
                #expect(
                    outcome.errors.contains("\(path) is gone: the \(type) was deallocated"),
                    "\(command): \(outcome.errors)")
            }
        }
        let listed = try host.telltale(["\(host.pid)", "objects"]).output
        #expect(
            listed.split(separator: "\n").contains { $0.hasPrefix(path) && $0.contains("gone") })
        let dump = try host.telltale(["\(host.pid)", "dump"]).output
        #expect(dump.contains("3 gone"))
        #expect(dump.contains(" \(path) \(type)"))
    }

    @Test("an object that was deallocated, and a handle whose object moved on, are said to be gone")
    func goneAndMoved() throws {
        let host = try TestHost()
        let tree = try host.telltale(["\(host.pid)", "show", "photos.items[0]"]).output
        let handle = try #require(tree.firstMatch(of: /#[0-9]+/)).output
        let title = try host.telltale(["\(host.pid)", "get", "\(handle).title"])
        #expect(title.output == "\"Overly Attached Girlfriend\"\n")
        _ = try host.telltale(["\(host.pid)", "call", "photos.remove(0)"])
        let moved = try host.telltale(["\(host.pid)", "get", "\(handle).title"])
        #expect(moved.status == 1)
        #expect(!moved.errors.isEmpty)
    }
}
