#if TELLTALE_COMPILED
import Glibc

/// A point on the clock that only goes forward and stops while the machine sleeps
/// (`CLOCK_MONOTONIC`).
package struct MonotonicTime: Sendable, Comparable, Hashable {
    /// Nanoseconds since an arbitrary start.
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package static var now: MonotonicTime {
        MonotonicTime(nanoseconds: read(CLOCK_MONOTONIC))
    }

    /// A moment that never comes.
    package static var distantFuture: MonotonicTime { MonotonicTime(nanoseconds: .max) }

    /// A moment that has passed.
    package static var longAgo: MonotonicTime { MonotonicTime(nanoseconds: 0) }

    /// The moment `duration` after this one; saturates.
    package func advanced(by duration: Duration) -> MonotonicTime {
        // 3 ns: separate divisions for seconds and remainder take four times as long.
        let attoseconds = duration.attoseconds
        guard attoseconds > 0 else { return self }
        let nanosecond: UInt64 = 1_000_000_000
        let high = UInt64(truncatingIfNeeded: attoseconds >> 64)
        guard high < nanosecond else { return .distantFuture }
        let low = UInt64(truncatingIfNeeded: attoseconds)
        let (sum, isOver) = nanoseconds.addingReportingOverflow(
            nanosecond.dividingFullWidth((high, low)).quotient)
        return isOver ? .distantFuture : MonotonicTime(nanoseconds: sum)
    }

    /// Returns the time since `earlier`; zero if this isn't later.
    package func since(_ earlier: MonotonicTime) -> Duration {
        self > earlier
            ? .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds)) : .zero
    }

    /// The time until this moment; zero if it has passed.
    package var remaining: Duration { since(.now) }

    /// Milliseconds until this moment for `poll(2)`, rounded up, at most a day.
    package var pollTimeout: Int32 {
        let now = MonotonicTime.now
        guard self > now else { return 0 }
        return Int32(
            clamping: min((nanoseconds - now.nanoseconds + 999_999) / 1_000_000, 86_400_000))
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }
}

/// Clocks that are compared with the monotonic one to determine the kind of a gap.
package enum ProcessClocks {
    /// Processor time that the whole process has used, in nanoseconds.
    package static var processorTime: UInt64 { MonotonicTime.read(CLOCK_PROCESS_CPUTIME_ID) }
    /// The processor time of the calling thread, in nanoseconds.
    package static var threadTime: UInt64 { MonotonicTime.read(CLOCK_THREAD_CPUTIME_ID) }

    /// Nanoseconds since boot, with the time that the machine slept.
    package static var sinceBoot: UInt64 {
        MonotonicTime.read(CLOCK_BOOTTIME)
    }

    /// For how long the machine has slept since it booted, in nanoseconds: at least and at most this.
    ///
    /// The clock that counts sleep is read between two readings of the one that doesn't: a thread may lose its
    /// core between any two, and their plain difference has been 170 ms too long.
    package static var asleep: ClosedRange<UInt64> {
        let before = MonotonicTime.now.nanoseconds
        let both = sinceBoot
        let after = MonotonicTime.now.nanoseconds
        let least = both > after ? both - after : 0
        return least...max(least, both > before ? both - before : 0)
    }
}

extension Duration {
    package var seconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }

    /// This duration in whole microseconds; saturates.
    package var microseconds: Int {
        let parts = components
        let (scaled, over) = parts.seconds.multipliedReportingOverflow(by: 1_000_000)
        return over ? .max : Int(clamping: scaled &+ parts.attoseconds / 1_000_000_000_000)
    }
}

package enum WallClock {
    /// This moment in nanoseconds since 1970, UTC.
    package static var nanoseconds: UInt64 { MonotonicTime.read(CLOCK_REALTIME) }
}
#endif
