import Testing

@testable import TelltaleAgent
@testable import TelltaleSystem

/// Pauses are detected from the clocks of a thread that reads them every 500 ms, and from the
/// number of its sleeps.
struct PauseDetectorTests {
    private static func sample(
        _ milliseconds: UInt64, used: UInt64 = 0, delayed: UInt64 = 0, slept: UInt64 = 0,
        unsure: UInt64 = 0
    ) -> PauseDetector.Sample {
        PauseDetector.Sample(
            time: MonotonicTime(nanoseconds: milliseconds * 1_000_000),
            asleep: slept * 1_000_000...(slept + unsure) * 1_000_000,
            processorTime: used * 1_000_000, runDelay: delayed * 1_000_000)
    }

    private static let tick = Duration.milliseconds(500)
    private typealias Finding = PauseDetector.Finding

    /// Four samples without a SIGCONT, 50 ms apart, after which a stop is settled.
    private static func settle(
        _ detector: inout PauseDetector, from milliseconds: UInt64, slept: UInt64 = 0
    ) -> Finding {
        for step in 1...3 {
            let finding = detector.observe(
                sample(milliseconds + UInt64(step) * 50, slept: slept), sleep: .plain,
                continued: nil)
            guard finding == Finding() else { return finding }
        }
        return detector.observe(
            sample(milliseconds + 200, slept: slept), sleep: .plain, continued: nil)
    }

    private var detector = PauseDetector(tick: Self.tick, now: Self.sample(0))

    @Test("ticks that come in time are nothing")
    mutating func quiet() {
        for step in 1...20 {
            let finding = detector.observe(
                Self.sample(UInt64(step) * 505), sleep: .plain, continued: nil)
            #expect(finding == Finding())
        }
    }

    @Test(
        "a thread that slept once was not stopped, however late it is: that is a number and no line",
        arguments: [
            (615, 115), (670, 170), (700, 200), (1600, 1100), (30_500, 30_000),
        ] as [(UInt64, Int)])
    mutating func late(_ time: UInt64, _ late: Int) {
        let finding = detector.observe(Self.sample(time), sleep: .plain, continued: nil)
        #expect(finding == Finding(late: .milliseconds(late)))
        #expect(!detector.isUndecided)
    }

    @Test("so it is where it waited for a core, or the process computed")
    mutating func starved() {
        let starved = detector.observe(
            Self.sample(2000, used: 1500, delayed: 1400), sleep: .plain, continued: nil)
        #expect(starved == Finding(late: .milliseconds(1500)))
    }

    @Test("a stop that SIGCONT ends is told at once, with an interval of a tick and the slack")
    mutating func stopped() throws {
        let finding = detector.observe(
            Self.sample(1040), sleep: .held, continued: Self.sample(1030).time)
        let pause = try #require(finding.pause)
        #expect(pause.atMost == .milliseconds(1030))
        #expect(pause.atLeast == .milliseconds(525))
        #expect(pause.wasContinued)
    }

    @Test("so is one that was shorter than a tick")
    mutating func shortStop() throws {
        let finding = detector.observe(
            Self.sample(300), sleep: .held, continued: Self.sample(300).time)
        let pause = try #require(finding.pause)
        #expect(pause.atMost == .milliseconds(300))
        #expect(pause.atLeast == .zero)
    }

    @Test("SIGCONT to a process that was not stopped is no pause")
    mutating func continuedOnly() {
        let finding = detector.observe(
            Self.sample(300), sleep: .plain, continued: Self.sample(300).time)
        #expect(finding == Finding())
    }

    @Test("a stop that met the thread between two waits is told by the clock and SIGCONT")
    mutating func stoppedBetween() {
        let finding = detector.observe(
            Self.sample(1500), sleep: .plain, continued: Self.sample(1500).time)
        #expect(finding.pause?.wasContinued == true)
    }

    @Test("so is a debugger's, which shows in a sleep beside the wait; a shorter one is late")
    mutating func interruptedBetween() {
        _ = detector.observe(Self.sample(1510), sleep: .interrupted, continued: nil)
        let settled = Self.settle(&detector, from: 1510)
        #expect(settled.pause?.atMost == .milliseconds(1510))
        let short = detector.observe(Self.sample(2610), sleep: .interrupted, continued: nil)
        #expect(short == Finding(late: .milliseconds(400)))
    }

    @Test(
        "how the thread slept is told from four counts",
        arguments: [
            (7, 7, 8, 8, PauseDetector.Sleep.plain), (7, 7, 7, 7, .plain), (7, 7, 9, 9, .held),
            (7, 8, 9, 9, .interrupted), (7, 7, 8, 9, .interrupted), (7, 8, 10, 10, .held),
        ])
    func sleeps(_ last: Int, _ before: Int, _ after: Int, _ now: Int, _ sleep: PauseDetector.Sleep)
    {
        let wait = PollSet.Sleeps(before: before, after: after)
        #expect(PauseDetector.Sleep(last: last, wait: wait, now: now) == sleep)
        #expect(PauseDetector.Sleep(last: last, wait: nil, now: now) == .unknown)
    }

    @Test("a debugger's stop of a second waits for a SIGCONT, and is told without")
    mutating func debugger() throws {
        let first = detector.observe(Self.sample(1000), sleep: .held, continued: nil)
        #expect(first == Finding())
        #expect(detector.isUndecided)
        let settled = Self.settle(&detector, from: 1000)
        let pause = try #require(settled.pause)
        #expect(!pause.wasContinued)
        #expect(pause.atMost == .milliseconds(1000))
        #expect(!detector.isUndecided)
    }

    @Test("a stop below a second that no SIGCONT ended is a number and no line")
    mutating func shortDebugger() {
        _ = detector.observe(Self.sample(700), sleep: .held, continued: nil)
        let settled = Self.settle(&detector, from: 700)
        #expect(settled == Finding(late: .milliseconds(700)))
    }

    @Test("the SIGCONT may be heard after the stop is seen")
    mutating func lateSignal() throws {
        _ = detector.observe(Self.sample(330), sleep: .held, continued: nil)
        _ = detector.observe(Self.sample(340), sleep: .plain, continued: nil)
        let finding = detector.observe(
            Self.sample(341), sleep: .plain, continued: Self.sample(340).time)
        let pause = try #require(finding.pause)
        #expect(pause.atMost == .milliseconds(330))
        #expect(pause.wasContinued)
    }

    @Test("two stops in a row are two")
    mutating func twice() {
        _ = detector.observe(Self.sample(1500), sleep: .held, continued: nil)
        let first = detector.observe(Self.sample(3000), sleep: .held, continued: nil)
        #expect(first.pause?.atMost == .milliseconds(1500))
        let second = Self.settle(&detector, from: 3000)
        #expect(second.pause?.atMost == .milliseconds(1500))
    }

    @Test("time in which the thread waited for a core is none of the stop for certain")
    mutating func delayed() throws {
        let finding = detector.observe(
            Self.sample(1260, delayed: 170), sleep: .held, continued: Self.sample(1260).time)
        let pause = try #require(finding.pause)
        #expect(pause.atLeast == .milliseconds(1260 - 500 - 5 - 170))
        #expect(pause.atMost == .milliseconds(1260))
    }

    @Test("the time that the machine slept counts")
    mutating func sleep() throws {
        _ = detector.observe(Self.sample(510, slept: 5000), sleep: .plain, continued: nil)
        let settled = Self.settle(&detector, from: 510, slept: 5000)
        let pause = try #require(settled.pause)
        #expect(pause.machineSlept)
        #expect(pause.atMost == .milliseconds(5510))
        #expect(pause.atLeast == .milliseconds(5005))
    }

    @Test("a thread that lost its core between the two clocks saw no machine sleep")
    mutating func unsureSleep() {
        let finding = detector.observe(
            Self.sample(670, unsure: 170), sleep: .plain, continued: nil)
        #expect(finding == Finding(late: .milliseconds(170)))
        let next = detector.observe(Self.sample(1175), sleep: .plain, continued: nil)
        #expect(next == Finding())
    }

    @Test("a machine that slept less than a second is a number and no line")
    mutating func nap() {
        _ = detector.observe(Self.sample(505, slept: 170), sleep: .plain, continued: nil)
        let settled = Self.settle(&detector, from: 505, slept: 170)
        #expect(settled == Finding(late: .milliseconds(675)))
    }

    @Test("where nobody counts how often a thread sleeps, the clocks alone tell")
    mutating func clocksAlone() {
        let busy = detector.observe(Self.sample(2000, used: 1900), sleep: .unknown, continued: nil)
        #expect(busy == Finding(late: .milliseconds(1500)))
        _ = detector.observe(Self.sample(4000, used: 1900), sleep: .unknown, continued: nil)
        let settled = Self.settle(&detector, from: 4000)
        #expect(settled.pause?.atMost == .milliseconds(2000))
    }
}

/// The number of pauses reported one by one.
struct ReportBudgetTests {
    private static func time(_ seconds: UInt64) -> MonotonicTime {
        MonotonicTime(nanoseconds: seconds * 1_000_000_000)
    }
    private static let pause = PauseDetector.Pause(
        atLeast: .milliseconds(100), atMost: .milliseconds(600), wasContinued: true,
        machineSlept: false)

    @Test("twenty in a row are reported, the others are merged and told together with their number")
    func merges() throws {
        var budget = ReportBudget(now: Self.time(100))
        var told = 0
        for _ in 0..<50 where budget.takes(Self.pause, now: Self.time(100)) { told += 1 }
        #expect(told == 20)
        let early = budget.takesMerged(now: Self.time(129))
        #expect(early == nil)
        let all = budget.takesMerged(now: Self.time(130))
        let merged = try #require(all)
        #expect(
            merged
                == ReportBudget.Merged(
                    count: 30, atLeast: .seconds(3), atMost: .seconds(18)))
        let again = budget.takesMerged(now: Self.time(131))
        #expect(again == nil)
    }

    @Test("a service that is stopped ten times a second for a day has one line in half a minute")
    func allDay() {
        var budget = ReportBudget(now: Self.time(0))
        var lines = 0
        var pauses = 0
        for second in 0..<86_400 {
            for _ in 0..<10 {
                if budget.takes(Self.pause, now: Self.time(UInt64(second))) {
                    lines += 1
                    pauses += 1
                }
            }
            if let merged = budget.takesMerged(now: Self.time(UInt64(second))) {
                lines += 1
                pauses += merged.count
            }
        }
        #expect(lines <= 20 + 86_400 / 30)
        #expect(pauses > 860_000)
    }

    @Test("after a quiet time there are twenty again and no more")
    func refills() {
        var budget = ReportBudget(now: Self.time(0))
        for _ in 0..<20 { _ = budget.takes(Self.pause, now: Self.time(0)) }
        var told = 0
        for _ in 0..<40 where budget.takes(Self.pause, now: Self.time(100_000)) { told += 1 }
        #expect(told == 20)
    }
}
