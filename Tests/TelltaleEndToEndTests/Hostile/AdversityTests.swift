#if os(Linux) && arch(x86_64)
import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Hosts whose queues, tasks and threads are as hard to look at as can be.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AdversityTests {
    // With time enough: the test stages the amount of data, not a lack of processor time.
    private func ask(_ host: TestHost, _ arguments: String...) throws -> String {
        let outcome = try host.telltale(["--timeout", "60s", "\(host.pid)"] + arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    /// The stack of the thread in whose stack `function` is.
    private func stack(_ host: TestHost, with function: String) throws -> String {
        var found: String?
        try waitUntil("there is a stack with \(function)", seconds: 20) {
            let stacks = try ask(host, "stack", "--full").components(separatedBy: "\n\n")
            found = stacks.first { $0.contains(function) }
            return found != nil
        }
        return try #require(found)
    }

    /// The stack of a thread that runs. It has 400 ms to stop, which a thread without a processor has not;
    /// nothing else may keep `function` out.
    private func spinningStack(
        _ host: TestHost, _ thread: Int32?, with function: String
    ) throws -> String {
        var text = ""
        try waitUntil("\(function) is in \(text)", seconds: 20) {
            text = try ask(host, "stack", "\(thread ?? 0)")
            let isThere = text.contains(function)
            #expect(isThere || text.contains("did not stop in time"), "\(text)")
            return isThere
        }
        return text
    }

    @Test(
        "labels that are no text, have no end, or are none at all are shown so that they do no harm"
    )
    func labels() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        #expect(try host.perform("adverse labels") == "staged")
        let text = try ask(host, "queues")
        let lines = text.split(separator: "\n").filter { $0.contains(" suspended ") }
        #expect(lines.count == 5, "\(text)")
        #expect(lines.contains { $0.contains("xxxx…") })
        #expect(lines.contains { $0.contains("\u{FFFD}a\u{FFFD}") }, "\(text)")
        #expect(lines.contains { $0.contains(#"adverse.\u{1B}[2J\u{202E}"#) }, "\(text)")
        #expect(!text.contains("\u{1B}"))
    }

    @Test("a thread with a filter of its own runs nothing of the agent's when it is interrupted")
    func filtered() throws {
        let host = try TestHost()
        #expect(try host.perform("adverse filtered") == "staged")
        for command in ["dump", "threads", "stuck"] {
            _ = try host.telltale(["\(host.pid)", command])
        }
        // Its filter would have ended the process.
        #expect(try stack(host, with: "test-filtered").contains("spinForGood"))
    }

    // x86-64: clone, wait4, sysinfo, ptrace, setsid, getsockname, getpeername, timer_create, sched_setaffinity,
    // sched_setattr, sched_getattr, close_range.
    @Test(
        "a filter after start() that ends the process at a call not made by then isn't met",
        arguments: [27, 56, 61, 99, 101, 112, 51, 52, 222, 203, 314, 315, 436])
    func killing(_ call: Int) throws {
        let host = try TestHost(["host-code"])
        try host.waitUntilLearnt()
        _ = try host.spin(1, calling: true, optimised: true)
        #expect(try host.perform("adverse kill \(call)") == "staged")
        // The agent's look at its own status holds for 100 ms.
        usleep(150_000)
        for command in [
            ["get", "answer"], ["status"], ["stack"], ["stuck"], ["dump"], ["info"],
            ["show", "photos"], ["heap"], ["types"], ["alive"], ["get", "ledger.sum"],
        ] {
            let outcome = try host.telltale(["--timeout", "10s", "\(host.pid)"] + command)
            try #require(host.isRunning, "\(command): \(outcome)")
            if command == ["stack"] {
                #expect(outcome.output.contains("a seccomp filter was installed"), "\(outcome)")
            }
            if command.last == "ledger.sum" {
                #expect(
                    outcome.errors.contains("under a seccomp filter that was installed after"),
                    "\(outcome)")
            }
        }
        host.send(SIGUSR1)
        try host.waitForError(containing: " END ")
    }

    // x86-64.
    @Test(
        "a filter that refuses a call by which the agent waits costs no core, and is said",
        arguments: [(7, "poll"), (45, "recvfrom"), (262, "newfstatat")])
    func refusing(_ call: Int, _ name: String) throws {
        let host = try TestHost()
        #expect(try host.perform("adverse refuse \(call)") == "staged")
        try host.waitForError(
            containing: "a seccomp filter refuses \(name): the agent answers no client")
        let (before, open) = (try ticks(host), try descriptors(host))
        sleep(1)
        // A second has a hundred ticks.
        #expect(try ticks(host) - before < 30)
        // Each of the twenty rounds would leave one.
        #expect(try descriptors(host) <= open + 10)
        #expect(host.isRunning)
    }

    /// The processor time of a host, in hundredths of a second.
    private func ticks(_ host: TestHost) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(host.pid)/stat", encoding: .utf8)
        let words = try #require(text.split(separator: ")").last).split(separator: " ")
        return try #require(Int(words[11])) + (try #require(Int(words[12])))
    }

    private func descriptors(_ host: TestHost) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.pid)/fd").count
    }

    @Test("owners that never answer the hang watch leave workers for those who ask")
    func locks() throws {
        let host = try TestHost()
        #expect(try host.perform("adverse locks 200") == "staged")
        let on = try host.telltale(["\(host.pid)", "watch", "stuck", "--every", "60s"])
        #expect(on.status == 0, "\(on.errors)")
        var workers = ""
        func busy() throws -> Int {
            let lines = try ask(host, "info").split(separator: "\n")
            workers = String(try #require(lines.first { $0.contains(" busy") }))
            return try #require(
                workers.split(separator: " ").dropLast().last.flatMap { Int($0) })
        }
        try waitUntil("the watch has asked many owners, not \(workers)") { try busy() >= 8 }
        // There are 64, of which the watch takes 16 at most, however long it runs.
        let end = MonotonicTime.now.advanced(by: .seconds(2))
        while .now < end { #expect(try busy() <= 20, "\(workers)") }
        #expect(try ask(host, "watch", "stuck", "off").contains("off"))
    }

    @Test("more queues than anybody reads are counted, in time")
    func crowd() throws {
        let host = try TestHost()
        #expect(try host.perform("adverse queues 100000") == "staged")
        let few = try TestHost()
        #expect(try few.perform("adverse queues 1000") == "staged")
        for host in [host, few] { try host.waitUntilLearnt() }
        var times: [(took: Double, control: Double)] = []
        repeat {
            var began = MonotonicTime.now
            _ = try ask(few, "queues")
            let control = MonotonicTime.now.since(began).seconds
            began = .now
            let text = try ask(host, "queues")
            times.append((MonotonicTime.now.since(began).seconds, control))
            #expect(text.contains("more queues are not listed"))
            // All were counted, or the answer says that they were not.
            let left = text.firstMatch(of: /(\d+) more queues/).flatMap { Int($0.output.1) } ?? 0
            #expect(left > 90_000 || text.contains("there is more than was counted"))
        } while !times.contains { $0.took < 8 } && times.count < 3
        // In time on a machine that is as fast as the one that lists a thousand in a second.
        #expect(times.contains { $0.took < 8 * min(3, max(1, $0.control)) }, "\(times)")
        for command in ["stuck", "timers", "dump"] { _ = try ask(host, command) }
    }

    @Test("a long chain of queues, and a million items that wait, are bounded")
    func chain() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        #expect(try host.perform("adverse chain 1000") == "staged")
        #expect(try host.perform("adverse items 1000000") == "staged")
        let lines = try ask(host, "queues").split(separator: "\n")
        #expect(lines.contains { $0.contains("adverse.chain.1000") })
        #expect(try ask(host, "queue", "adverse.items").contains("more"))
        for command in [["stuck", "--strict"], ["dump"]] {
            let outcome = try host.telltale(["--timeout", "60s", "\(host.pid)"] + command)
            #expect(outcome.status == (command.count > 1 ? 7 : 0), "\(outcome.errors)")
        }
    }

    @Test("ten thousand tasks, each a child of the last, are listed in time")
    func tree() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        #expect(try host.perform("adverse task-names") == "staged")
        #expect(try host.perform("adverse task-tree 10000") == "staged")
        let text = try ask(host, "tasks")
        #expect(text.contains("root of the tree"))
        #expect(text.contains(String(repeating: "n", count: 100)))
        #expect(!text.contains("\u{1B}"))
        #expect(try ask(host, "tasks", "--full").contains(" more"))
    }

    @Test("stacks that are gone, too long, on another stack, or before an exec are told")
    func stacks() throws {
        let host = try TestHost()
        for name in ["thread-name", "gone-stack", "deep-stack", "signal-stack"] {
            #expect(try host.perform("adverse \(name)") == "staged")
        }
        let pipe = try host.perform("adverse vfork")
        // The child waits for a writer, and would do so for good when its parent has gone.
        defer {
            let end = open(pipe, O_WRONLY | O_NONBLOCK)
            if end >= 0 { close(end) }
            unlink(pipe)
        }
        let deep = try stack(host, with: "Adversity.recurse(")
        #expect(deep.contains("the stack goes on beyond the 1 MiB"), "\(deep)")
        let handler = try stack(host, with: "Adversity.adverseHandler(")
        #expect(handler.contains("Adversity.adverseOuter("), "\(handler)")
        #expect(handler.contains("start_thread"), "\(handler)")
        #expect(try stack(host, with: "Adversity.blockInSpawn(").contains("posix_spawn"))
        let threads = try ask(host, "threads")
        #expect(threads.contains(#"\u{1B}[2J"#), "\(threads)")
        #expect(!threads.contains("\u{1B}"))
        #expect(host.isRunning)
    }

    @Test("a kernel that refuses to read memory the quick way is asked the other way")
    func refusal() throws {
        let host = try TestHost(["no-reading"])
        try host.waitUntilLearnt()
        try host.perform("dispatch stage")
        let parked = try host.park("poll")
        let stack = try ask(host, "stack", "\(parked.first?.thread ?? 0)")
        #expect(stack.contains("parkPollOuter("), "\(stack)")
        let spinning = try host.spin(1, calling: true, optimised: true)
        _ = try spinningStack(host, spinning.first?.thread, with: "spinCallingOuter(")
        try host.perform("spin-stop")
        #expect(try ask(host, "queues").contains("staged.suspended"))
    }

    @Test("a host without a descriptor is shown all the same, with names, and what is stuck")
    func descriptors() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        try host.perform("dispatch stage")
        let parked = try host.park("nslock")
        try host.perform("wedge descriptors")
        for _ in 0..<3 {
            let stack = try ask(host, "stack", "\(parked.last?.thread ?? 0)")
            #expect(stack.contains("parkLockInner("), "\(stack)")
            #expect(try ask(host, "threads").contains("(main)"))
            #expect(try ask(host, "queues").contains("staged.suspended"))
            let stuck = try host.telltale(["\(host.pid)", "stuck", "--strict"])
            #expect(stuck.status == 7, "\(stuck.output) \(stuck.errors)")
            #expect(stuck.output.contains("staged.suspended"), "\(stuck.output)")
        }
    }
}
#endif
