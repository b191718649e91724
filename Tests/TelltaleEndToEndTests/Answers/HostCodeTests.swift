import Foundation
import TelltaleTestSupport
import Testing

/// Code of the host's that a command runs: it can't end the service or hold an owner for good unseen, and a
/// read-only agent runs none that isn't allowed there.
@Suite(.timeLimit(.minutes(3)))
struct HostCodeTests {
    private func ask(_ host: TestHost, _ words: String...) throws -> String {
        let outcome = try host.telltale(["\(host.pid)"] + words)
        return outcome.output + outcome.errors
    }

    @Test(
        "a closure that would wait for the queue that it runs on is not run, and the service lives")
    func ownQueue() throws {
        let host = try TestHost(["host-code"])
        for command in [["get", "ledger.sum"], ["get", "held"]] {
            let refused = try host.telltale(["\(host.pid)"] + command)
            #expect(refused.status == 1, "\(refused)")
            #expect(
                refused.errors.contains(
                    "was not run: it waits for queue test.ledger, on which it runs; that would end the service (SIGILL) in"
                ),
                "\(refused)")
            #expect(refused.errors.contains("HostCodeModes.swift:"), "\(refused)")
            #expect(refused.errors.contains("tried in a copy of the process"), "\(refused)")
        }
        let called = try ask(host, "call", "ledger.deadlock(1)")
        #expect(
            called.contains("ledger.deadlock was not run: it waits for queue test.ledger"),
            "\(called)")
        let all = try ask(host, "show", "ledger", "--computed")
        #expect(all.contains("ledger.sum was not run: it waits for queue test.ledger"), "\(all)")
        #expect(all.contains("total: 5"), "\(all)")
        let described = try ask(host, "show", "ledger", "--describe")
        #expect(described.contains("the description of ledger was not run"), "\(described)")
        let getter = try ask(host, "get", "ledger.computed", "--yes")
        #expect(getter.contains("ledger.computed was not run: it waits for queue"), "\(getter)")
        let page = try ask(host, "get", "page.queued")
        #expect(
            page.contains("page.queued was not run: it waits for the main actor, on which it runs"),
            "\(page)")
        #expect(try ask(host, "dump").contains("held was not run"))
        #expect(try ask(host, "get", "ledger.balance") == "5\n")
    }

    @Test(
        "what checks for its owner finds it in the copy too; off the owner a class takes its queue")
    func owners() throws {
        let host = try TestHost(["host-code"])
        #expect(try ask(host, "get", "ledger.checked") == "5\n")
        #expect(try ask(host, "get", "till.checked") == "4\n")
        #expect(try ask(host, "get", "page.hits") == "3\n")
        #expect(try ask(host, "get", "ledger.total") == "5\n")
        #expect(try ask(host, "call", "ledger.add(2)").contains("7"))
        #expect(try ask(host, "get", "ledger.total") == "7\n")
        let shown = try ask(host, "show", "ledger.total")
        #expect(shown.contains("closure"), "\(shown)")
    }

    @Test(
        "a lock that it runs under is not waited for, one that another thread has for a moment is")
    func locks() throws {
        let host = try TestHost(["host-code"])
        let own = try ask(host, "get", "locked.sum")
        #expect(
            own.contains("locked.sum was not run: it waits for a lock that it runs under"), "\(own)"
        )
        #expect(try ask(host, "get", "locked.amount") == "7\n")
        // The other one is held by another thread at nearly every moment: it says nothing of the closure.
        let other = try ask(host, "get", "locked.both", "--yes")
        #expect(other == "7\n", "\(other)")
    }

    @Test("what is tried in the copy leaves nothing behind outside of it")
    func effects() throws {
        let trace =
            NSTemporaryDirectory() + "host-code-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: trace) }
        let host = try TestHost(["host-code"], environment: ["TEST_TRACE": trace])
        let refused = try ask(host, "get", "ledger.writesFirst")
        #expect(refused.contains("was not run: it waits for queue test.ledger"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: trace))
        #expect(try ask(host, "get", "ledger.writes") == "5\n")
        #expect(FileManager.default.fileExists(atPath: trace))
    }

    @Test("a key's own hash that traps or doesn't return is tried first, and the service lives")
    func keys() throws {
        let host = try TestHost(["host-code"])
        #expect(try host.telltale(["\(host.pid)", "set", "index.counts[(n: 2)]", "5"]).status == 0)
        let traps = try ask(host, "set", "index.counts[(n: 13)]", "5")
        #expect(traps.contains("the hash of its key would end the service (SIG"), "\(traps)")
        let waits = try ask(host, "set", "index.counts[(n: 14)]", "5")
        #expect(waits.contains("the hash of its key does not return"), "\(waits)")
        #expect(try ask(host, "get", "index.counts.count") == "2\n")
        // Whole ones, and elements of a set.
        let whole = try ask(host, "set", "index.counts", "[(n: 13): 5]")
        #expect(
            whole.contains("was not made: the hash of a key would end the service (SIG"), "\(whole)"
        )
        let set = try ask(host, "set", "index.marks", "[(n: 1), (n: 13)]")
        #expect(set.contains("the hash of an element would end the service (SIG"), "\(set)")
        let inserted = try ask(host, "index.marks.insert((n: 13))")
        #expect(
            inserted.contains("the hash of what was typed would end the service"), "\(inserted)")
        #expect(try host.telltale(["\(host.pid)", "set", "index.marks", "[(n: 7)]"]).status == 0)
        #expect(try ask(host, "get", "index.counts.count + index.marks.count") == "3\n")
    }

    @Test("where the service ends all the same the client says in what, and by which signal")
    func ends() throws {
        let host = try TestHost(["host-code"])
        let ended = try host.telltale(["\(host.pid)", "get", "wick.ends"])
        #expect(ended.status == 3, "\(ended)")
        #expect(ended.errors.contains(" ended (SIG"), "\(ended)")
        #expect(ended.errors.contains(" while it ran wick.ends"), "\(ended)")
        let other = try TestHost(["host-code"])
        #expect(try ask(other, "get", "wick.late") == "5\n")
        let late = try ask(other, "get", "wick.late")
        #expect(late.contains(" while it ran wick.late"), "\(late)")
    }

    @Test("a read-only agent runs what its registration allows there, and nothing else")
    func readOnly() throws {
        let host = try TestHost(["host-code"], environment: ["TELLTALE_MODE": "read-only"])
        for path in ["ledger.total", "ledger.sum", "five", "held", "till.checked"] {
            let refused = try host.telltale(["\(host.pid)", "get", path])
            #expect(refused.status == 4, "\(path): \(refused)")
            #expect(refused.errors.contains("is computed by code of the service"), "\(refused)")
        }
        #expect(try ask(host, "get", "ledger.shown") == "5\n")
        #expect(try ask(host, "get", "ledger.checked") == "5\n")
        #expect(try ask(host, "get", "six") == "6\n")
        #expect(try ask(host, "call", "ledger.count()").contains("5"))
        #expect(try host.telltale(["\(host.pid)", "call", "ledger.add(1)"]).status == 4)
        #expect(try host.telltale(["\(host.pid)", "show", "ledger", "--describe"]).status == 4)
        let all = try ask(host, "show", "ledger", "--computed")
        #expect(
            all.contains("shown: 5") && all.contains("ledger.sum is computed by code"), "\(all)")
        let map = try ask(host, "show", "map")
        #expect(map.contains("x: 9") && map.contains("the agent is read-only"), "\(map)")
        let writing = try TestHost(["host-code"])
        #expect(try ask(writing, "show", "map").contains("point 9"))
    }
}
