#if TELLTALE_AGENT
import Dispatch
import TelltaleParked
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Dispatch's objects come and go while they are looked at.
@Suite(.serialized) struct QueueChurnTests {
    /// Queues, groups, semaphores and timers that a thread makes, fills, suspends and frees.
    private static func churn(_ prefix: String, until stop: Locked<Bool>) {
        var queues: [DispatchQueue] = []
        var number = 0
        while !stop.withLock({ $0 }) {
            number += 1
            let queue = DispatchTurn.run("\(prefix)\(number)", number)
            let semaphore = DispatchSemaphore(value: 1)
            semaphore.wait()
            semaphore.signal()
            queues.append(queue)
            if queues.count > 10 { queues.removeFirst(5) }
        }
        for queue in queues { queue.sync(flags: .barrier) {} }
    }

    init() throws { try DispatchLayout.waitUntilKnown() }

    @Test func looksAtWhatMovesEndWellAndAQuietMomentIsExact() throws {
        let prefix = "churn.\(UInt32.random(in: 0...(.max)))."
        let stop = Locked(false)
        let running = TimedCondition(4)
        for number in 0..<4 {
            try NativeThread.start(name: "churn") {
                Self.churn("\(prefix)\(number).", until: stop)
                running.update { $0 -= 1 }
            }
        }
        let end = MonotonicTime.now.advanced(by: .seconds(3))
        var looks = 0
        var moving = 0
        var strange: [String] = []
        while .now < end {
            let picture = try Captured.picture(DispatchCapture.all)
            looks += 1
            moving += picture.queues.filter { $0.waiting == nil }.count
            for queue in picture.queues where queue.label.hasPrefix(prefix) {
                // At most what one turn of the churn puts into a queue.
                if (queue.waiting ?? 0) > 24 || queue.suspendCount > 1 {
                    strange.append(
                        "\(queue.label) \(queue.waiting ?? -1) \(queue.suspendCount)")
                }
            }
            strange += picture.gaps.map(\.reason)
        }
        #expect(strange == [])
        stop.withLock { $0 = true }
        let isOver = running.wait(until: .now.advanced(by: .seconds(60))) {
            $0 == 0 ? true : nil
        }
        #expect(isOver == true)
        // Dispatch releases a cancelled source a moment later.
        try waitUntil("no queue of the churn is left") {
            let picture = try Captured.picture(.queues)
            return picture.gaps.isEmpty && !picture.queues.contains { $0.label.hasPrefix(prefix) }
        }
        print("looks", looks, "moving lists", moving)
    }
}
#endif
