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

    /// A connection of its own, by the commands on standard input.
    private func script(_ host: TestHost, _ line: String) throws -> TestHost.Outcome {
        try host.shell(#"printf '%s\n' "$1" | "$TELLTALE_CLIENT" "$PID" -"#, arguments: [line])
    }

    private func line(_ lines: [String], _ word: String) throws -> String {
        try #require(lines.first { $0.contains(word) }, "\(lines.joined(separator: "\n"))")
    }

    @Test(
        "after dispatchMain() the main queue is a thread's of Dispatch: which one, and what it is at"
    )
    func mainQueue() throws {
        let host = try TestHost(["bound"])
        #expect(try host.perform("bound races") == "0")
        try host.waitUntilLearnt()
        try host.perform("bound block main")
        let main = try line(lines(host, "queues"), "com.apple.main-thread")
        #expect(main.contains("running"), "\(main)")
        let queue = try lines(host, "queue", "com.apple.main-thread").joined(separator: "\n")
        #expect(queue.contains("running") && queue.contains("Bound.block"), "\(queue)")
        try host.perform("bound release")
        try waitUntil("it has nothing to do") {
            try line(lines(host, "queues"), "com.apple.main-thread").contains(" idle ")
        }
    }

    @Test("queues that nobody registered are listed with what they do")
    func queues() throws {
        let host = try TestHost()
        try host.perform("dispatch stage")
        try host.waitUntilLearnt()
        let all = try lines(host, "queues")
        let held = try line(all, "staged.held")
        #expect(held.contains("serial"))
        #expect(held.contains("running"))
        #expect(try line(all, "staged.suspended").contains("suspended ×2"))
        #expect(try line(all, "staged.inactive").contains("inactive"))
        #expect(try line(all, "test.photos").contains("photos"))
        #expect(!all.contains { $0.hasPrefix("utility-qos ") })
        #expect(
            try lines(host, "queues", "--all").contains {
                $0.hasPrefix("utility-qos ")
            })
        #expect(!all.contains { $0.contains("not available") })
    }

    @Test("what the agent itself waits for on a queue is marked as its own")
    func agents() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        #expect(try host.perform("wedge queue-hung") == "wedged")
        let reader = try StartedProgram(
            try BuiltProgram.path(of: "telltale"),
            ["--timeout", "30s", "\(host.pid)", "show", "photos"],
            environment: ["TELLTALE_DIRECTORY": host.directory])
        defer { reader.send(SIGKILL) }
        var text = ""
        try waitUntil("the agent's thread waits in \(text)") {
            text = try lines(host, "queue", "test.photos").joined(separator: "\n")
            return text.contains(" (the agent's) waits")
        }
        let answer = try host.telltale(["--json", "\(host.pid)", "queue", "test.photos"]).output
        #expect(answer.contains(#""isAgent":true"#), "\(answer)")
        let all = try lines(host, "stack", "all").joined(separator: "\n")
        #expect(all.contains(" (the agent's)"), "\(all)")
    }

    @Test(
        "a queue is shown with its items in order, their functions and lines, and its holder's stack"
    )
    func queue() throws {
        let host = try TestHost()
        try host.perform("dispatch stage")
        try host.waitUntilLearnt()
        var all: [String] = []
        var text = ""
        // The waiting thread gets there by itself.
        try waitUntil("a thread in `sync` waits in \(text)") {
            all = try lines(host, "queue", "staged.held")
            text = all.joined(separator: "\n")
            return all.contains { $0.contains("sync") && $0.contains("waits") }
        }
        #expect(text.contains("DispatchModes.swift:"))
        #expect(text.contains("work item"))
        #expect(text.contains("cancelled"))
        // The holder's stack leads to the line that waits.
        #expect(text.contains("DispatchModes.stage()"), "\(text)")
        #expect(try host.telltale(["\(host.pid)", "queue", "no.such"]).status == 1)
    }

    @Test("groups, semaphores and timers are listed with those who wait")
    func others() throws {
        let host = try TestHost()
        try host.perform("dispatch stage")
        try host.waitUntilLearnt()
        func wait(for command: String, toHave words: [[String]]) throws {
            var all: [String] = []
            try waitUntil("\(command) has \(words) and not \(all)", seconds: 20) {
                all = try lines(host, command)
                return words.allSatisfy { words in
                    all.contains { line in words.allSatisfy(line.contains) }
                }
            }
        }
        try wait(for: "groups", toHave: [["2"]])
        try wait(for: "semaphores", toHave: [["-1"]])
        try wait(
            for: "timers",
            toHave: [["staged.suspended", "DispatchModes"], ["asyncAfter", "staged.held"]])
    }

    @Test("a queue is suspended for as long as its client is there, and not longer")
    func suspend() throws {
        let host = try TestHost()
        try host.perform("dispatch observe")
        try host.wait(for: "dispatch ran", toBe: "ran")
        var client: RawClient? = try RawClient(host.socketPath())
        func ask(_ line: String) throws -> String {
            client?.send(line: line)
            return try #require(client?.line())
        }
        try host.waitUntilLearnt()
        #expect(try ask("suspend staged.observed").contains("suspended (1)"))
        #expect(try host.perform("dispatch ran") == "waits")
        let other = try host.telltale(["\(host.pid)", "resume", "staged.observed"])
        #expect(other.status == 1)
        #expect(other.errors.contains("was not suspended by this connection"))
        let queues = try lines(host, "queues")
        #expect(try line(queues, "staged.observed").contains("suspended"))
        client = nil
        try host.wait(for: "dispatch ran", toBe: "ran")
        let changes = try lines(host, "changes").joined(separator: "\n")
        #expect(changes.contains("staged.observed"))
        #expect(changes.contains("its client has gone"))
        for name in ["main", "com.apple.root.default-qos"] {
            let refused = try script(host, "suspend \(name)")
            #expect(refused.status == 1, "\(name)")
        }
        try host.perform("dispatch stage")
        let found = try script(host, "suspend staged.held")
        #expect(found.status == 1)
        #expect(found.errors.contains("is not registered"))
    }

    @Test("a queue is suspended for a time by a single command, and resumed early or at its end")
    func suspendForTime() throws {
        // No probe asks the queue, whose item would lie in it.
        let host = try TestHost(environment: ["TELLTALE_HANG_WATCH": "0"])
        try host.perform("dispatch observe")
        try host.wait(for: "dispatch ran", toBe: "ran")
        try host.waitUntilLearnt()
        let long = try host.telltale(["\(host.pid)", "suspend", "staged.observed", "--for", "5m"])
        #expect(long.status == 0, "\(long.errors)")
        #expect(long.output.contains("staged.observed: suspended for 5m"))
        #expect(long.output.contains("sooner with `resume staged.observed`"))
        #expect(try host.perform("dispatch ran") == "waits")
        let resumed = try host.telltale(["\(host.pid)", "resume", "staged.observed"])
        #expect(resumed.status == 0 && resumed.output.contains("resumed"))
        try host.wait(for: "dispatch ran", toBe: "ran")
        let short = try host.telltale(["\(host.pid)", "suspend", "staged.observed", "--for", "1s"])
        #expect(short.output.contains("suspended for 1 s"))
        try host.wait(for: "dispatch ran", toBe: "ran")
        let changes = try lines(host, "changes").joined(separator: "\n")
        #expect(changes.contains("resumed, since its time is over"))
        // Nothing is left to be resumed.
        let again = try host.telltale(["\(host.pid)", "resume", "staged.observed"])
        #expect(again.status == 1)
    }

    @Test("a queue that is suspended is resumed also where the host does not observe it any more")
    func suspendUnobserved() throws {
        // No probe asks the queue, whose item would lie in it.
        let host = try TestHost(environment: ["TELLTALE_HANG_WATCH": "0"])
        try host.perform("dispatch observe")
        let client = try RawClient(host.socketPath())
        try host.waitUntilLearnt()
        client.send(line: "suspend staged.observed")
        #expect(try #require(client.line()).contains("suspended (1)"))
        #expect(try #require(client.line()).contains("when this connection ends"))
        try host.perform("dispatch end-observation")
        client.send(line: "resume staged.observed")
        #expect(try #require(client.line()).contains("resumed"))
        try host.wait(for: "dispatch ran", toBe: "ran")
        client.send(line: "suspend staged.observed")
        #expect(try #require(client.line()).contains("is not registered"))
    }

    @Test("a work item that waits is cancelled, and nothing else is")
    func cancelItem() throws {
        let host = try TestHost()
        try host.perform("dispatch observe")
        try host.waitUntilLearnt()
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
        try host.wait(for: "dispatch ran", toBe: "ran")
    }

    @Test("read-only mode suspends nothing")
    func readOnly() throws {
        let host = try TestHost(environment: ["TELLTALE_MODE": "read-only"])
        let outcome = try script(host, "suspend test.photos")
        #expect(outcome.status == 4)
        let single = try host.telltale(["\(host.pid)", "suspend", "test.photos"])
        #expect(single.status == 2 && single.errors.contains("ends with its connection"))
    }

    @Test("the dump names the items of a queue that doesn't answer, and the thread that holds it")
    func dump() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "1000"])
        try host.waitUntilLearnt()
        try host.perform("block")
        try host.perform("dispatch stage")
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " END ")
        let rows = text.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst(2).joined(separator: " ")
        }
        #expect(rows.contains { $0.hasPrefix("staged.held serial running ") }, "\(text)")
        #expect(
            rows.contains { $0.hasPrefix("staged.suspended concurrent suspended ×2 1 ") },
            "\(text)")
        let silent = rows.first { $0.hasPrefix("test.photos concurrent barrier ") }
        #expect(silent?.contains("no answer for ") == true, "\(text)")
        // Below the table: the queue itself, with the thread that holds it.
        #expect(rows.contains { $0.hasPrefix("queue test.photos") }, "\(text)")
        #expect(rows.contains { $0.hasPrefix("state barrier, held by thread ") }, "\(text)")
    }
}
