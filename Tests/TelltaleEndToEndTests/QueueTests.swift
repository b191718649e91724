import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Dispatch's objects in staged states, over the client.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct QueueTests {
    private func lines(_ host: TestHost, _ arguments: String...) throws -> [String] {
        let outcome = try host.telltale(["\(host.pid)"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    private func line(_ lines: [String], _ word: String) throws -> String {
        try #require(lines.first { $0.contains(word) }, "\(lines.joined(separator: "\n"))")
    }

    @Test("queues that nobody registered are listed with what they do")
    func queues() throws {
        let host = try TestHost()
        try host.perform("dispatch stage")
        let all = try lines(host, "queues")
        let held = try line(all, "staged.held")
        #expect(held.contains("serial"))
        #expect(held.contains("running"))
        #expect(try line(all, "staged.suspended").contains("suspended ×2"))
        #expect(try line(all, "staged.inactive").contains("inactive"))
        #expect(try line(all, "test.photos").contains("photos"))
        #expect(!all.contains { $0.contains("com.apple.root.utility-qos ") })
        #expect(
            try lines(host, "queues", "--all").contains {
                $0.contains("com.apple.root.utility-qos ")
            })
        #expect(!all.contains { $0.contains("not available") })
    }

    @Test(
        "a queue is shown with its items in order, their functions and lines, and its holder's stack"
    )
    func queue() throws {
        let host = try TestHost()
        try host.perform("dispatch stage")
        var all: [String] = []
        for _ in 0..<50 {
            all = try lines(host, "queue", "staged.held")
            if all.contains(where: { $0.contains("sync") && $0.contains("waits") }) { break }
            usleep(20_000)
        }
        let text = all.joined(separator: "\n")
        #expect(text.contains("DispatchModes.swift:"))
        #expect(text.contains("work item"))
        #expect(text.contains("cancelled"))
        #expect(all.contains { $0.contains("sync") && $0.contains("waits") }, "\(text)")
        // The holder's stack leads to the line that waits.
        #expect(text.contains("DispatchModes.stage()"), "\(text)")
        #expect(try host.telltale(["\(host.pid)", "queue", "no.such"]).status == 1)
    }

    @Test("groups, semaphores and timers are listed with those who wait")
    func others() throws {
        let host = try TestHost()
        try host.perform("dispatch stage")
        usleep(100_000)
        let groups = try lines(host, "groups").joined(separator: "\n")
        #expect(groups.contains("2"), "\(groups)")
        let semaphores = try lines(host, "semaphores").joined(separator: "\n")
        #expect(semaphores.contains("-1"), "\(semaphores)")
        let timers = try lines(host, "timers")
        let timer = try line(timers, "staged.suspended")
        #expect(timer.contains("DispatchModes"), "\(timer)")
        let after = try line(timers, "asyncAfter")
        #expect(after.contains("staged.held"), "\(after)")
    }

    @Test("a queue is suspended for as long as its client is there, and not longer")
    func suspend() throws {
        let host = try TestHost()
        try host.perform("dispatch observe")
        #expect(try host.perform("dispatch ran") == "ran")
        var client: RawClient? = try RawClient(host.socketPath())
        func ask(_ line: String) throws -> String {
            client?.send(line: line)
            return try #require(client?.line())
        }
        #expect(try ask("suspend staged.observed").contains("suspended (1)"))
        #expect(try host.perform("dispatch ran") == "waits")
        let other = try host.telltale(["\(host.pid)", "resume", "staged.observed"])
        #expect(other.status == 1)
        #expect(other.errors.contains("was not suspended by this connection"))
        let queues = try lines(host, "queues")
        #expect(try line(queues, "staged.observed").contains("suspended"))
        client = nil
        let deadline = MonotonicTime.now.advanced(by: .seconds(10))
        var ran = ""
        while ran != "ran", .now < deadline { ran = try host.perform("dispatch ran") }
        #expect(ran == "ran")
        let changes = try lines(host, "changes").joined(separator: "\n")
        #expect(changes.contains("staged.observed"))
        #expect(changes.contains("its client has gone"))
        for name in ["main", "com.apple.root.default-qos"] {
            let refused = try host.telltale(["\(host.pid)", "suspend", name])
            #expect(refused.status == 1, "\(name)")
        }
        try host.perform("dispatch stage")
        let found = try host.telltale(["\(host.pid)", "suspend", "staged.held"])
        #expect(found.status == 1)
        #expect(found.errors.contains("is not registered"))
    }

    @Test("a work item that waits is cancelled, and nothing else is")
    func cancelItem() throws {
        let host = try TestHost()
        try host.perform("dispatch observe")
        try host.perform("dispatch item")
        let before = try lines(host, "queue", "staged.observed")
        func address(_ word: String) throws -> String {
            let row = try line(before, word)
            return String(try #require(row.split(separator: " ").last))
        }
        let item = try address("work item")
        let outcome = try host.telltale(["\(host.pid)", "cancel", "item", "staged.observed", item])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try line(lines(host, "queue", "staged.observed"), "work item").contains("cancelled"))
        for other in [try address("block"), "0x10"] {
            let refused = try host.telltale(
                ["\(host.pid)", "cancel", "item", "staged.observed", other])
            #expect(refused.status == 1, "\(other)")
        }
        // It was held only while that was done.
        try host.perform("dispatch open")
        var ran = ""
        let deadline = MonotonicTime.now.advanced(by: .seconds(10))
        while ran != "ran", .now < deadline { ran = try host.perform("dispatch ran") }
        #expect(ran == "ran")
    }

    @Test("read-only mode suspends nothing")
    func readOnly() throws {
        let host = try TestHost(environment: ["TELLTALE_MODE": "read-only"])
        let outcome = try host.telltale(["\(host.pid)", "suspend", "test.photos"])
        #expect(outcome.status == 4)
    }

    @Test("the dump names the items of a queue that doesn't answer, and the thread that holds it")
    func dump() throws {
        let host = try TestHost()
        try host.perform("block")
        try host.perform("dispatch stage")
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " END ")
        #expect(text.contains("staged.held serial running T"), "\(text)")
        #expect(text.contains("staged.suspended concurrent suspended ×2 waiting=1"), "\(text)")
        #expect(text.contains("!test.photos concurrent barrier T"), "\(text)")
    }
}
