import TelltaleAgentSystem
import Testing

@testable import TelltaleAgent

/// The clocks of a thread that looks at them every 50 ms.
struct PauseDetectorTests {
    private static func sample(
        _ milliseconds: UInt64, used: UInt64 = 0, delayed: UInt64 = 0, slept: UInt64 = 0
    ) -> PauseDetector.Sample {
        PauseDetector.Sample(
            time: MonotonicTime(nanoseconds: milliseconds * 1_000_000),
            sinceBoot: (milliseconds + slept) * 1_000_000, processorTime: used * 1_000_000,
            runDelay: delayed * 1_000_000)
    }

    private let tick = Duration.milliseconds(50)

    @Test("ticks that come in time are no pause")
    func quiet() {
        var detector = PauseDetector(tick: tick, now: Self.sample(0))
        for step in 1...20 {
            #expect(detector.look(Self.sample(UInt64(step) * 55), continued: nil) == nil)
        }
    }

    @Test("time in which the thread waited for a core is not counted as a stop for certain")
    func delayed() throws {
        var detector = PauseDetector(tick: tick, now: Self.sample(0))
        let told = detector.look(
            Self.sample(1260, delayed: 170), continued: Self.sample(1260).time)
        let pause = try #require(told)
        #expect(pause.atLeast == .milliseconds(1260 - 50 - 5 - 170))
        #expect(pause.atMost == .milliseconds(1260))
    }

    @Test("a gap that SIGCONT ends is told at once, with an interval of a tick and the slack")
    func stopped() throws {
        var detector = PauseDetector(tick: tick, now: Self.sample(0))
        let told = detector.look(Self.sample(1040), continued: Self.sample(1030).time)
        let pause = try #require(told)
        #expect(pause.atMost == .milliseconds(1030))
        #expect(pause.atLeast == .milliseconds(975))
        #expect(pause.wasContinued)
    }

    @Test("a gap without SIGCONT waits one tick for it")
    func debugger() throws {
        var detector = PauseDetector(tick: tick, now: Self.sample(0))
        let quiet1 = detector.look(Self.sample(1000), continued: nil)
        #expect(quiet1 == nil)
        #expect(detector.isUndecided)
        let told = detector.look(Self.sample(1050), continued: nil)
        let pause = try #require(told)
        #expect(!pause.wasContinued)
        let quiet2 = detector.look(Self.sample(1100), continued: nil)
        #expect(quiet2 == nil)
    }

    @Test("a thread that waited for a core was not stopped")
    func starved() {
        var detector = PauseDetector(tick: tick, now: Self.sample(0))
        let quiet3 = detector.look(Self.sample(1000, delayed: 960), continued: nil)
        #expect(quiet3 == nil)
        #expect(!detector.isUndecided)
    }

    @Test("a busy process that was stopped is told when SIGCONT comes after the gap is seen")
    func busyAndStopped() throws {
        var detector = PauseDetector(tick: tick, now: Self.sample(0))
        let quiet4 = detector.look(Self.sample(330, used: 100), continued: nil)
        #expect(quiet4 == nil)
        let quiet5 = detector.look(Self.sample(340, used: 100), continued: nil)
        #expect(quiet5 == nil)
        let told = detector.look(Self.sample(341, used: 100), continued: Self.sample(340).time)
        let pause = try #require(told)
        #expect(pause.atMost == .milliseconds(330))
        #expect(pause.wasContinued)
    }

    @Test("a busy process with late ticks is no pause")
    func busy() {
        var detector = PauseDetector(tick: tick, now: Self.sample(0))
        for step in 1...20 {
            let at = UInt64(step) * 200
            let quiet6 = detector.look(Self.sample(at, used: at), continued: nil)
            #expect(quiet6 == nil)
        }
    }

    @Test("the time that the machine slept counts")
    func sleep() throws {
        var detector = PauseDetector(tick: tick, now: Self.sample(0))
        let quiet7 = detector.look(Self.sample(60, slept: 5000), continued: nil)
        #expect(quiet7 == nil)
        let told = detector.look(Self.sample(110, slept: 5000), continued: nil)
        let pause = try #require(told)
        #expect(pause.machineSlept)
        #expect(pause.atMost == .milliseconds(5060))
    }
}
