import Dispatch
import Foundation
import Synchronization

/// Processor time that is divided 72.5 to 20 to 7.5: `spend queue`, `spend thread`, `spend task`, and waits: `spend waits`.
enum SpendModes {
    private static let interrupted = Atomic<Int>(0)

    static func perform(_ words: [String]) -> String? {
        guard words.first == "spend", words.count == 2 else { return nil }
        switch words[1] {
        case "queue": DispatchQueue(label: "test.spent").async { spendAll() }
        case "thread":
            let thread = Thread { spendAll() }
            thread.start()
        case "task": Task.detached { await spendLater() }
        case "waits": wait()
        case "interrupted": return "\(interrupted.load(ordering: .relaxed))"
        case "short":
            Thread.detachNewThread {
                while true {
                    let thread = Thread { spendMost(until: 5_000_000) }
                    thread.start()
                    while !thread.isFinished { usleep(500) }
                }
            }
        default: return nil
        }
        return "spends"
    }

    private static func spendAll() -> Never {
        while true {
            spendMost(until: 29_000_000)
            spendSome(until: 8_000_000)
            spendLittle(until: 3_000_000)
        }
    }

    private static func spendLater() async {
        while true {
            spendMost(until: 29_000_000)
            spendSome(until: 8_000_000)
            await Task.yield()
            spendLittle(until: 3_000_000)
        }
    }

    @inline(never) private static func spendMost(until time: UInt64) { spin(time) }
    @inline(never) private static func spendSome(until time: UInt64) { spin(time) }
    @inline(never) private static func spendLittle(until time: UInt64) { spin(time) }

    /// Uses nanoseconds of processor time on this thread.
    private static func spin(_ time: UInt64) {
        let end = ownTime() + time
        while ownTime() < end {}
    }

    private static func ownTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Threads in plain calls that are made again for the shortest time, and count those that ended with EINTR.
    private static func wait() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let (reading, writing) = (ends[0], ends[1])
        Thread.detachNewThread {
            var byte: UInt8 = 1
            while true { if write(writing, &byte, 1) < 0, errno == EINTR { count() } }
        }
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true { if read(reading, &byte, 1) < 0, errno == EINTR { count() } }
        }
        Thread.detachNewThread {
            while true {
                var time = timespec(tv_sec: 0, tv_nsec: 50_000)
                if nanosleep(&time, nil) < 0, errno == EINTR { count() }
            }
        }
    }

    private static func count() { interrupted.add(1, ordering: .relaxed) }
}
