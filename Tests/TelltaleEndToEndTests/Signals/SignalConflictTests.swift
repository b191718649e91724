import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Signals that the host uses itself, and the cost of ours to it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SignalConflictTests {
    // Waits until the main thread is in its call: nothing else shows which thread the kernel will
    // choose.
    private func sitting(_ options: [String]) throws -> TestHost {
        // Objects of the main actor do not answer while main is in its call; they are not asked
        // for.
        let host = try TestHost(options, environment: ["TELLTALE_OWNER_DEADLINE": "200"])
        let main = ProcessFiles(pid: host.pid)
        let spins = options.contains("sit=blocked-for-a-moment")
        try host.wait(for: "sits", toBe: "true")
        if !spins { try waitUntil("main is in its call") { main.stat?.state == "S" } }
        return host
    }

    @Test("a dispatch source that the host makes after start() is shared: both get every signal")
    func lateSource() throws {
        let host = try TestHost()
        #expect(try host.perform("late-source") == "made")
        let shared = "dispatch source for SIGUSR1, which is shared"
        try host.wait(for: "status", toBe: "with '\(shared)'") { $0.contains(shared) }
        let heard = try host.signalUntilDumped()
        var text = try host.waitForError(containing: " END ")
        while DumpedText(text: text).answered < 1 || !text.contains(" d1 END ") {
            text += try host.waitForError(containing: " END ")
        }
        let before = DumpedText(text: text).answered
        for number in 1...3 {
            host.send(SIGUSR1)
            try host.wait(for: "earlier", toBe: "\(heard + number)")
        }
        while DumpedText(text: text).answered < before + 3 {
            text += try host.waitForError(containing: " END ")
        }
        #expect(try !host.perform("status").contains("replaced"))
        // The host's source is there as before, also after the agent's end.
        #expect(try host.perform("stop") == "stopped")
        host.send(SIGUSR1)
        try host.wait(for: "earlier", toBe: "\(heard + 4)")
        #expect(host.isRunning)
    }

    @Test("a signal that the host blocks everywhere and waits for is the host's, each of them")
    func sigwait() throws {
        let host = try sitting(["blocked", "sit=sigwait"])
        #expect(try host.perform("status").contains("the main thread blocks SIGUSR1"))
        for number in 1...100 {
            host.send(SIGUSR1)
            try host.wait(for: "waited", toBe: "\(number)")
        }
        // The others are the agent's as ever.
        host.send(SIGUSR2)
        let text = try host.waitForError(
            containing: " running up=", stoppedBy: ProcessIdentity.pid)
        #expect(!text.contains("BEGIN"))
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test("a main thread that blocks the signal for a moment is waited for, as in dispatchMain()")
    func blockedForAMoment() throws {
        var heard = 0
        // A main thread that found no processor for 20 ms blocked the signal for more than a moment.
        for _ in 0..<12 where heard < 3 {
            let host = try sitting(["unstarted", "sit=blocked-for-a-moment"])
            #expect(try host.perform("start-meanwhile") == "running")
            if try host.perform("status").contains("the main thread blocks SIGUSR2") { continue }
            host.send(SIGUSR2)
            try host.waitForError(containing: " running up=", stoppedBy: ProcessIdentity.pid)
            heard += 1
        }
        #expect(heard == 3)
    }

    @Test("a host that comes to block the signal after start() is told that chance decides")
    func lateBlock() throws {
        let host = try sitting(["sit=sigwait-late"])
        // It sleeps for a moment, too, before it blocks the signal.
        let note = "the main thread blocks SIGUSR1 since start()"
        try host.wait(for: "status", toBe: "with '\(note)'") { $0.contains(note) }
        #expect(host.isRunning)
    }

    /// Returns the number of calls that the agent's own interruptions have ended early, as it
    /// reports it.
    private func endedEarly(_ host: TestHost) throws -> Int {
        let info = try host.telltale(["\(host.pid)", "info"]).output
        guard let match = info.firstMatch(of: /(\d+) calls ended early/) else { return 0 }
        return try #require(Int(match.1))
    }

    /// The statement of `Docs/Signals.md` about each call.
    @Test(
        "a signal to the process interrupts these calls of the main thread, once each",
        arguments: ["poll", "select", "epoll_wait", "nanosleep", "usleep", "recv-timeout"])
    func interruptedCalls(_ call: String) throws {
        let host = try sitting(["sit=\(call)"])
        for number in 1...2 {
            try waitUntil("main is in its call") {
                ProcessFiles(pid: host.pid).stat?.state == "S"
            }
            host.send(SIGUSR1)
            try host.waitForError(containing: " d\(number) END ")
            var (interrupted, early) = (0, 0)
            // A main thread that a dump finds running is asked by a signal as well, which is counted; both
            // may come in the same call.
            try waitUntil(
                "\(number) and at most \(early) calls more were interrupted: \(interrupted)"
            ) {
                interrupted = Int(try host.perform("interrupted")) ?? 0
                early = try endedEarly(host)
                return interrupted >= number && interrupted <= number + early
            }
        }
    }

    @Test(
        "these calls are begun again by the kernel, and the host sees nothing",
        arguments: ["read", "recv", "waitpid", "semaphore"])
    func restartedCalls(_ call: String) throws {
        let host = try sitting(["sit=\(call)"])
        for number in 1...2 {
            host.send(SIGUSR1)
            try host.waitForError(containing: " d\(number) END ")
        }
        let interrupted = try #require(Int(try host.perform("interrupted")))
        #expect(try interrupted <= endedEarly(host))
    }

    @Test(
        "a client's dump, and a signal to the agent's own thread, interrupt no call of the host",
        arguments: ["poll", "select", "epoll_wait", "nanosleep", "usleep", "recv-timeout"])
    func undisturbedCalls(_ call: String) throws {
        let host = try sitting(["sit=\(call)"])
        for _ in 1...2 { #expect(try host.telltale(["\(host.pid)", "dump"]).status == 0) }
        let interrupted = try #require(Int(try host.perform("interrupted")))
        #expect(try interrupted <= endedEarly(host))
    }

    @Test(
        "of 10,000 signals each that was delivered is counted, and the last one is answered",
        arguments: [0, 10, 100], [0, 50, 200])
    func burst(microseconds: UInt64, threads: Int) throws {
        let host = try TestHost(["counting-handler", "threads=\(threads / 2)"])
        try host.perform("threads \(threads - threads / 2)")
        // A pipe that is full while the signals are sent would cost lines.
        try host.readErrorsAllTheTime()
        let began = MonotonicTime.now
        for number in 1...10_000 as ClosedRange<UInt64> {
            host.send(SIGUSR1)
            // The rate that is being staged.
            while MonotonicTime.now.nanoseconds
                < began.nanoseconds + number * microseconds * 1000
            {}
        }
        // As a dump's first line has it: by the wall clock, to the millisecond.
        let last = Quantity.moment(nanoseconds: WallClock.nanoseconds)
        var dumps = DumpedText(text: "")
        while !dumps.beginnings.contains(where: { $0 >= last }) {
            dumps.text += try host.waitForError(containing: " END ")
        }
        #expect(host.isRunning)
        // A dump that a late delivery asked for may still come.
        let calls = try #require(Int(try host.perform("earlier")))
        while dumps.answered < calls {
            dumps.text += try host.waitForError(containing: " END ")
        }
        #expect(dumps.answered == calls)
        let count = dumps.beginnings.count
        #expect(calls >= 1 && calls <= 10_000)
        #expect(Duration.seconds(count - 2) <= MonotonicTime.now.since(began))
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
        print("burst: \(microseconds) us, \(threads) threads: \(calls) delivered, \(count) dumps")
    }
}
