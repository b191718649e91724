import Glibc
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `threads` and `stack` on a process whose threads are at known locations.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ThreadStackTests {
    /// Returns the problem of `output` as the stack of `parked`; `nil` if it is right.
    private static func problem(_ output: String, _ parked: TestHost.Parked) -> String? {
        var lines = output.split(separator: "\n")[...]
        for call in parked.chain {
            guard let place = lines.firstIndex(where: { $0.contains("\(call.function)(") }) else {
                return "\(parked.kind): no \(call.function) in \(output)"
            }
            guard lines[place].contains(":\(call.line)") else {
                return "\(parked.kind): \(lines[place]) is not line \(call.line)"
            }
            lines = lines[(place + 1)...]
        }
        return output.contains("(the ") ? "\(parked.kind) is not whole: \(output)" : nil
    }

    @Test(
        "the stack of each parked thread has all functions in order, with their lines",
        arguments: [false, true])
    func parked(optimised: Bool) throws {
        let host = try TestHost()
        let parked = try host.park("all", optimised: optimised).filter { $0.thread != nil }
        #expect(parked.count >= 12)
        for one in parked {
            let outcome = try host.telltale(["\(host.pid)", "stack", "\(one.thread ?? 0)"])
            #expect(outcome.status == 0)
            let problem = Self.problem(outcome.output, one)
            #expect(problem == nil)
        }
    }

    @Test("everything is seen after the main thread has ended while others go on")
    func withoutMainThread() throws {
        let host = try TestHost(["main-thread-ends"])
        try host.waitUntilLearnt()
        let parked = try #require(try host.park("poll").first)
        let stack = try host.telltale(["\(host.pid)", "stack", "\(parked.thread ?? 0)"])
        #expect(Self.problem(stack.output, parked) == nil)
        let queues = try host.telltale(["\(host.pid)", "queues"])
        #expect(queues.output.contains("test.photos"), "\(queues)")
        #expect(try host.telltale(["\(host.pid)", "tasks"]).status == 0)
    }

    @Test("threads with the same stack stand together, and `--full` shows each")
    func folding() throws {
        let host = try TestHost()
        let parked = try host.park("poll", count: 10)
        let folded = try host.telltale(["\(host.pid)", "stack"]).output
        #expect(folded.contains("10 threads: "))
        #expect(folded.split(separator: "\n").filter { $0.contains("parkPollInner(") }.count == 1)
        let full = try host.telltale(["\(host.pid)", "stack", "--full"]).output
        #expect(full.split(separator: "\n").filter { $0.contains("parkPollInner(") }.count == 10)
        for one in parked { #expect(full.contains("thread \(one.thread ?? 0) ")) }
    }

    @Test("`threads` shows main first, what each waits in, its queue and task")
    func threads() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        let blocked = try host.park("task-blocked")
        let sync = try host.park("sync")
        let output = try host.telltale(["\(host.pid)", "threads"]).output
        let lines = output.split(separator: "\n")
        #expect(lines.dropFirst().first?.contains("(main)") == true)
        func line(_ parked: TestHost.Parked?) -> Substring? {
            lines.first { $0.contains("\(parked?.thread ?? 0) ") }
        }
        #expect(line(blocked.last)?.contains("parked-task-blocked-0") == true)
        #expect(line(blocked.last)?.contains("clock_nanosleep") == true)
        #expect(line(sync.first)?.contains("test.parked") == true)
        #expect(output.contains("of the agent's own"))
        let all = try host.telltale(["\(host.pid)", "threads", "--all"]).output
        #expect(all.contains("(the agent's)"))
    }

    @Test("running threads are asked, and the service goes on")
    func running() throws {
        let host = try TestHost()
        let spinning = try host.spin(2, calling: true, optimised: true)
        for _ in 0..<20 {
            for one in spinning {
                // It has 400 ms to stop, which a thread without a processor has not; nothing else may keep
                // its functions out.
                var text = ""
                try waitUntil("the thread's functions are in \(text)", seconds: 20) {
                    text = try host.telltale(["\(host.pid)", "stack", "\(one.thread ?? 0)"]).output
                    let isThere = text.contains("spinCallingOuter(")
                    #expect(text.contains("running"), "\(text)")
                    #expect(isThere || text.contains("did not stop in time"), "\(text)")
                    return isThere
                }
            }
        }
        #expect(try host.telltale(["\(host.pid)", "info"]).output.contains("by ptrace"))
        try host.perform("spin-stop")
    }

    @Test("the dump has the stacks, folded, and a thread that isn't there is said")
    func dump() throws {
        let host = try TestHost()
        _ = try host.park("nslock", count: 5)
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " END ")
        #expect(text.contains(" THREADS "))
        #expect(text.contains("5 threads: "))
        #expect(text.contains("parkLockInner("))
        let outcome = try host.telltale(["\(host.pid)", "stack", "1"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("there is no thread 1"))
    }
}
