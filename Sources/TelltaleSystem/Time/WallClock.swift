#if TELLTALE_COMPILED
import Glibc

/// The time of day, in UTC.
package enum WallClock {
    /// This moment as `2026-11-21T03:12:45.118Z`.
    package static var timestamp: String { timestamp(nanoseconds: nanoseconds) }

    /// This moment in nanoseconds since 1970.
    package static var nanoseconds: UInt64 { MonotonicTime.read(CLOCK_REALTIME) }

    /// A moment as `2026-11-21T03:12:45.118Z`.
    ///
    /// - Parameter nanoseconds: Since 1970, UTC.
    /// - Returns: The moment, with milliseconds.
    package static func timestamp(nanoseconds: UInt64) -> String {
        var seconds = time_t(clamping: nanoseconds / 1_000_000_000)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "1970-01-01T00:00:00.000Z" }
        let milliseconds = Int32(clamping: nanoseconds / 1_000_000 % 1000)
        return padded(parts.tm_year + 1900, 4) + "-" + padded(parts.tm_mon + 1, 2) + "-"
            + padded(parts.tm_mday, 2) + "T" + padded(parts.tm_hour, 2) + ":"
            + padded(parts.tm_min, 2) + ":" + padded(parts.tm_sec, 2) + "."
            + padded(milliseconds, 3) + "Z"
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
#endif
