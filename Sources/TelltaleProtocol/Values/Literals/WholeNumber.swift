#if TELLTALE_COMPILED
/// Whole numbers that are written with a fraction or an exponent.
enum WholeNumber {
    /// The number, if it is whole and so large that a Double may have rounded it; `nil` for one
    /// that a Double holds as well, or has to hold. `9007199254740993.0` fits an `Int`, but as a
    /// Double it is one less.
    static func wide(_ text: String) -> JSONValue? {
        guard let double = Double(text), double.magnitude >= 0x1p53, double.magnitude <= 0x1p64,
            let magnitude = magnitude(of: text.drop { $0 == "-" })
        else { return nil }
        guard text.hasPrefix("-") else { return .number(magnitude) }
        guard magnitude <= 1 << 63 else { return nil }
        return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    private static func magnitude(of text: Substring) -> UInt64? {
        let isHexadecimal = text.hasPrefix("0x")
        let parts = (isHexadecimal ? text.dropFirst(2) : text)
            .split(separator: isHexadecimal ? "p" : "e", omittingEmptySubsequences: false)
        guard let mantissa = parts.first, parts.count <= 2,
            var power = parts.count == 2 ? Int(parts[1]) : 0,
            power.magnitude < 1 << 32
        else { return nil }
        var digits = mantissa.filter { $0 != "." }.drop { $0 == "0" }
        if let point = mantissa.firstIndex(of: ".") {
            let places = mantissa[point...].count - 1
            power -= isHexadecimal ? places * 4 : places
        }
        while power < 0, digits.last == "0" {
            digits.removeLast()
            power += isHexadecimal ? 4 : 1
        }
        guard var number = UInt128(digits, radix: isHexadecimal ? 16 : 10) else { return nil }
        // At most 64 steps: the number is at least 1 and each doubles it or more.
        let base: UInt128 = isHexadecimal ? 2 : 10
        while power > 0, number <= UInt128(UInt64.max) {
            number *= base
            power -= 1
        }
        while power < 0, number % base == 0 {
            number /= base
            power += 1
        }
        return power == 0 ? UInt64(exactly: number) : nil
    }
}
#endif
