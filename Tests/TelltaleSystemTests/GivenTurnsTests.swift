#if DEBUG
import Glibc
import Synchronization
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The duration of agent work in time slices, and its share of a core.
///
/// Only processor time is measured: whatever else the machine does, both threads are on one core.
@Suite(.serialized, .timeLimit(.minutes(1))) struct GivenTurnsTests {
    private static var used: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Some of what long work is made of.
    private static func work() {
        var words = (0, 0)
        withUnsafeMutableBytes(of: &words) {
            let address = UInt(bitPattern: $0.baseAddress)
            let target = UnsafeMutableRawBufferPointer(rebasing: $0[8...])
            _ = GuardedReading.read(address: address, into: target)
        }
    }

    /// Keeps the calling thread on the first core that it may use; as a batch thread, its wake-up
    /// preempts no other thread.
    private static func keepOnFirstCore(inBatches: Bool = false) {
        let thread = NativeThread.currentID
        let batches = inBatches ? "&& chrt --batch -p 0 \(thread)" : ""
        let shell = try? StartedProgram(
            "/bin/sh",
            [
                "-c",
                "c=$(taskset -cp \(thread) | sed 's/.*: //; s/[,-].*//') "
                    + "&& taskset -cp $c \(thread) \(batches)",
            ])
        _ = shell?.readToEnd(until: .now.advanced(by: .seconds(10)))
        #expect(shell?.waitUntilExit() == 0, "taskset and chrt of util-linux are needed")
    }

    private static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result
    ) throws -> Result {
        let result = TimedCondition<Result?>(nil)
        try NativeThread.start(name: "turns") {
            keepOnFirstCore()
            let made = body()
            result.update { $0 = made }
        }
        return try #require(result.wait(until: .now.advanced(by: .seconds(50))) { $0 })
    }

    @Test("who waits for the core has it after a turn, and not after a slice")
    func waiting() throws {
        let asked = TimedCondition(0)
        let answered = Atomic(0)
        try NativeThread.start(name: "answers") {
            Self.keepOnFirstCore(inBatches: true)
            for round in 1...21 {
                _ = asked.wait(until: .distantFuture) { $0 >= round ? true : nil }
                answered.store(round, ordering: .releasing)
            }
        }
        try Self.onThread {
            NativeThread.givingCore {
                var took: [Duration] = []
                for round in 1...21 {
                    asked.update { $0 = round }
                    let began = Self.used
                    while answered.load(ordering: .acquiring) < round { Self.work() }
                    took.append(Self.used - began)
                }
                let median = took.sorted()[10]
                #expect(median < .milliseconds(1), "\(took)")
            }
        }
    }

    @Test("a core that somebody else wants for good is shared with it")
    func shared() throws {
        let isOver = Atomic(false)
        let hasBegun = Atomic(false)
        let others = TimedCondition<Duration?>(nil)
        try NativeThread.start(name: "spins") {
            Self.keepOnFirstCore()
            while !isOver.load(ordering: .relaxed) { hasBegun.store(true, ordering: .relaxed) }
            let used = Self.used
            others.update { $0 = used }
        }
        let own = try Self.onThread { () -> Duration in
            while !hasBegun.load(ordering: .relaxed) { sched_yield() }
            return NativeThread.givingCore {
                let began = Self.used
                while Self.used - began < .milliseconds(60) { Self.work() }
                isOver.store(true, ordering: .relaxed)
                return Self.used - began
            }
        }
        let spent = try #require(
            others.wait(until: .now.advanced(by: .seconds(50))) { $0 })
        // Turns that are given without a bound give away a slice each, a hundred times as much.
        #expect(spent < own * 4 + .milliseconds(60), "\(spent) beside \(own)")
    }
}
#endif
