#if TELLTALE_COMPILED
/// Reads a moment as ISO 8601 has it, without Foundation.
struct MomentScanner {
    let bytes: [UInt8]
    private var next = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a moment in seconds since 1970; `nil` for other text.
    mutating func moment() -> Double? {
        guard let year = number(4), skip("-"), let month = number(2), (1...12).contains(month),
            skip("-"), let day = number(2), (1...31).contains(day)
        else { return nil }
        let midnight = Self.days(year, month, day) * 86_400
        guard next < bytes.count else { return Double(midnight) }
        guard skip("T") || skip(" "), let hour = number(2), hour < 24, skip(":"),
            let minute = number(2), minute < 60
        else { return nil }
        var second = 0
        if skip(":") {
            guard let number = number(2), number <= 60 else { return nil }
            second = number
        }
        guard let fraction = fraction(), let offset = offset(), next == bytes.count else {
            return nil
        }
        return Double(midnight + hour * 3600 + minute * 60 + second - offset) + fraction
    }

    /// Reads a fraction of as many digits as there are; 0 without any.
    private mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        let start = next
        var fraction = 0.0
        var divisor = 1.0
        while next < bytes.count, let digit = digit(bytes[next]) {
            next += 1
            // Further digits are finer than a Double of this century resolves.
            guard next - start <= 15 else { continue }
            fraction = fraction * 10 + Double(digit)
            divisor *= 10
        }
        return next > start ? fraction / divisor : nil
    }

    /// Reads the zone's offset in seconds; UTC without one.
    private mutating func offset() -> Int? {
        if next == bytes.count || skip("Z") { return 0 }
        let isNegative = skip("-")
        guard isNegative || skip("+"), let hours = number(2), hours < 24 else { return nil }
        _ = skip(":")
        var minutes = 0
        if next < bytes.count {
            guard let number = number(2), number < 60 else { return nil }
            minutes = number
        }
        let seconds = hours * 3600 + minutes * 60
        return isNegative ? -seconds : seconds
    }

    /// Since 1970 in the calendar of today, also before there was one. The year begins with March, so that
    /// the day that not all of them have is the last one.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    private mutating func number(_ count: Int) -> Int? {
        guard bytes.count - next >= count else { return nil }
        var number = 0
        for _ in 0..<count {
            guard let digit = digit(bytes[next]) else { return nil }
            number = number * 10 + digit
            next += 1
        }
        return number
    }

    private func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte) - 0x30 : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next < bytes.count, bytes[next] == UInt8(ascii: character) else { return false }
        next += 1
        return true
    }
}
#endif
