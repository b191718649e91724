import Foundation
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
            #expect(!record.contains("4711"), "\(record)")
        }
        let open = try host.telltale(["\(host.pid)", "show", "open", "--describe"])
        #expect(open.output.contains("shown-description"), "\(open)")
        let refused = try host.telltale(["\(host.pid)", "show", "holder", "--describe"])
        #expect(refused.status == 4)
        #expect(refused.errors.contains("secret"), "\(refused)")
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
