#if TELLTALE_COMPILED
/// A decimal number of up to 38 digits, as Foundation's `Decimal` is one: with it money is computed exactly.
///
/// A result with more digits is refused: only a quotient is rounded, to 38 digits.
package struct ExactDecimal: Sendable, Equatable {
    private let isNegative: Bool
    private let magnitude: UInt128
    /// A power of ten. The magnitude ends with no zero.
    private let exponent: Int

    /// The greatest exponents that are computed with; a `Decimal` has -128 to 127.
    private static let exponents = -1024...1024
    private static let digits = 38

    private init?(_ isNegative: Bool, _ magnitude: UInt128, _ exponent: Int) {
        var (magnitude, exponent) = (magnitude, exponent)
        while magnitude != 0, magnitude % 10 == 0 {
            magnitude /= 10
            exponent += 1
        }
        guard Self.exponents.contains(exponent) else { return nil }
        self.isNegative = isNegative && magnitude != 0
        self.magnitude = magnitude
        self.exponent = magnitude == 0 ? 0 : exponent
    }

    init(_ whole: Int128) {
        // An Int128 has 39 digits at most.
        self = Self(whole < 0, whole.magnitude, 0) ?? Self.zero
    }

    private static let zero = Self(Int128(0))

    /// Reads a Double as it is written: `0.1` was typed and meant.
    init?(_ number: Double) { self.init(number.description) }

    /// Reads `-12.50` and `1e-07`; nil for what is none, or has too many digits.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2 else { return nil }
        var exponent = 0
        if parts.count == 2 {
            guard let typed = Int(parts[1]), Self.exponents.contains(typed) else { return nil }
            exponent = typed
        }
        let isNegative = first.hasPrefix("-")
        var magnitude: UInt128 = 0
        var (isBehindPoint, isEmpty) = (false, true)
        // Zeros that no other digit follows are in the exponent: `Decimal.greatestFiniteMagnitude` has 127.
        var zeros = 0
        for byte in first.utf8.dropFirst(isNegative ? 1 : 0) {
            if byte == UInt8(ascii: "."), !isBehindPoint {
                isBehindPoint = true
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            isEmpty = false
            if isBehindPoint { exponent -= 1 }
            zeros += 1
            guard byte != UInt8(ascii: "0") else { continue }
            while zeros > 0 {
                let (tens, isOver) = magnitude.multipliedReportingOverflow(by: 10)
                guard !isOver else { return nil }
                magnitude = tens
                zeros -= 1
            }
            let (sum, isOver) = magnitude.addingReportingOverflow(
                UInt128(byte - UInt8(ascii: "0")))
            guard !isOver else { return nil }
            magnitude = sum
        }
        guard !isEmpty else { return nil }
        self.init(isNegative, magnitude, magnitude == 0 ? 0 : exponent + zeros)
    }

    // MARK: Computing

    /// Both with the smaller exponent; nil where one is too long so.
    private static func aligned(
        _ left: Self, _ right: Self
    ) -> (left: UInt128, right: UInt128, exponent: Int)? {
        let exponent = min(left.exponent, right.exponent)
        guard let first = left.magnitude(at: exponent), let second = right.magnitude(at: exponent)
        else { return nil }
        return (first, second, exponent)
    }

    private func magnitude(at exponent: Int) -> UInt128? {
        guard magnitude != 0 else { return 0 }
        var magnitude = magnitude
        for _ in exponent..<self.exponent {
            let (scaled, isOver) = magnitude.multipliedReportingOverflow(by: 10)
            guard !isOver else { return nil }
            magnitude = scaled
        }
        return magnitude
    }

    var negated: Self { Self(!isNegative, magnitude, exponent) ?? self }

    static func sum(_ left: Self, _ right: Self) -> Self? {
        guard let (first, second, exponent) = aligned(left, right) else { return nil }
        guard left.isNegative == right.isNegative else {
            return first >= second
                ? Self(left.isNegative, first - second, exponent)
                : Self(right.isNegative, second - first, exponent)
        }
        let (sum, isOver) = first.addingReportingOverflow(second)
        return isOver ? nil : Self(left.isNegative, sum, exponent)
    }

    static func product(_ left: Self, _ right: Self) -> Self? {
        let (product, isOver) = left.magnitude.multipliedReportingOverflow(by: right.magnitude)
        return isOver
            ? nil
            : Self(left.isNegative != right.isNegative, product, left.exponent + right.exponent)
    }

    // The divisor is not zero.
    static func quotient(_ number: Self, by divisor: Self) -> Self? {
        var (quotient, rest) = number.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
        var exponent = number.exponent - divisor.exponent
        let most = (1..<digits).reduce(UInt128(1)) { power, _ in power * 10 }
        while rest != 0, quotient < most {
            let (tens, isOver) = rest.multipliedReportingOverflow(by: 10)
            guard !isOver else { return nil }
            let (digit, next) = tens.quotientAndRemainder(dividingBy: divisor.magnitude)
            (quotient, rest) = (quotient * 10 + digit, next)
            exponent -= 1
        }
        if rest >= divisor.magnitude - rest { quotient += 1 }
        return Self(number.isNegative != divisor.isNegative, quotient, exponent)
    }

    // The divisor is not zero.
    static func remainder(_ number: Self, by divisor: Self) -> Self? {
        guard let (first, second, exponent) = aligned(number, divisor) else { return nil }
        return Self(number.isNegative, first % second, exponent)
    }

    var isZero: Bool { magnitude == 0 }

    /// False for a number beyond the exponents of a `Decimal`, which are -128 to 127.
    var isInRange: Bool {
        guard exponent > 127 else { return exponent >= -128 }
        return String(magnitude).count + exponent - 127 <= Self.digits
    }

    static func isLess(_ left: Self, _ right: Self) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        let isShorter: Bool
        if let (first, second, _) = aligned(left, right) {
            isShorter = first < second
        } else {
            // Only the one of the greater exponent was scaled, beyond all that the other can be.
            isShorter = left.exponent < right.exponent
        }
        return left.isNegative ? !isShorter && left != right : isShorter
    }

    /// The nearest Double, where no other number of as many digits has the same.
    package var ordinal: Double? {
        magnitude < 1_000_000_000_000_000 && (-300...300).contains(exponent)
            ? Double(description) : nil
    }
}

extension ExactDecimal: CustomStringConvertible {
    /// `-12.5`: all digits, as Foundation writes them.
    package var description: String {
        let digits = String(magnitude)
        let sign = isNegative ? "-" : ""
        guard exponent < 0 else { return sign + digits + String(repeating: "0", count: exponent) }
        let places = -exponent
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return sign + padded.dropLast(places) + "." + padded.suffix(places)
    }
}
#endif
