#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import Testing

/// `doctor` about queues that get more items than their threads take.
struct DoctorQueueGrowthTests {
    /// Three samples of a queue, a second apart, that had so many items.
    private static func samples(
        _ counts: [Int], _ change: (inout QueueFacts) -> Void = { _ in }
    ) -> [GrowthSample] {
        counts.enumerated().map { second, count in
            var picture = Picture(time: .seconds(second))
            var queue = QueueFacts(address: 0x40)
            queue.label = "jobs"
            queue.kind = .serial
            queue.waiting = count
            change(&queue)
            picture.queues = [queue]
            var sample = GrowthSample(seconds: Double(second))
            sample.add(picture, BorderFacts())
            return sample
        }
    }

    @Test(
        "a queue that is never empty and gains items counts, however long it is",
        arguments: [
            ([1000, 1045, 1090], true), ([100_000, 100_045, 100_090], true), ([1, 20, 40], true),
            // A burst, a queue that is drained, and too few.
            ([0, 50, 100], false), ([90, 100, 80], false), ([100, 105, 110], false),
        ])
    func growth(_ counts: [Int], _ grows: Bool) {
        #expect(Growth.all(in: Self.samples(counts)).isEmpty == !grows, "\(counts)")
    }

    @Test("Dispatch's own queues, pools and queues whose items were not counted have no growth")
    func others() {
        let counts = [1000, 1045, 1090]
        #expect(Growth.all(in: Self.samples(counts) { $0.kind = .global }).isEmpty)
        #expect(Growth.all(in: Self.samples(counts) { $0.isDispatchsOwn = true }).isEmpty)
        #expect(Growth.all(in: Self.samples(counts) { $0.waiting = nil }).isEmpty)
    }

    @Test("a growing queue is named with the thread that takes its items, and queues are not OK")
    func text() throws {
        var made = MadeProcess()
        made.thread(20, .sleeps, on: "jobs", in: "resize()")
        made.items("jobs", "next()", "last()")
        let (earlier, later) = made.pictures
        let queue = try #require(later.queues.first { $0.label == "jobs" })
        var doctor = Doctor(of: earlier, later, stuck: made.answer)
        let growth = try #require(
            Growth.all(in: Self.samples([1000, 1045, 1090]) { $0.address = queue.address }).first)
        doctor.add([("", growth)])
        var answer = doctor.answer(of: made.doctor.process)
        answer.findings.removeAll { $0.word != "GROWS" }
        let lines = answer.lines()
        #expect(
            lines.contains {
                $0.hasPrefix(
                    "GROWS        items waiting on queue jobs +2,700/min (1,090 now); "
                        + "thread 20 works on it, in resize() Photos.swift:")
            }, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("OK ") && $0.contains("queues") }, "\(lines)")
        #expect(
            lines.contains { $0.hasPrefix("NEXT") && $0.contains("queue jobs") }, "\(lines)")
    }
}
#endif
