#if TELLTALE_COMPILED
/// The order in which people count: `[2]` before `[10]`.
package enum NaturalOrder {
    /// Compares texts byte by byte, and adjacent digits as one number.
    package static func isBefore(_ one: String, _ other: String) -> Bool {
        var left = one.utf8[...]
        var right = other.utf8[...]
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (number, against) = (digits(&left), digits(&right))
                if number.count != against.count { return number.count < against.count }
                if !number.elementsEqual(against) {
                    return number.lexicographicallyPrecedes(against)
                }
                continue
            }
            if first != second { return first < second }
            left.removeFirst()
            right.removeFirst()
        }
        if left.isEmpty != right.isEmpty { return left.isEmpty }
        // `1` and `01` are one number and two texts.
        return one < other
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// The digits at the beginning, without zeros ahead of them.
    private static func digits(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
        let all = text.prefix(while: isDigit)
        text = text[all.endIndex...]
        return all.drop { $0 == UInt8(ascii: "0") }
    }
}
#endif
