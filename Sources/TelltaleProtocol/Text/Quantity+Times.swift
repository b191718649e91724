#if TELLTALE_COMPILED
extension Quantity {
    /// A time in the unit that suits it: to a tenth below ten of a unit, in two units from a minute
    /// on. `180 µs`, `1.2 ms`, `340 ms`, `5 s`, `12.4 s`, `3m12s`, `2d4h`; a negative one is none.
    package static func time(_ duration: Duration, _ form: Form = .sentence) -> String {
        let parts = duration.components
        let (scaled, isOver) = parts.seconds.multipliedReportingOverflow(by: 1_000_000)
        let rest = parts.attoseconds / 1_000_000_000_000
        return time(microseconds: isOver ? .max : Int(clamping: scaled &+ rest), form)
    }

    /// A time that came as a number, of whatever size.
    package static func time(seconds: Double, _ form: Form = .sentence) -> String {
        // 1.2 in decimal is a little less in binary, and would be cut to 1.1.
        time(microseconds: clamped(seconds * 1e6 + 0.001), form)
    }

    package static func time(microseconds: Int, _ form: Form = .sentence) -> String {
        let space = form == .field ? "" : " "
        switch microseconds {
        case ..<1: return "0\(space)s"
        case ..<1_000: return "\(microseconds)\(space)µs"
        case ..<1_000_000:
            return tenths(microseconds, of: 1_000, below: 10_000) + "\(space)ms"
        case ..<60_000_000:
            return tenths(microseconds, of: 1_000_000, below: .max) + "\(space)s"
        default: return uptime(Double(microseconds / 1_000_000))
        }
    }

    /// A long time, such as how long a process has been up, in two units at most: `45s`, `3m12s`,
    /// `2d`.
    package static func uptime(_ seconds: Double) -> String {
        let whole = clamped(seconds)
        switch whole {
        case ..<60: return "\(whole)s"
        case ..<3600: return pair(whole / 60, "m", whole % 60, "s")
        case ..<86400: return pair(whole / 3600, "h", whole % 3600 / 60, "m")
        default: return pair(whole / 86400, "d", whole % 86400 / 3600, "h")
        }
    }

    /// A time that is known from both sides, to a millisecond: `1.234 to 1.720 s`.
    package static func times(_ least: Duration, _ most: Duration) -> String {
        let millisecond = Duration.milliseconds(1)
        func formatted(_ milliseconds: Double) -> String { decimal(milliseconds / 1000, places: 3) }
        return formatted((least / millisecond).rounded(.down)) + " to "
            + formatted((most / millisecond).rounded(.up)) + " s"
    }

    /// A time of day in UTC as ISO 8601 has it, `2026-11-21T03:12:45.118Z`, from nanoseconds since
    /// 1970.
    package static func moment(nanoseconds: UInt64) -> String {
        let milliseconds = Int(nanoseconds / 1_000_000)
        let seconds = milliseconds / 1000
        // Years that begin in March, so that the day which some don't have is the last of one.
        let days = seconds / 86400 + 719_468
        let era = days / 146_097
        let day = days % 146_097
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let date = [
            padded(era * 400 + year + (month <= 2 ? 1 : 0), 4), padded(month, 2),
            padded(dayOfYear - (153 * march + 2) / 5 + 1, 2),
        ]
        let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
        return date.joined(separator: "-") + "T"
            + clock.map { padded($0, 2) }.joined(separator: ":")
            + "." + padded(milliseconds % 1000, 3) + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func tenths(_ value: Int, of unit: Int, below limit: Int) -> String {
        // A whole number is meant as one, as in a deadline: `1 s`, but `1.0 s` for 1.02.
        let isWhole = value % unit == 0 || value >= limit
        return "\(value / unit)" + (isWhole ? "" : ".\(value % unit / (unit / 10))")
    }

    private static func pair(_ large: Int, _ unit: String, _ small: Int, _ rest: String)
        -> String
    {
        small == 0 ? "\(large)\(unit)" : "\(large)\(unit)\(small)\(rest)"
    }

    /// The whole part of a number that may come from anywhere: no trap on NaN or infinity.
    private static func clamped(_ value: Double) -> Int {
        guard value > 0 else { return 0 }
        return value < 1e15 ? Int(value) : 1_000_000_000_000_000
    }
}
#endif
