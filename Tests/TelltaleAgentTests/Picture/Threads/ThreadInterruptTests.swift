#if DEBUG
import Glibc
import Synchronization
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

private let ticks = Atomic(0)

/// A thread that runs until it is let go.
private final class Spinner: Sendable {
    private let goesOn = Atomic(true)
    private let place = TimedCondition<Int32?>(nil)

    init(blocksSignals: Bool = false) throws {
        try NativeThread.start(name: "test-spin") { [self] in
            var set = sigset_t()
            sigfillset(&set)
            pthread_sigmask(blocksSignals ? SIG_BLOCK : SIG_UNBLOCK, &set, nil)
            place.update { $0 = Int32(NativeThread.currentID) }
            while goesOn.load(ordering: .relaxed) {}
            place.update { $0 = nil }
        }
    }

    /// The kernel's id, once it runs.
    var id: Int32? { place.wait(until: .now.advanced(by: .seconds(30))) { $0 } }

    func end() {
        goesOn.store(false, ordering: .relaxed)
        _ = place.wait(until: .now.advanced(by: .seconds(30))) { $0 == nil ? true : nil }
    }
}

/// The effect of interrupting running threads on the host's signals and calls.
@Suite(.serialized)
struct ThreadInterruptTests {
    private static func soon() -> MonotonicTime { .now.advanced(by: .seconds(30)) }

    /// Looks at a running thread, and again where a busy machine gave it no core in time.
    private static func capture(_ table: ThreadCapture, at id: Int32) throws -> ThreadFacts? {
        var sample: ThreadFacts?
        try waitUntil("the thread has had a core to answer on") {
            sample = table.capture(.only([id]), until: soon()).threads.first
            return sample?.gap != "it is running, and did not stop in time"
        }
        return sample
    }

    /// Returns whether a thread waits in a call, and not for one of the test's own locks.
    private static func isInItsCall(_ thread: Int32) -> Bool {
        let call = SmallFile.text(of: "/proc/self/task/\(thread)/syscall") ?? ""
        guard let number = call.split(separator: " ").first.flatMap({ Int($0) }) else {
            return false
        }
        return ["clock_nanosleep", "nanosleep", "poll", "ppoll"]
            .contains(SystemCallNames.name(of: number))
    }

    private static func word(_ key: String, of thread: Int32) -> String? {
        let status = SmallFile.text(of: "/proc/self/task/\(thread)/status") ?? ""
        return ProcessFiles.value(of: key, in: status)
    }

    @Test(
        "a running thread is captured whatever it blocks, and gets no signal",
        arguments: [false, true])
    func spinning(blocks: Bool) throws {
        _ = ThreadLayout.known(by: Self.soon())
        let caught = ["SigCgt", "SigIgn"].map { Self.word($0, of: getpid()) }
        let spinner = try Spinner(blocksSignals: blocks)
        defer { spinner.end() }
        let id = try #require(spinner.id)
        let table = ThreadCapture()
        for _ in 0..<50 {
            let sample = try Self.capture(table, at: id)
            #expect(sample?.gap == nil)
            #expect(sample?.state == .running)
            #expect(sample?.frames.isEmpty == false)
            #expect(Self.word("SigPnd", of: id) == "0000000000000000")
        }
        #expect(["SigCgt", "SigIgn"].map { Self.word($0, of: getpid()) } == caught)
        #expect(Self.word("TracerPid", of: id) == "0")
    }

    @Test("a profiler's timer goes on while threads are looked at")
    func profiler() throws {
        _ = ThreadLayout.known(by: Self.soon())
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in ticks.add(1, ordering: .relaxed) }
        action.sa_flags = SA_RESTART
        var before = sigaction()
        sigaction(SIGPROF, &action, &before)
        defer { sigaction(SIGPROF, &before, nil) }
        let tick = timeval(tv_sec: 0, tv_usec: 2000)
        var timer = itimerval(it_interval: tick, it_value: tick)
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        let spinner = try Spinner()
        defer { spinner.end() }
        let id = try #require(spinner.id)
        let table = ThreadCapture()
        let deadline = Self.soon()
        var asked = 0
        while ticks.load(ordering: .relaxed) < 100 || asked == 0, .now < deadline {
            asked += table.capture(.only([id]), until: Self.soon()).interrupted
        }
        timer = itimerval()
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        // The last tick must not find the action that is put back.
        try waitUntil("no tick is on its way") {
            Self.word("ShdPnd", of: getpid()) == "0000000000000000"
        }
        #expect(ticks.load(ordering: .relaxed) >= 100)
        #expect(asked > 0)
    }

    @Test("a call that a thread is blocked in never ends early by being looked at")
    func noInterruption() throws {
        _ = ThreadLayout.known(by: .now.advanced(by: .seconds(30)))
        for milliseconds in [800, 3000, 12_000] {
            if try looksAtCalls(lasting: milliseconds) { return }
        }
        Issue.record("the calls ended before they had been looked at often enough")
    }

    // Returns whether they lasted until the captures had ended: else it isn't known which of those
    // saw a call.
    private func looksAtCalls(lasting milliseconds: Int) throws -> Bool {
        let results = TimedCondition<[Int32]>([])
        let ids = TimedCondition<[Int32]>([])
        let count = 8
        for index in 0..<count {
            try NativeThread.start(name: "test-wait") {
                ids.update { $0.append(Int32(NativeThread.currentID)) }
                // Neither is restarted after a signal.
                let result =
                    index % 2 == 0
                    ? usleep(UInt32(milliseconds) * 1000) : poll(nil, 0, Int32(milliseconds))
                results.update { $0.append(result) }
            }
        }
        let all = try #require(
            ids.wait(until: Self.soon()) { $0.count == count ? $0 : nil })
        let isStaged =
            (try? waitUntil("all are in their calls", seconds: 1) {
                all.allSatisfy { Self.isInItsCall($0) }
            }) != nil
        let table = ThreadCapture()
        var captures: [ThreadCapture.Result] = []
        while isStaged, captures.count <= 20 {
            captures.append(table.capture(.only(all), until: Self.soon()))
        }
        let hasLasted = isStaged && all.allSatisfy { Self.isInItsCall($0) }
        let codes = results.wait(until: Self.soon()) { $0.count == count ? $0 : nil }
        #expect(codes == Array(repeating: 0, count: count))
        guard hasLasted else { return false }
        for captured in captures {
            #expect(captured.interrupted == 0)
            #expect(captured.threads.allSatisfy { $0.gap == nil && !$0.frames.isEmpty })
        }
        return true
    }
}
#endif
