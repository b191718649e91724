import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Real signals to real processes. Serialized: each starts processes, and the machine has two cores.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SignalTests {
    @Test("a signal that comes the moment start() has returned is answered, 100 of 100")
    func signalRightAfterStart() throws {
        for _ in 0..<100 {
            let host = try TestHost(["storm"])
            let text = try host.waitForError(containing: " END ")
            #expect(text.contains(" d1 BEGIN "))
            #expect(text.contains(" d1 by SIGUSR1 from pid=\(host.pid)"))
            #expect(host.isRunning)
        }
    }

    @Test("the host's earlier handler runs, and the dump is made too")
    func earlierHandler() throws {
        let host = try TestHost(["earlier-handler"])
        host.send(SIGUSR1)
        try host.waitForError(containing: " END ")
        try host.wait(for: "earlier", toBe: "1")
    }

    @Test("after stop() the signal sets are what they were before start()")
    func stopGivesBack() throws {
        let host = try TestHost(["unstarted", "earlier-handler"])
        // The C library takes a signal of its own with a process's first thread.
        #expect(try host.perform("earlier") == "0")
        // A thread that creates a thread has all signals blocked for a moment.
        var before = Self.signalSets(host.pid)
        try waitUntil("main blocks no signal") {
            before = Self.signalSets(host.pid)
            return before["SigBlk"] == 0
        }
        #expect(try host.perform("start") == "running")
        #expect(Self.signalSets(host.pid)["SigCgt"] != before["SigCgt"])
        #expect(try host.perform("stop") == "stopped")
        try waitUntil("the sets are \(before), not \(Self.signalSets(host.pid))") {
            Self.signalSets(host.pid) == before
        }
        host.send(SIGUSR1)
        try host.wait(for: "earlier", toBe: "1")
    }

    @Test("after stop() a signal has its default effect again")
    func stopGivesTheDefaultBack() throws {
        let host = try TestHost()
        #expect(try host.perform("stop") == "stopped")
        host.send(SIGUSR1)
        #expect(host.waitForEndingSignal() == SIGUSR1)
    }

    @Test(
        "a child has the signal masks that it would have without the agent",
        arguments: ["main", "worker", "task"])
    func childMasks(_ thread: String) throws {
        let host = try TestHost(["unstarted"])
        let without = try host.perform("masks \(thread)")
        #expect(try host.perform("start") == "running")
        #expect(try host.perform("masks \(thread)") == without)
    }

    @Test(
        "a child ignores the signals that it would ignore without the agent, and that they are left is said",
        arguments: ["handler", "dispatchSource"])
    func ignored(_ delivery: String) throws {
        let host = try TestHost(
            ["unstarted", "ignoring"], environment: ["TELLTALE_SIGNAL_DELIVERY": delivery])
        let without = try ["main", "worker"].map { try host.perform("masks \($0)") }
        #expect(try host.perform("start") == "running")
        #expect(try ["main", "worker"].map { try host.perform("masks \($0)") } == without)
        let status = try host.perform("status")
        for name in ["SIGUSR1", "SIGUSR2", "SIGCONT"] {
            #expect(status.contains("the host ignores \(name)"), "\(status)")
        }
        for signal in [SIGUSR1, SIGUSR2, SIGCONT] { host.send(signal) }
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test(
        "SIGSTOP for a second gives one report, 20 of 20; its interval holds the length to 5 ms in 10"
    )
    func pauseIsMeasured() throws {
        let host = try TestHost()
        var widths: [Double] = []
        var exact = 0
        for _ in 0..<20 {
            let sent = MonotonicTime.now
            host.send(SIGSTOP)
            try waitUntil("the host is stopped") { ProcessFiles(pid: host.pid).stat?.state == "T" }
            let stopped = MonotonicTime.now
            // The fault being staged: the process is stopped for this long.
            usleep(1_000_000)
            let continues = MonotonicTime.now
            host.send(SIGCONT)
            let continued = MonotonicTime.now
            let text = try host.waitForError(
                containing: "lldb: plain = ", stoppedBy: ProcessIdentity.pid)
            let interval = try #require(Self.interval(in: text))
            // Between these two is the true length. What the kernel takes to wake it is not ours.
            let shortest = continues.since(stopped).seconds
            let longest = continued.since(sent).seconds
            #expect(interval.upperBound >= shortest - 0.005)
            #expect(interval.lowerBound <= MonotonicTime.now.since(sent).seconds)
            if interval.lowerBound <= longest + 0.005 { exact += 1 }
            #expect(text.components(separatedBy: "RESUMED").count == 2, "\(text)")
            #expect(text.contains("stopped by SIGSTOP or SIGTSTP, continued by pid="))
            widths.append(interval.upperBound - interval.lowerBound)
        }
        // A statistical bound: on a loaded machine the kernel wakes the process later than 5 ms after SIGCONT.
        #expect(exact >= 10)
        // A heartbeat, and the machine's time to wake it.
        #expect(widths.sorted()[widths.count / 4] <= 0.510, "\(widths)")
    }

    @Test("with a heartbeat of 50 ms a pause is known as closely")
    func closeHeartbeat() throws {
        let host = try TestHost(environment: ["TELLTALE_HEARTBEAT": "50"])
        var widths: [Double] = []
        for _ in 0..<4 {
            host.send(SIGSTOP)
            try waitUntil("the host is stopped") { ProcessFiles(pid: host.pid).stat?.state == "T" }
            usleep(300_000)
            host.send(SIGCONT)
            let text = try host.waitForError(
                containing: "lldb: plain = ", stoppedBy: ProcessIdentity.pid)
            let interval = try #require(Self.interval(in: text))
            widths.append(interval.upperBound - interval.lowerBound)
        }
        #expect(widths.min().map { $0 <= 0.060 } == true, "\(widths)")
    }

    @Test(
        "each registered object greets after a pause, with its address and the cast for a debugger")
    func greetings() throws {
        let host = try TestHost()
        host.send(SIGSTOP)
        try waitUntil("the host is stopped") { ProcessFiles(pid: host.pid).stat?.state == "T" }
        usleep(300_000)
        host.send(SIGCONT)
        let text = try host.waitForError(
            containing: "lldb: plain = ", stoppedBy: ProcessIdentity.pid)
        for (name, type) in [("photos", "PhotoLibrary"), ("store", "Store"), ("cache", "Cache")] {
            let pattern =
                "lldb: \(name) = "
                + "unsafeBitCast\\(0x[0-9a-f]+, to: telltale_test_host\\.\(type)\\.self\\)"
            #expect(text.range(of: pattern, options: .regularExpression) != nil, "\(name): \(text)")
        }
    }

    @Test(
        "a debugger's pause is told, and the debugger is named while it is attached",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gdb"), "gdb is missing")
    )
    func debuggersPause() throws {
        let host = try TestHost(["faces"])
        // Started with a clean mask: one that inherits a task's never hears of its children.
        let detached = try StartedProgram(
            "/usr/bin/gdb",
            ["-nx", "-p", "\(host.pid)", "-batch", "-ex", "shell sleep 1", "-ex", "detach"])
        let text = try host.waitForError(containing: "lldb: plain = ")
        #expect(try #require(Self.interval(in: text)).upperBound >= 1)
        _ = detached.waitUntilExit()

        let attached = try StartedProgram(
            "/usr/bin/gdb",
            ["-nx", "-p", "\(host.pid)", "-batch", "-ex", "shell sleep 1", "-ex", "continue"])
        defer { attached.send(StartedProgram.terminate) }
        try host.waitForError(containing: "debugger=gdb(\(attached.pid))")
        // The tutorials' own use: a handler on SIGCONT that asks which process traces this one.
        let tracer = "\(attached.pid):gdb"
        try host.wait(for: "heard", toBe: "with '\(tracer)'") { $0.contains(tracer) }
    }

    @Test("host handlers hear a signal once on their queue, with its sender")
    func faces() throws {
        let host = try TestHost(["faces"])
        host.send(SIGUSR1)
        try host.waitForError(containing: " END ")
        // The other handlers may be told of a pause that is the machine's doing.
        func heard() throws -> [String] {
            try host.perform("heard").components(separatedBy: " | ")
                .filter { $0.hasPrefix("usr1 ") }
        }
        try waitUntil("the host's handler was called") { try !heard().isEmpty }
        #expect(try heard() == ["usr1 1 \(ProcessIdentity.pid) no pause no tracer"])
    }

    @Test("a source that the host made first is shared: both get every signal")
    func sharedSource() throws {
        let host = try TestHost(["own-source"])
        #expect(try host.perform("status").contains("dispatch source for SIGUSR1, which is shared"))
        try host.signalUntilDumped()
        let text = try host.waitForError(containing: " END ")
        #expect(text.contains("by SIGUSR1 from an unknown sender"), "\(text)")
    }

    @Test("SignalDelivery.dispatchSource makes the dump too, and stop() gives the signal back")
    func dispatchSourceDelivery() throws {
        let host = try TestHost(environment: ["TELLTALE_SIGNAL_DELIVERY": "dispatchSource"])
        // Dispatch arms it on a thread of its own; until then the signal is ignored.
        try waitUntil("SIGUSR1 is caught") {
            Self.signalSets(host.pid)["SigCgt"].map { $0 & 1 << 9 } != 0
        }
        host.send(SIGUSR1)
        try host.waitForError(containing: " END ")
        #expect(try host.perform("stop") == "stopped")
        host.send(SIGUSR1)
        #expect(host.waitForEndingSignal() == SIGUSR1)
    }

    @Test("a signal that the main thread blocks is left alone, and that is said")
    func blockedSignal() throws {
        let host = try TestHost(["blocked"])
        #expect(try host.perform("status").contains("the main thread blocks SIGUSR1"))
    }

    @Test("a handler that is put over ours later is left alone, and that is said")
    func replacedHandler() throws {
        let host = try TestHost()
        #expect(try host.perform("take") == "taken")
        #expect(try host.perform("status").contains("somebody has replaced the agent's handler"))
        host.send(SIGUSR1)
        try host.wait(for: "earlier", toBe: "1")
    }

    @Test("signals can be moved and switched off")
    func movedSignals() throws {
        let host = try TestHost(environment: [
            "TELLTALE_DUMP_SIGNAL": "RTMIN+3", "TELLTALE_STATUS_SIGNAL": "none",
        ])
        host.send(37)
        #expect(try host.waitForError(containing: " END ").contains("by SIGRTMIN+3"))
        host.send(SIGUSR2)
        #expect(host.waitForEndingSignal() == SIGUSR2)
    }

    @Test("the status signal prints one line")
    func statusLine() throws {
        let host = try TestHost()
        host.send(SIGUSR2)
        let text = try host.waitForError(containing: " up=", stoppedBy: ProcessIdentity.pid)
        #expect(text.split(separator: "\n").count == 1, "\(text)")
        #expect(text.contains("telltale-test-host(\(host.pid)) running up="))
    }

    @Test("a burst is merged, the last signal is answered, and what was merged is counted")
    func burst() throws {
        let host = try TestHost(["counting-handler"])
        for _ in 0..<200 { host.send(SIGUSR1) }
        var dumps = DumpedText(text: try host.waitForError(containing: " END "))
        let last = Quantity.moment(nanoseconds: WallClock.nanoseconds)
        host.send(SIGUSR1)
        while !dumps.beginnings.contains(where: { $0 >= last }) {
            dumps.text += try host.waitForError(containing: " END ")
        }
        // Signals that the kernel merged before delivery are unknown; delivered ones are recorded.
        let delivered = try #require(Int(try host.perform("earlier")))
        #expect((2...201).contains(delivered))
        while dumps.answered < delivered {
            dumps.text += try host.waitForError(containing: " END ")
        }
        #expect(dumps.answered == delivered)
        #expect(dumps.beginnings.count < delivered || delivered == 2)
        #expect(host.isRunning)
    }

    @Test("a forked child that doesn't start the agent dies of the signal as if there were none")
    func forkedChild() throws {
        let host = try TestHost()
        let child = try #require(Int32(try host.perform("fork plain")))
        kill(child, SIGUSR1)
        // Its parent doesn't wait for it, so it stays as a zombie.
        try waitUntil("the child has ended") {
            ProcessFiles(pid: child).stat?.state ?? "Z" == "Z"
        }
        #expect(host.isRunning)
        let sockets = SocketDirectory(path: host.directory).sockets()
        #expect(sockets.map(\.pid) == [host.pid])
    }

    @Test("a forked child that starts the agent has one of its own")
    func forkedChildWithAgent() throws {
        // The owners that are queues have no threads in the child.
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "500"])
        let child = try #require(Int32(try host.perform("fork start")))
        defer { kill(child, SIGKILL) }
        try waitUntil("the child has a socket") {
            SocketDirectory(path: host.directory).sockets().contains { $0.pid == child }
        }
        kill(child, SIGUSR1)
        let text = try host.waitForError(containing: "telltale[\(child)] d1 END")
        #expect(!text.contains("telltale[\(host.pid)] d1"))
    }

    private static func signalSets(_ pid: Int32) -> [String: UInt64] {
        let text = ProcessFiles(pid: pid).statusText ?? ""
        var sets: [String: UInt64] = [:]
        for name in ["SigBlk", "SigIgn", "SigCgt"] {
            sets[name] = ProcessFiles.value(of: name, in: text).flatMap { UInt64($0, radix: 16) }
        }
        return sets
    }

    private static func interval(in text: String) -> ClosedRange<Double>? {
        guard let match = text.firstMatch(of: /RESUMED after ([0-9.]+) to ([0-9.]+) s/),
            let low = Double(match.1), let high = Double(match.2), low <= high
        else { return nil }
        return low...high
    }
}
