import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Secrets must not appear: in no answer, no refusal, no record of actions, no dump.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct SecretTests {
    @Test("arguments, errors, descriptions and registered names leak into no output and no record")
    func nowhere() throws {
        let folder = try TemporaryFolder("telltale-secrets")
        let audit = "\(folder.path)/audit"
        let host = try TestHost(["secrets"], environment: ["TELLTALE_AUDIT": audit])
        var everything = ""
        for command in [
            "call door.open(\"bob\", \"hush-right\")", "door.pick(\"hush-picky\")",
            "door.push()", "door.open(\"bob\", \"hush-wrong\")", "door.later(\"hush-later\")",
            "door.open(\"bob\", [\"hush-typed\"])", "door.open(\"bob\", \"hush-unclosed)",
            "door.named(user: \"bob\", pin: 4711)", "door.named(\"bob\", 4711)",
            "door.named(user: \"bob\", pin: \"hush-named\")",
            "call door.open(user: \"a\", password: hush-wrong3)", "door.named(\"a\", hush-wrong4)",
            "door.put(\"Authorization\", \"hush-put\")",
            "door.newToken()", "apiToken", "get apiToken", "apiToken.count", "show apiToken",
            "show holder", "show holder --describe", "show chooser --describe",
            "show holder --describe --snapshot", "set holder.vault \"hush-set\"", "actions",
            "objects", "queues --all", "queue secrets", "timers", "operations", "tasks --full",
            "threads --all", "stack all", "stuck", "info", "status", "door.fetch()",
            "cancel item main 0x1", "suspend nothing", "cancel operation nothing", "changes",
            "dump", "instances Combination", "instances LongCombination",
            "show holder.password", "get holder.password.turns", "heap --top 50",
        ] {
            for options in [[], ["--json"]] {
                let outcome = try host.telltale(options + ["\(host.pid)", command])
                everything += outcome.output + outcome.errors
            }
        }
        everything += try foundByClass(in: host)
        host.send(SIGUSR1)
        everything += try host.waitForError(containing: " END ")
        let leaks = everything.split(separator: "\n").filter { $0.contains("hush") }
        #expect(leaks.isEmpty, "\(leaks)")
        // The host's own words about its error go to the caller where no secret is in its reach, and
        // nowhere else.
        for (command, words) in [
            ("door.open(\"bob\", \"hush-wrong\")", "threw: Refused; its own words are not shown"),
            ("door.later(\"hush-later\")", "threw: Refused; its own words are not shown"),
            ("door.push()", "threw: hinge 2 jams, see https://door.example/?token=<masked>"),
        ] {
            let outcome = try host.telltale(["\(host.pid)", command])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains(words), "\(outcome)")
        }
        let changes = try host.telltale(["\(host.pid)", "changes"]).output
        let written = try #require(SmallFile.text(of: audit))
        for record in [changes, written] {
            #expect(!record.contains("hush"), "\(record)")
            #expect(record.contains("(String, 3 characters; String, 10 characters)"), "\(record)")
            #expect(record.contains("threw Refused"), "\(record)")
            #expect(record.contains("(user: \"bob\"; pin: Int)"), "\(record)")
            #expect(record.contains("(key: String, 13 characters; value: String"), "\(record)")
            #expect(!record.contains("4711"), "\(record)")
        }
        let open = try host.telltale(["\(host.pid)", "show", "open", "--describe"])
        #expect(open.output.contains("shown-description"), "\(open)")
        let refused = try host.telltale(["\(host.pid)", "show", "holder", "--describe"])
        #expect(refused.status == 4)
        #expect(refused.errors.contains("secret"), "\(refused)")
    }

    @Test("what makes a value a secret can't be taken from it, whichever way its name is reached")
    func names() throws {
        let host = try TestHost(["secrets"], environment: ["TELLTALE_MASK": "iban"])
        for command in [
            "set wallet.headers[0].name \"X\"", "set wallet.headers[0] (name: \"X\")",
            "set wallet.pair.0 \"X\"", "set wallet.members[0][\"name\"] \"X\"",
            "set wallet.members[0][\"name\"] nil", "set wallet.members[0][\"key\"] \"X\"",
            "wallet.members[0].removeValue(forKey: \"name\")",
            "wallet.members[0].updateValue(\"X\", forKey: \"name\")",
            "wallet.members[0].updateValue(\"X\", forKey: \"other\")",
            "set --preview wallet.headers[0].name \"X\"",
        ] {
            let outcome = try host.telltale(["\(host.pid)", command])
            #expect(outcome.status == 4, "\(command): \(outcome)")
            let shown = try host.telltale(["\(host.pid)", "show", "wallet"]).output
            #expect(!shown.contains("hush"), "\(command): \(shown)")
        }
        // Both together, and what is no name, are changed as ever.
        for command in [
            "set wallet.headers[0] (name: \"X\", value: \"new\")",
            "set wallet.members[0][\"value\"] \"new\"", "set wallet.title \"purse\"",
            "set wallet.pair (\"X\", \"new\")",
        ] {
            let outcome = try host.telltale(["\(host.pid)", command])
            #expect(outcome.status == 0, "\(command): \(outcome)")
        }
    }

    @Test("a right guess and a wrong one get one answer, and nothing keeps what was guessed")
    func guesses() throws {
        let folder = try TemporaryFolder("telltale-guesses")
        let audit = "\(folder.path)/audit"
        let host = try TestHost(["secrets"], environment: ["TELLTALE_AUDIT": audit])
        var kept = ""
        for command in [
            "get wallet.tokens[\"KEY\"]", "set wallet.tokens[\"KEY\"] \"x\"",
            "set --preview wallet.tokens[\"KEY\"] \"x\"", "set wallet.tokens[\"KEY\"] nil",
            "set --preview wallet.tokens[\"KEY\"] += \"x\"",
            "wallet.tokens.removeValue(forKey: \"KEY\")",
            "wallet.tokens[\"KEY\"].append(\"x\")", "show wallet.tokens[\"KEY\"]",
            "watch wallet.tokens[\"KEY\"] --count 1", "holders wallet.tokens[\"KEY\"]",
        ] {
            let answers = try ["hush-user", "hush-else"].map { key -> String in
                let outcome = try host.telltale(
                    ["\(host.pid)", command.replacing("KEY", with: key)])
                return "\(outcome.status) \(outcome.output) \(outcome.errors)"
                    .replacing(key, with: "KEY").replacing(/[0-9:.]+Z/, with: "")
            }
            #expect(answers[0] == answers[1], "\(command)")
        }
        kept += try host.telltale(["\(host.pid)", "changes"]).output
        kept += try host.telltale(["\(host.pid)", "dump"]).output
        kept += try #require(SmallFile.text(of: audit))
        #expect(!kept.contains("hush-user") && !kept.contains("hush-else"), "\(kept)")
    }

    @Test(
        "what an object says of itself is refused where a secret is in its reach, by every way to it"
    )
    func descriptions() throws {
        let host = try TestHost(["secrets"])
        for command in [
            "get wallet.description --yes", "show wallet --describe",
            "show wallet.description --yes", "get wallet.description.count --yes",
        ] {
            let outcome = try host.telltale(["\(host.pid)", command])
            #expect(outcome.status == 4, "\(command): \(outcome)")
            #expect(!(outcome.output + outcome.errors).contains("hush"), "\(outcome)")
        }
        let open = try host.telltale(["\(host.pid)", "get open.description --yes"])
        #expect(open.output == "\"shown-description\"\n", "\(open)")
        let count = try host.telltale(["\(host.pid)", "get wallet.count --yes"])
        #expect(count.output == "1\n", "\(count)")
        let threads = try host.telltale(["\(host.pid)", "threads --all"]).output
        #expect(threads.contains("pw=<masked>"), "\(threads)")
    }

    @Test("the agent says with its answer which lines no history keeps")
    func history() throws {
        let host = try TestHost(["secrets"], environment: ["TELLTALE_MASK": "iban"])
        for (command, bringsSecret) in [
            ("set wallet.iban \"x\"", true), ("set wallet.title \"x\"", false),
            ("set wallet.headers[0].value \"x\"", true),
            ("set wallet.headers[0] (name: \"Cookie\", value: \"x\")", true),
            ("set wallet.tokens[\"x\"] \"x\"", true), ("get wallet.tokens[\"x\"]", true),
            ("get wallet.title", false), ("call door.open(\"bob\", \"x\")", true),
            ("call door.named(user: \"bob\", pin: 1)", true), ("call door.opn(\"x\")", true),
            ("call door.push()", false), ("call wallet.title.append(\"x\")", false),
        ] {
            let client = try RawClient(host.socketPath())
            let request = try #require(try CommandLineParser.parse(command))
            client.send(line: RawClient.hello)
            _ = client.line()
            client.send(
                line: RPCRequest(
                    id: .integer(1), method: request.method, params: request.parameters
                ).line)
            let line = try #require(client.line())
            #expect(line.contains(#""bringsSecret":true"#) == bringsSecret, "\(command): \(line)")
        }
    }

    /// An object masked by its property's name is also masked if it is found by its class; objects of
    /// a class without such a property are shown.
    private func foundByClass(in host: TestHost) throws -> String {
        let found = try host.telltale(["\(host.pid)", "instances LongCombination"]).output
        let handle = try #require(found.split(separator: "\n").last?.split(separator: " ").first)
        #expect(handle.hasPrefix("#"), "\(found)")
        var text = found
        for command in [
            "show \(handle)", "get \(handle).turns", "get \(handle).turns.count",
            "show \(handle) --snapshot", "show \(handle) --match turns", "show \(handle) --bytes",
            "show \(handle) --memory", "get --yes \(handle).all", "show \(handle) --getters --yes",
            "\(handle).turns == \"hush-turns\"",
        ] {
            let outcome = try host.telltale(["\(host.pid)", command])
            #expect(!(outcome.output + outcome.errors).contains("true"), "\(command)")
            text += outcome.output + outcome.errors.replacing(command, with: "")
        }
        #expect(text.contains("<masked>"), "\(text)")
        // A client that knows the secret doesn't learn which object has it.
        for condition in ["turns=hush-turns", "pin=4711", "pin > 4710"] {
            let asked = try host.telltale(
                ["\(host.pid)", "instances", "LongCombination", "--where", condition])
            #expect(asked.status == 4, "\(asked)")
        }
        let open = try host.telltale(["\(host.pid)", "instances Open"]).output
        #expect(open.contains("title: \"open\""), "\(open)")
        return text
    }
}
