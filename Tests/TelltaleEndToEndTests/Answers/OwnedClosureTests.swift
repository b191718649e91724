import TelltaleTestSupport
import Testing

/// Actions of actors, and values that closures make on owners.
@Suite(.timeLimit(.minutes(2)))
struct OwnedClosureTests {
    @Test("what an actor offers runs on it: plain, throwing, asynchronous, by name")
    func actorActions() throws {
        let host = try TestHost(["actors"])
        for (command, shown) in [
            ("call bank.deposit(5)", "15"),
            ("call bank.withdraw(3)", "bank.withdraw"),
            ("call bank.transfer(2, \"Ada\")", "\"2 to Ada, 10 left\""),
            ("call bank.send(1, \"Bob\")", "\"1 to Bob, 9 left\""),
            ("get balance", "9"),
            ("call bank.empty()", "bank.empty"),
            ("get balance", "0"),
        ] {
            let outcome = try host.telltale(["\(host.pid)"] + Self.words(command))
            #expect(outcome.status == 0, "\(command): \(outcome)")
            #expect(outcome.output.contains(shown), "\(command): \(outcome)")
        }
        let thrown = try host.telltale(["\(host.pid)", "call", "bank.withdraw(1)"])
        #expect(thrown.status == 1)
        #expect((thrown.output + thrown.errors).contains("bank.withdraw threw: Overdrawn"))
        let listed = try host.telltale(["\(host.pid)", "actions"]).output
        #expect(listed.contains("bank.transfer(Int, String) async"), "\(listed)")
        #expect(listed.contains("bank.withdraw(amount: Int)"), "\(listed)")
    }

    @Test("an action that waits for its actor past the deadline never runs")
    func heldActor() throws {
        let host = try TestHost(["actors"])
        let hung = try host.telltale(["--timeout", "300ms", "\(host.pid)", "call", "bank.hang()"])
        #expect(hung.status == 5, "\(hung)")
        for action in ["bank.deposit(1)", "bank.send(1, \"Bob\")"] {
            let late = try host.telltale(["--timeout", "300ms", "\(host.pid)", "call", action])
            #expect(late.status == 5)
            #expect((late.output + late.errors).contains("did not run"), "\(late)")
            #expect((late.output + late.errors).contains("will not run later"), "\(late)")
        }
        let value = try host.telltale(["--timeout", "300ms", "\(host.pid)", "get", "balance"])
        #expect(value.status == 5)
        #expect((value.output + value.errors).contains("its actor did not answer"), "\(value)")
    }

    @Test("a closure's value is made on its owner, which is said")
    func values() throws {
        let host = try TestHost(["actors"])
        for (path, value) in [
            ("balance", "10"), ("label", "\"test.values\""), ("main", "true"),
            ("locked", "false"), ("nothing", "nil"), ("cached.size", "3"),
        ] {
            let outcome = try host.telltale(["\(host.pid)", "get", path])
            #expect(outcome.output == value + "\n", "\(path): \(outcome)")
        }
        let objects = try host.telltale(["\(host.pid)", "objects"]).output
        func row(_ name: String) -> [Substring] {
            objects.split(separator: "\n").first { $0.hasPrefix(name + " ") }?
                .split(separator: " ") ?? []
        }
        #expect(row("balance").prefix(4) == ["balance", "Int", "actor", "value"], "\(objects)")
        #expect(row("label").contains("test.values,"), "\(objects)")
        #expect(row("locked").prefix(4) == ["locked", "Bool", "lock", "value"], "\(objects)")
        let shown = try host.telltale(["\(host.pid)", "show", "label"]).output
        #expect(shown.contains("(from its closure, on queue test.values, serial)"), "\(shown)")
        let refused = try host.telltale(["\(host.pid)", "set", "balance", "3"])
        #expect((refused.output + refused.errors).contains("made by a closure"), "\(refused)")
        let set = try host.telltale(["\(host.pid)", "set", "cached.size", "4"])
        #expect(set.output.contains("3 -> 4"), "\(set)")
    }

    @Test("with the actor its values and actions are gone")
    func goneActor() throws {
        let host = try TestHost(["actors"])
        #expect(try host.telltale(["\(host.pid)", "get", "short"]).output == "10\n")
        _ = try host.perform("let-go")
        let value = try host.telltale(["\(host.pid)", "get", "short"])
        #expect(value.status == 1)
        #expect((value.output + value.errors).contains("short is gone"), "\(value)")
        let action = try host.telltale(["\(host.pid)", "call", "short.deposit(1)"])
        #expect((action.output + action.errors).contains("was deallocated"), "\(action)")
        let objects = try host.telltale(["\(host.pid)", "objects"]).output
        #expect(
            objects.split(separator: "\n").contains {
                $0.hasPrefix("short ") && $0.contains("gone")
            }, "\(objects)")
    }

    /// The command's word and the rest of it.
    private static func words(_ command: String) -> [String] {
        command.split(separator: " ", maxSplits: 1).map(String.init)
    }
}
