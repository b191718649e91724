#if DEBUG
import Glibc
import Synchronization
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

private let ticks = Atomic(0)

@_silgen_name("syscall") private func systemCall(
    _ number: Int, _ first: Int, _ second: UInt
) -> Int
#if arch(x86_64)
private let setGroups = 116
#else
private let setGroups = 159
#endif

/// A thread that runs until it is let go.
private final class Spinner: Sendable {
    private let goesOn = Atomic(true)
    private let place = TimedCondition<Int32?>(nil)

    init(blocksProfile: Bool = false, groups: Int = 0) throws {
        try NativeThread.start(name: "test-spin") { [self] in
            // The system's own call, which is for this thread alone.
            if groups > 0 {
                let all = (0..<groups).map { 4_000_000_000 + UInt32($0) }
                _ = all.withUnsafeBufferPointer {
                    systemCall(setGroups, groups, UInt(bitPattern: $0.baseAddress))
                }
            }
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGPROF)
            pthread_sigmask(blocksProfile ? SIG_BLOCK : SIG_UNBLOCK, &set, nil)
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

/// The effect of interrupting running threads by SIGPROF on the host's own use of it, and on its
/// calls.
@Suite(.serialized)
struct ThreadInterruptTests {
    private static func soon() -> MonotonicTime { .now.advanced(by: .seconds(30)) }

    private static func handler() -> sigaction {
        var current = sigaction()
        sigaction(SIGPROF, nil, &current)
        return current
    }

    /// The signal has its default action. After an answer that came late the agent restores it at
    /// its next occasion.
    ///
    /// - Returns: `true` if it was so at once.
    @discardableResult
    private static func waitForDefault(_ table: ThreadCapture = ThreadCapture()) throws -> Bool {
        if isDefault(handler()) { return true }
        try waitUntil("SIGPROF has its default action") {
            _ = table.giveSignalBack()
            return isDefault(handler())
        }
        return false
    }

    /// Looks at a running thread, and again where a busy machine gave it no core in time.
    private static func capture(_ table: ThreadCapture, at id: Int32) throws -> ThreadFacts? {
        var sample: ThreadFacts?
        try waitUntil("the thread has had a core to answer on") {
            sample = table.capture(.only([id]), until: soon()).threads.first
            return sample?.gap != "it is running, and did not answer SIGPROF in time"
        }
        return sample
    }

    /// Returns the pending signals, for a thread or (`ShdPnd`) for any of them.
    private static func pending(_ key: String, of thread: Int32) -> UInt64? {
        let status = SmallFile.text(of: "/proc/self/task/\(thread)/status") ?? ""
        return ProcessFiles.value(of: key, in: status).flatMap { UInt64($0, radix: 16) }
    }

    private static let profile: UInt64 = 1 << UInt64(SIGPROF - 1)

    /// Returns whether a thread waits in a call, and not for one of the test's own locks.
    private static func isInItsCall(_ thread: Int32) -> Bool {
        let call = SmallFile.text(of: "/proc/self/task/\(thread)/syscall") ?? ""
        guard let number = call.split(separator: " ").first.flatMap({ Int($0) }) else {
            return false
        }
        return ["clock_nanosleep", "nanosleep", "poll", "ppoll"]
            .contains(SystemCallNames.name(of: number))
    }

    private static func isDefault(_ action: sigaction) -> Bool {
        action.__sigaction_handler.sa_handler == nil
    }

    @Test("the default action of SIGPROF is back after each capture, and never taken")
    func givesBack() throws {
        _ = ThreadLayout.known(by: .now.advanced(by: .seconds(30)))
        try Self.waitForDefault()
        let spinner = try Spinner()
        defer { spinner.end() }
        let id = try #require(spinner.id)
        let table = ThreadCapture()
        var atOnce = 0
        for _ in 0..<50 {
            let sample = try Self.capture(table, at: id)
            #expect(sample?.gap == nil)
            #expect(sample?.state == .running)
            if try Self.waitForDefault(table) { atOnce += 1 }
        }
        #expect(atOnce > 0)
    }

    @Test("a profiler of the host's goes on while threads are looked at")
    func profiler() throws {
        _ = ThreadLayout.known(by: .now.advanced(by: .seconds(30)))
        _ = ticks.load(ordering: .relaxed)
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
        spinner.end()
        timer = itimerval()
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        // The last tick must not find the action that is put back.
        try waitUntil("no tick is on its way") {
            Self.pending("ShdPnd", of: Int32(NativeThread.currentID)).map { $0 & Self.profile }
                == 0
        }
        #expect(ticks.load(ordering: .relaxed) >= 100)
        #expect(asked > 0)
        try waitUntil("the host's handler is back") {
            _ = table.giveSignalBack()
            return Self.handler().sa_flags & SA_SIGINFO == 0
        }
        #expect(!Self.isDefault(Self.handler()))
    }

    @Test("a thread that blocks SIGPROF is listed so, and has none pending")
    func blocked() throws {
        _ = ThreadLayout.known(by: .now.advanced(by: .seconds(30)))
        let spinner = try Spinner(blocksProfile: true)
        defer { spinner.end() }
        let id = try #require(spinner.id)
        let captured = ThreadCapture().capture(.only([id]), until: Self.soon())
        #expect(captured.threads.first?.gap == "it is running, and blocks SIGPROF")
        #expect(captured.threads.first?.frames.isEmpty == true)
        #expect(captured.interrupted == 0)
        #expect(Self.pending("SigPnd", of: id).map { $0 & Self.profile } == 0)
    }

    @Test(
        "what a thread blocks is found behind the groups that it is in, however many",
        .enabled(if: geteuid() == 0), arguments: [false, true])
    func groups(blocks: Bool) throws {
        _ = ThreadLayout.known(by: .now.advanced(by: .seconds(30)))
        let spinner = try Spinner(blocksProfile: blocks, groups: 20_000)
        defer { spinner.end() }
        let id = try #require(spinner.id)
        let status = SmallFile.text(of: "/proc/self/task/\(id)/status", limit: 1 << 20) ?? ""
        #expect(status.utf8.count > 200_000)
        let sample = try #require(try Self.capture(ThreadCapture(), at: id))
        #expect(sample.gap == (blocks ? "it is running, and blocks SIGPROF" : nil))
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
