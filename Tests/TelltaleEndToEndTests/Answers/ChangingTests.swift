import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The effects of `set` and related commands on a service, from outside.
@Suite(.timeLimit(.minutes(3)))
struct ChangingTests {
    private func get(_ path: String, of host: TestHost) throws -> String {
        String(try host.telltale(["\(host.pid)", "get", path]).output.dropLast())
    }

    /// Runs one session of these lines.
    private func session(_ host: TestHost, _ lines: String...) throws -> TestHost.Outcome {
        try host.shell(
            #"printf '%s\n' "$@" | "$TELLTALE_CLIENT" "$PID" -"#, arguments: lines)
    }

    @Test("objects go from path to path, structs by some of their properties, and are put back")
    func kinds() throws {
        let host = try TestHost()
        let set = try session(
            host, "photos.items[0].next = photos.items[2]", "photos.items[1].size += 5",
            "photos.settings = (quality: 7)", "photos.ratings[\"c d\"] = 9",
            "photos.items[0..<1] = [photos.items[1]]")
        #expect(set.status == 0, "\(set)")
        #expect(try get("photos.items[0].title", of: host) == "\"Success Kid\"")
        #expect(try get("photos.items[1].size", of: host) == "3405")
        #expect(try get("photos.settings.quality", of: host) == "7")
        #expect(try get("photos.ratings.count", of: host) == "2")
        let undone = try session(host, "undo 5", "undo 4", "undo 3", "undo 2", "undo 1")
        #expect(undone.status == 0, "\(undone)")
        #expect(try get("photos.items[0].next", of: host) == "nil")
        #expect(try get("photos.items[1].size", of: host) == "3400")
        #expect(try get("photos.settings.quality", of: host) == "80")
        #expect(try get("photos.items[0].title", of: host) != "\"Success Kid\"")
        // Made again, and put back again.
        let again = try session(host, "redo 2", "undo 11")
        #expect(again.output.contains("redoes 2") && again.status == 0, "\(again)")
        let twice = try host.telltale(["\(host.pid)", "redo", "2"])
        #expect(twice.status == 1, "\(twice)")
    }

    @Test("operations on collections are changes; a handle is an object")
    func operations() throws {
        let host = try TestHost()
        let made = try session(
            host, "photos.items.append(photos.items[0])", "photos.items.swapAt(0, 1)",
            "photos.ratings.removeAll()", "photos.items.remove(at: 3)", "show photos.items[0]")
        #expect(
            made.status == 0 && made.output.contains("(change 4; `undo 4` puts it back)"), "\(made)"
        )
        #expect(try get("photos.items.count", of: host) == "3")
        let handled = try session(
            host, "show photos.items[2] --depth 1", "photos.items[0].next = #1",
            "get photos.items[0].next.title")
        #expect(handled.status == 0, "\(handled)")
        let wrong = try host.telltale(["\(host.pid)", "photos.items.append(\"x\")"])
        #expect(wrong.status == 1 && wrong.errors.contains("Photo"), "\(wrong)")
        let none = try host.telltale(["\(host.pid)", "photos.items.flatten()"])
        #expect(none.status == 1 && none.errors.contains("no action"), "\(none)")
    }

    @Test("a value that is there already is not set again, and a secret is not confirmed by that")
    func unchanged() throws {
        let host = try TestHost()
        for line in [
            "photos.prompt = nil", "photos.settings.quality = 80", "photos.items[0].size += 0",
            "photos.settings = (quality: 80)",
        ] {
            let set = try host.telltale(["\(host.pid)", line])
            #expect(set.status == 0, "\(set)")
            #expect(set.output.hasSuffix(" already\n") == !line.contains("("), "\(set)")
        }
        let document = try host.telltale([
            "--json", "\(host.pid)", "set", "photos.settings.quality", "80",
        ])
        #expect(document.output.contains("\"unchanged\""), "\(document)")
        let secret = try host.telltale([
            "\(host.pid)", "set", "photos.settings.password", "\"PLANTED-SECRET-91bc\"",
        ])
        #expect(secret.status == 0 && !secret.output.contains("already"), "\(secret)")
        // The struct has a secret in it, and neither is told to be the same.
        let changes = try host.telltale(["\(host.pid)", "changes"]).output
        #expect(changes.split(separator: "\n").count == 3, "\(changes)")
    }

    @Test("`undo` alone takes back the user's last change, and then the one before it")
    func undoLast() throws {
        let host = try TestHost()
        let none = try host.telltale(["\(host.pid)", "undo"])
        #expect(none.status == 1 && none.errors.contains("left to undo"), "\(none)")
        let set = try session(
            host, "photos.prompt = \"x\"", "photos.settings.quality = 7", "undo --preview")
        #expect(set.output.contains("7 -> 80"), "\(set)")
        for line in ["photos.settings.quality: 7 -> 80", "photos.prompt: \"x\" -> nil"] {
            let undone = try host.telltale(["\(host.pid)", "undo"])
            #expect(undone.output.hasPrefix(line), "\(undone)")
        }
        #expect(try host.telltale(["\(host.pid)", "undo"]).status == 1)
        let redone = try session(host, "redo 1", "undo")
        #expect(redone.output.contains("\"x\" -> nil"), "\(redone)")
        #expect(try get("photos.prompt", of: host) == "nil")
    }

    @Test("a key typed as a property is offered as a key")
    func keyAsProperty() throws {
        let host = try TestHost()
        _ = try session(host, "photos.ratings[\"newCheckout\"] = 1")
        for (typed, meant) in [("newCheckout", "newCheckout"), ("newChekout", "newCheckout")] {
            let outcome = try host.telltale(["\(host.pid)", "get", "photos.ratings.\(typed)"])
            #expect(outcome.status == 1)
            #expect(
                outcome.errors.contains("did you mean photos.ratings[\"\(meant)\"]?"),
                "\(outcome)")
        }
    }

    @Test(
        "a collection of more than 20 elements is emptied after a confirmation, where one is asked")
    func emptying() throws {
        let host = try TestHost()
        let entries = (0...20).map { "\"key \($0)\": \($0)" }.joined(separator: ", ")
        #expect(try session(host, "photos.ratings = [\(entries)]").status == 0)
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        _ = try #require(client.line())
        func ask(_ isConfirmed: String, _ value: String) throws -> String {
            client.send(
                line: #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"path":"photos.ratings","#
                    + #""value":"\#(value)""# + isConfirmed + "}}")
            return try #require(client.line())
        }
        let refused = try ask(#","isConfirmed":false"#, "[:]")
        #expect(refused.contains("photos.ratings has 21 elements, and would have none"))
        #expect(refused.contains("unconfirmed"))
        #expect(try get("photos.ratings.count", of: host) == "21")
        #expect(try ask(#","isConfirmed":true"#, "[:]").contains("\"done\""))
        #expect(try get("photos.ratings.count", of: host) == "0")
        #expect(try host.telltale(["\(host.pid)", "undo"]).status == 0)
        // The same as an operation, which is a call. A single command is not asked.
        client.send(
            line: #"{"jsonrpc":"2.0","id":1,"method":"call","params":{"#
                + #""action":"photos.ratings.removeAll","arguments":"","isConfirmed":false}}"#)
        #expect(try #require(client.line()).contains("unconfirmed"))
        #expect(try host.telltale(["\(host.pid)", "photos.ratings.removeAll()"]).status == 0)
        let again = try host.telltale(["\(host.pid)", "photos.ratings.removeAll()"])
        #expect(again.output == "photos.ratings is [:] already\n", "\(again)")
    }

    @Test("a preview says what would change, and changes nothing")
    func previews() throws {
        let host = try TestHost()
        for line in [
            ["set", "--preview", "photos.prompt", "\"x\""], ["photos.prompt = \"x\" --preview"],
            ["set", "photos.prompt", "\"x\"", "--preview"],
            ["photos.ratings.removeAll() --preview"],
        ] {
            let shown = try host.telltale(["\(host.pid)"] + line)
            #expect(shown.status == 0 && shown.output.contains("a preview: nothing"), "\(shown)")
        }
        #expect(try get("photos.prompt", of: host) == "nil")
        #expect(try get("photos.ratings.count", of: host) == "1")
        #expect(
            try host.telltale(["\(host.pid)", "changes"]).output
                == "nothing was changed or called\n")
        let wrong = try host.telltale(["\(host.pid)", "set", "--preview", "photos.prompt", "3"])
        #expect(wrong.status == 1, "\(wrong)")
        _ = try host.telltale(["\(host.pid)", "set", "photos.prompt", "\"y\""])
        let undo = try host.telltale(["\(host.pid)", "undo", "1", "--preview"])
        #expect(undo.output.contains("\"y\" -> nil"), "\(undo)")
        #expect(try get("photos.prompt", of: host) == "\"y\"")
    }

    @Test("several changes are made as one, undone as one, and forgotten as one")
    func transactions() throws {
        let host = try TestHost()
        let made = try session(
            host, "begin", "photos.prompt = \"x\"", "photos.items[0].size = 1", "get photos.prompt",
            "commit")
        #expect(made.status == 0 && made.output.contains("\nnil\n"), "\(made)")
        #expect(made.output.contains("part of transaction 1–2"), "\(made)")
        #expect(try get("photos.prompt", of: host) == "\"x\"")
        let undone = try host.telltale(["\(host.pid)", "undo", "1"])
        #expect(
            undone.output.contains("undoes 2") && undone.output.contains("undoes 1"), "\(undone)")
        #expect(try get("photos.items[0].size", of: host) == "1200")
        let redone = try host.telltale(["\(host.pid)", "redo", "1"])
        #expect(redone.status == 0, "\(redone)")
        let raw = try session(host, "begin", "set --raw photos.prompt \"y\"")
        #expect(raw.status == 1 && raw.errors.contains("--raw"), "\(raw)")
        #expect(try get("photos.items[0].size", of: host) == "1")
        let forgotten = try session(
            host, "begin", "photos.prompt = \"z\"", "rollback", "get photos.prompt")
        #expect(forgotten.output.hasSuffix("\"x\"\n"), "\(forgotten)")
        let dependent = try session(
            host, "begin", "photos.items.removeAll()", "photos.items.remove(at: 0) --preview")
        #expect(
            dependent.status == 1 && dependent.errors.contains("by itself it could be made"),
            "\(dependent)")
        // Ends with its client.
        _ = try session(host, "begin", "photos.prompt = \"z\"")
        let none = try host.telltale(["\(host.pid)", "commit"])
        #expect(none.status == 2, "\(none)")
        #expect(try get("photos.prompt", of: host) == "\"x\"")
    }

    @Test("of changes that are made as one, none is made where one can't be")
    func failedTransaction() throws {
        let host = try TestHost()
        let failed = try session(
            host, "begin", "photos.prompt = \"x\"", "photos.items.removeAll()",
            "photos.items[2].size = 1", "commit")
        #expect(failed.status == 1 && failed.errors.contains("change 3 of 3"), "\(failed)")
        #expect(failed.errors.contains("nothing was changed"), "\(failed)")
        #expect(try get("photos.prompt", of: host) == "nil")
        #expect(try get("photos.items.count", of: host) == "3")
        let other = try session(host, "begin", "photos.prompt = \"x\"", "store.balance = 1")
        #expect(other.status == 1 && other.errors.contains("one owner"), "\(other)")
    }

    @Test("an object that was found in memory is changed on the owner of what it stands below")
    func found() throws {
        let host = try TestHost()
        let set = try session(
            host, "instances Photo --where size=3400", "#1.title = \"found\"",
            "photos.items[0].next = #1", "get photos.items[0].next.title", "undo 1")
        #expect(set.status == 0 && set.output.contains("\n\"found\"\n"), "\(set)")
        #expect(try get("photos.items[1].title", of: host) == "\"Success Kid\"")
        let other = try TestHost()
        _ = try other.perform("hide")
        let none = try session(other, "instances Treasure --where number=6", "#1.number = 7")
        #expect(none.status == 1 && none.errors.contains("its owner is not known"), "\(none)")
    }

    @Test("what a Mutex in a global guards is set in its lock, and put back")
    func globals() throws {
        let host = try TestHost()
        _ = try host.perform("hide")
        let set = try session(
            host, "guardedCounts[\"a\"] = 5", "guardedCounts[\"b\"] = 6",
            "get guardedCounts[\"a\"]",
            "undo 2", "guardedCounts += 1")
        #expect(set.output.contains("\n5\n"), "\(set)")
        #expect(set.status == 1 && set.errors.contains("no `+=`"), "\(set)")
        #expect(try get("guardedCounts.count", of: host) == "1")
    }

    @Test("what is denied is refused before anything runs, and stands in the audit log")
    func denied() throws {
        let folder = try TemporaryFolder("telltale-denied")
        let audit = "\(folder.path)/audit"
        let host = try TestHost(environment: [
            "TELLTALE_DENY": "call, set photos.settings*", "TELLTALE_AUDIT": audit,
        ])
        for words in [
            ["call", "photos.remove(0)"], ["photos.settings.quality = 1"],
            ["set", "--preview", "photos.settings", "(quality: 1)"],
        ] {
            let outcome = try host.telltale(["\(host.pid)"] + words)
            #expect(outcome.status == 4 && outcome.errors.contains("TELLTALE_DENY"), "\(outcome)")
        }
        let set = try host.telltale(["\(host.pid)", "set", "photos.prompt", "\"x\""])
        #expect(set.status == 0, "\(set)")
        #expect(try get("photos.settings.quality", of: host) == "80")
        #expect(try get("photos.items.count", of: host) == "3")
        let log = SmallFile.text(of: audit) ?? ""
        #expect(log.contains("denied call photos.remove by pid="), "\(log)")
        #expect(log.contains("denied set photos.settings.quality by pid="), "\(log)")
        #expect(log.contains("photos.prompt: nil -> \"x\" (done) by set of pid="), "\(log)")
        #expect(try FileFacts.of(audit).mode == 0o600)
        let late = try host.telltale(["\(host.pid)", "set", "photos.items[99].title", "hushed"])
        #expect(late.status == 1, "\(late)")
        let seen = try host.telltale([
            "\(host.pid)", "set", "--preview", "photos.items[9].title", "x",
        ])
        #expect(seen.status == 1, "\(seen)")
        let after = SmallFile.text(of: audit) ?? ""
        #expect(after.contains("failed set photos.items[99].title (not-found) by pid="), "\(after)")
        #expect(!after.contains("hushed") && !after.contains("items[9].title"), "\(after)")
        let reading = try TestHost(environment: [
            "TELLTALE_MODE": "read-only", "TELLTALE_AUDIT": audit,
        ])
        let refused = try reading.telltale(["\(reading.pid)", "set", "photos.prompt", "\"y\""])
        #expect(refused.status == 4, "\(refused)")
        let all = SmallFile.text(of: audit) ?? ""
        #expect(all.contains("denied set photos.prompt by pid="), "\(all)")
        let wrong = try TestHost(environment: ["TELLTALE_DENY": "cal"])
        #expect(try wrong.telltale(["\(wrong.pid)", "set", "photos.prompt", "\"x\""]).status == 4)
    }

    @Test("what is denied is so on every way that leads there, and however it is spelt")
    func deniedByAnyName() throws {
        let host = try TestHost(
            ["actors", "methods"],
            environment: [
                "TELLTALE_DENY":
                    "call album.*,call photos.remove,call vault.*,set photos.items[0].title"
            ])
        try host.perform("writers register")
        func expectDenied(_ lines: [String]) throws {
            for line in lines {
                let outcome = try session(
                    host, "show photos --depth 1", "show album --depth 2", line)
                #expect(outcome.status == 4, "\(line): \(outcome)")
                #expect(outcome.errors.contains("is refused here"), "\(line): \(outcome)")
            }
        }
        try expectDenied([
            "call --yes `photos`.remove(0)", "call --yes #1.remove(0)",
            "call --yes `album`.bump(1)",
            "call --yes album.vault.add(2)", "photos.items[0].title = \"x\"",
            "photos.items[00].title = \"x\"", "photos.items = []", "photos.items.removeAll()",
        ])
        #expect(try get("photos.items.count", of: host) == "3")
        let dotted = try TestHost(environment: ["TELLTALE_DENY": "set written.serial.*"])
        try dotted.perform("writers register")
        for words in [
            "written.serial.number = 3", "`written.serial`.number = 3",
            "`written.serial`.list.append(3)",
        ] {
            let outcome = try dotted.telltale(["\(dotted.pid)", words])
            #expect(outcome.status == 4, "\(words): \(outcome)")
        }
    }

    @Test("what leads where can't be told while an owner is blocked, and is denied then")
    func deniedWhileBlocked() throws {
        let host = try TestHost(
            ["methods"],
            environment: [
                "TELLTALE_DENY": "call photos.nothing,set photos.prompt",
                "TELLTALE_OWNER_DEADLINE": "100",
            ])
        let allowed = try host.telltale(["\(host.pid)", "photos.items[0].size = 1"])
        #expect(allowed.status == 0, "\(allowed)")
        try host.perform("block")
        for words in [
            ["photos.items[0].size = 2"], ["call", "--yes", "photos.items[0].reload()"],
        ] {
            let outcome = try host.telltale(["\(host.pid)"] + words)
            #expect(outcome.status == 4, "\(words): \(outcome)")
        }
        try host.perform("unblock")
        #expect(try get("photos.items[0].size", of: host) == "1")
    }

    @Test("rules hold for getters, static methods by every name, and queues")
    func deniedByOtherWays() throws {
        let host = try TestHost(
            ["actors", "methods"],
            environment: [
                "TELLTALE_DENY":
                    "call album.latest,call Album.make,suspend test.photos,get photos.prompt"
            ])
        let make = "CallModes.Album.make(1, named: \"x\")"
        for line in [
            "get --yes album.latest", "get --yes album.latest.title", "show album --getters --yes",
            "call --yes --on album \(make)", "suspend test.photos", "get photos.prompt",
        ] {
            let outcome = try session(host, line)
            #expect(outcome.status == 4, "\(line): \(outcome)")
        }
    }

    @Test("of 1,000 changes that waited for a blocked owner none is made later")
    func late() throws {
        let host = try TestHost(environment: [
            "TELLTALE_OWNER_DEADLINE": "20", "TELLTALE_AUDIT": "off",
        ])
        try host.perform("block")
        let path = try host.socketPath()
        let clients = try (0..<8).map { _ in try RawClient(path) }
        for client in clients {
            for _ in 0..<125 { client.send(line: "photos.ratings[\"a b\"] += 1") }
            client.halfClose()
        }
        var refused = 0
        for client in clients {
            while let line = client.line() {
                if line.contains("will not be made later") { refused += 1 }
            }
        }
        #expect(refused == 1000)
        try host.perform("unblock")
        // Behind whatever the agent may still have there.
        #expect(try host.perform("prompt") == "nil")
        #expect(try get("photos.ratings[\"a b\"]", of: host) == "3")
    }
}
