#if TELLTALE_COMPILED
/// Numbers as people read them: counts, sizes, times. The same words in every answer.
package enum Quantity {
    /// A count with its thousands apart.
    ///
    /// - Parameter value: The count.
    /// - Returns: `9,988`.
    package static func count(_ value: some BinaryInteger) -> String {
        let digits = String(value.magnitude)
        var grouped = value < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3) { grouped.append(",") }
            grouped.append(digit)
        }
        return grouped
    }

    /// A count and its noun.
    ///
    /// - Parameters:
    ///   - value: The count.
    ///   - one: The noun for one.
    ///   - many: The noun for any other count.
    /// - Returns: `1 element`, `9,988 elements`.
    package static func count(_ value: Int, _ one: String, _ many: String) -> String {
        "\(count(value)) \(value == 1 ? one : many)"
    }

    /// A size in memory or in a file, in powers of 1,024.
    ///
    /// - Parameter bytes: The size.
    /// - Returns: `512B`, `1.4G`, `84M`.
    package static func bytes(_ bytes: UInt64) -> String {
        guard bytes >= 1024 else { return "\(bytes)B" }
        var unit: UInt64 = 1024
        for suffix in ["K", "M", "G"] {
            if bytes / unit < 1024 { return scaled(bytes, unit, suffix) }
            unit *= 1024
        }
        return scaled(bytes, unit, "T")
    }

    private static func scaled(_ bytes: UInt64, _ unit: UInt64, _ suffix: String) -> String {
        let whole = bytes / unit
        guard whole < 10 else { return "\(whole)\(suffix)" }
        let tenths = (bytes % unit) * 10 / unit
        return tenths == 0 ? "\(whole)\(suffix)" : "\(whole).\(tenths)\(suffix)"
    }

    /// A long time, such as how long a process has been up: two units at most.
    ///
    /// - Parameter seconds: The time in seconds.
    /// - Returns: `45s`, `3m12s`, `3h12m`, `2d`, `2d4h`.
    package static func uptime(_ seconds: Double) -> String {
        let whole = clamped(seconds)
        switch whole {
        case ..<60: return "\(whole)s"
        case ..<3600: return pair(whole / 60, "m", whole % 60, "s")
        case ..<86400: return pair(whole / 3600, "h", whole % 3600 / 60, "m")
        default: return pair(whole / 86400, "d", whole % 86400 / 3600, "h")
        }
    }

    private static func pair(_ large: Int, _ unit: String, _ small: Int, _ rest: String)
        -> String
    {
        small == 0 ? "\(large)\(unit)" : "\(large)\(unit)\(small)\(rest)"
    }

    /// A short time in seconds, to a tenth.
    ///
    /// - Parameter seconds: The time in seconds.
    /// - Returns: `0s`, `12.4s`.
    package static func seconds(_ seconds: Double) -> String {
        let tenths = clamped(seconds * 10)
        return tenths == 0 ? "0s" : "\(tenths / 10).\(tenths % 10)s"
    }

    /// A measured time in the unit that suits it; of milliseconds only few need their tenth.
    ///
    /// - Parameter microseconds: The time in microseconds.
    /// - Returns: `180 µs`, `1.2 ms`, `340 ms`, `12.4 s`.
    package static func duration(microseconds: Int) -> String {
        switch microseconds {
        case ..<1_000: "\(microseconds) µs"
        case 10_000..<1_000_000: "\(microseconds / 1_000) ms"
        case ..<10_000: "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
        default: "\(microseconds / 1_000_000).\(microseconds % 1_000_000 / 100_000) s"
        }
    }

    /// The whole part of a number that may come from anywhere: no trap on NaN or infinity.
    private static func clamped(_ value: Double) -> Int {
        guard value > 0 else { return 0 }
        return value < 1e15 ? Int(value) : 1_000_000_000_000_000
    }
}
#endif
