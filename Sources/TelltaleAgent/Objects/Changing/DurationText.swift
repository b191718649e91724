#if TELLTALE_AGENT
/// A duration as `Duration` describes itself, or with a shorter unit: `1.5 seconds`, `1e-09 seconds`, `200
/// ms`.
enum DurationText {
    /// The number of decimal places of each unit that a `Duration`, which counts attoseconds, can hold.
    private static let units: [String: Int] = [
        "seconds": 18, "second": 18, "s": 18, "sec": 18, "milliseconds": 15, "millisecond": 15,
        "ms": 15, "microseconds": 12, "microsecond": 12, "us": 12, "µs": 12, "nanoseconds": 9,
        "nanosecond": 9, "ns": 9,
    ]
    private static let minutes: [String: Int128] = [
        "minutes": 60, "minute": 60, "min": 60, "m": 60, "hours": 3600, "hour": 3600, "h": 3600,
    ]

    /// Parses a duration; `nil` for other text, and for a duration that is too long or finer than an
    /// attosecond.
    static func duration(_ text: String) -> Duration? {
        let number = text.prefix { $0.isNumber || "+-.e_".contains($0) }
        let unit = String(text[number.endIndex...].drop { $0 == " " })
        if let places = units[unit], let attoseconds = scaled(number, by: places) {
            return Duration(attoseconds: attoseconds)
        }
        guard let length = minutes[unit], let attoseconds = scaled(number, by: 18) else {
            return nil
        }
        let (product, isOverflow) = attoseconds.multipliedReportingOverflow(by: length)
        return isOverflow ? nil : Duration(attoseconds: product)
    }

    /// A decimal number times a power of ten; `nil` if the product is not an integer or doesn't fit.
    private static func scaled(_ text: Substring, by power: Int) -> Int128? {
        let parts = text.filter { $0 != "_" }.split(
            separator: "e", omittingEmptySubsequences: false)
        guard let mantissa = parts.first, parts.count <= 2 else { return nil }
        var power = power
        if parts.count == 2 {
            guard let exponent = Int(parts[1]), exponent.magnitude < 64 else { return nil }
            power += exponent
        }
        var digits = String(mantissa)
        if let point = digits.firstIndex(of: ".") {
            power -= digits[point...].count - 1
            digits.remove(at: point)
        }
        guard var number = Int128(digits) else { return nil }
        while power > 0 {
            let (product, isOverflow) = number.multipliedReportingOverflow(by: 10)
            guard !isOverflow else { return nil }
            (number, power) = (product, power - 1)
        }
        while power < 0 {
            guard number % 10 == 0 else { return nil }
            (number, power) = (number / 10, power + 1)
        }
        return number
    }
}
#endif
