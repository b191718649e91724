#if TELLTALE_AGENT
#if os(Linux)
import Dispatch
import Glibc
import Synchronization
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

@_silgen_name("syscall") private func systemCall(
    _ number: Int, _ first: Int, _ second: Int, _ third: UnsafeRawPointer
) -> Int

/// A thread that sleeps, having run on one core, and maybe one that then keeps that core to itself.
private final class Cores: Sendable {
    private let isOver = Atomic(false)
    let ids = TimedCondition<[Int32]>([])
    let isKept = TimedCondition<Bool?>(nil)

    static func stay() -> Bool {
        var core: UInt = 1
        return systemCall(203, 0, MemoryLayout<UInt>.size, &core) >= 0
    }

    init(isKept keeps: Bool) throws {
        try NativeThread.start(name: "test-rests") { [self] in
            _ = Self.stay()
            ids.update { $0.append(Int32(NativeThread.currentID)) }
            while !isOver.load(ordering: .relaxed) { usleep(10_000_000) }
        }
        try waitUntil("the thread sleeps") {
            let id = ids.update { $0.first ?? 0 }
            return SmallFile.text(of: "/proc/self/task/\(id)/stat")?.contains(") S ")
                == true
        }
        guard keeps else { return }
        try NativeThread.start(name: "test-keeps") { [self] in
            var priority = sched_param(sched_priority: 50)
            let isKept =
                Self.stay()
                && pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0
            self.isKept.update { $0 = isKept }
            while isKept, !isOver.load(ordering: .relaxed) {}
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
}

@Suite(.serialized)
struct OffCPUTimesTests {
    private static var soon: MonotonicTime { .now.advanced(by: .seconds(30)) }

    private static func captured(_ id: Int32) throws -> ThreadFacts {
        try #require(ThreadCapture().capture(.only([id]), until: soon).threads.first)
    }

    private static func offCPU(
        of id: Int32, _ schedules: ThreadSchedules = ThreadSchedules()
    ) throws -> Double? {
        let thread = try captured(id)
        var times = OffCPUTimes(awaitedCores: Locked([]))
        return schedules.schedule(of: thread).flatMap { times.offCPU(thread, since: $0) }
    }

    @Test("what the scheduler said holds for as long as the thread hasn't run")
    func remembered() throws {
        let gate = DispatchSemaphore(value: 0)
        let ids = TimedCondition<Int32?>(nil)
        let turns = TimedCondition(0)
        try NativeThread.start(name: "remembered") {
            // Each core has a clock of its own, that of one may be seconds behind that of another.
            _ = Cores.stay()
            ids.update { $0 = Int32(truncatingIfNeeded: NativeThread.currentID) }
            for turn in 1...2 {
                gate.wait()
                turns.update { $0 = turn }
            }
        }
        let id = try #require(ids.wait(until: Self.soon) { $0 })
        let schedules = ThreadSchedules()
        var first: ThreadSchedules.Schedule?
        // It may be on its way to the wait still.
        try waitUntil("it is at rest") {
            first = schedules.schedule(of: try Self.captured(id))
            return first?.lastRan != nil
        }
        #expect(schedules.schedule(of: try Self.captured(id))?.lastRan == first?.lastRan)
        gate.signal()
        _ = turns.wait(until: Self.soon) { $0 == 1 ? true : nil }
        try waitUntil("it is at rest again") {
            let again = schedules.schedule(of: try Self.captured(id))
            return again?.lastRan.map { $0 > first?.lastRan ?? .max } ?? false
        }
        schedules.keep([])
        #expect(schedules.schedule(of: try Self.captured(id)) != nil)
        gate.signal()
    }

    @Test("a thread that sleeps is dated, where the kernel says when it ran")
    func dated() throws {
        let began = MonotonicTime.now
        let cores = try Cores(isKept: false)
        defer { cores.end() }
        let id = try #require(cores.ids.wait(until: Self.soon) { $0.first })
        var rest: Double?
        guard SmallFile.text(of: "/proc/self/task/\(id)/sched") != nil else {
            return #expect(try Self.offCPU(of: id) == nil)
        }
        // A core that has much to do may not be reached in time, which is then no date.
        try waitUntil("it is dated") {
            rest = try Self.offCPU(of: id)
            return rest.map { $0 > 0.1 } ?? false
        }
        let age = MonotonicTime.now.since(began).seconds
        #expect(rest.map { $0 <= age + 0.1 } == true)
    }

    @Test("how long ago a thread began is known to the kernel's tick")
    func born() throws {
        let began = MonotonicTime.now
        let cores = try Cores(isKept: false)
        defer { cores.end() }
        let id = try #require(cores.ids.wait(until: Self.soon) { $0.first })
        usleep(300_000)
        let schedules = ThreadSchedules()
        let birth = try #require(schedules.schedule(of: try Self.captured(id))?.birth)
        let age = MonotonicTime.now.since(birth).seconds
        let most = MonotonicTime.now.since(began).seconds + 0.02
        #expect(age >= 0.28 && age <= most, "\(age) s of \(most) s")
        let gone = ThreadFacts(id: .max, state: .unknown("it has ended"))
        #expect(schedules.schedule(of: gone) == nil)
    }

    @Test(
        "a core that a thread keeps to itself holds up nobody", .enabled(if: geteuid() == 0)
    )
    func kept() throws {
        let cores = try Cores(isKept: true)
        defer { cores.end() }
        let id = try #require(cores.ids.wait(until: Self.soon) { $0.first })
        // In some containers this is not permitted.
        guard cores.isKept.wait(until: Self.soon, for: { $0 }) == true else { return }
        usleep(100_000)
        // A thread that waited for that core would wait a second in each round.
        var quickest = Duration.seconds(60)
        for _ in 0..<3 {
            var longest = Duration.zero
            for _ in 0..<20 {
                let begin = MonotonicTime.now
                _ = try Self.offCPU(of: id)
                longest = max(longest, MonotonicTime.now.since(begin))
            }
            quickest = min(quickest, longest)
        }
        #expect(quickest < .milliseconds(300))
    }
}
#endif
#endif
