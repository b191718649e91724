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

    private static func late(sleeping seconds: Double, moved: Bool = false) throws -> [String] {
        var made = MadeProcess()
        made.thread(20, .sleeps, on: "jobs", in: "isMounted()")
        made.items("jobs", "next()")
        made.earlier { $0.threads[0].switches = 1 }
        made.now { $0.threads[0].switches = 2 }
        made.border { $0.sleeps = [20: seconds] }
        let (earlier, later) = made.pictures
        let queue = try #require(later.queues.first { $0.label == "jobs" })
        let doctor = Doctor(
            of: earlier, later, stuck: made.answer, movedQueues: moved ? [queue.address] : [])
        return doctor.answer(of: made.doctor.process).lines()
    }

    @Test("a head that asks again and again is late, unless its queue went on in between")
    func late() throws {
        let lines = try Self.late(sleeping: 0.01)
        #expect(
            lines.contains {
                $0.hasPrefix("LATE         queue jobs: 1 item")
                    && $0.contains("asks again and again with sleeps of 10 ms")
            }, "\(lines)")
        #expect(try !Self.late(sleeping: 0.01, moved: true).contains { $0.hasPrefix("LATE") })
        // A sleep that is longer than the time between the pictures is no asking.
        let long = try Self.late(sleeping: 1e6)
        #expect(!long.contains { $0.contains("again and again") }, "\(long)")
    }

    @Test("a queue has gone on if its head, its owner or its length shows it")
    func moved() {
        func picture(_ change: (inout QueueFacts) -> Void = { _ in }) -> Picture {
            var picture = Picture(time: .zero)
            var queue = QueueFacts(address: 0x40)
            queue.waiting = 2
            queue.owner = 20
            queue.items = [PendingItem(address: 0x1000)]
            change(&queue)
            picture.queues = [queue]
            return picture
        }
        let first = picture()
        #expect(first.queues(movedIn: picture()).isEmpty)
        #expect(first.queues(movedIn: picture { $0.waiting = 3 }).isEmpty)
        // Not read: nothing is known.
        #expect(first.queues(movedIn: picture { $0.waiting = nil }).isEmpty)
        #expect(first.queues(movedIn: picture { $0.waiting = 1 }) == [0x40])
        #expect(first.queues(movedIn: picture { $0.owner = 21 }) == [0x40])
        #expect(first.queues(movedIn: picture { $0.items[0].address = 0x2000 }) == [0x40])
    }
}
#endif
