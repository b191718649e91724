#if TELLTALE_COMPILED
import Glibc

/// The time of day.
package enum WallClock {
    /// This moment in nanoseconds since 1970, UTC.
    package static var nanoseconds: UInt64 { MonotonicTime.read(CLOCK_REALTIME) }
}
#endif
