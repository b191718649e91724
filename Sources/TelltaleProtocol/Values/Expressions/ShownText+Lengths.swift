#if TELLTALE_COMPILED
/// Durations are added by their shown text, exactly: 0.1 and 0.2 seconds are 0.3.
extension ShownText {
    var isLength: Bool { order?.measure == .length }

    /// The sum of two durations, or their difference; `nil` if one of them is not a duration, or if
    /// no `Duration` holds the result.
    func length(adding other: ShownText, isNegative: Bool) -> ShownText? {
        guard isLength, other.isLength, let first = Self.attoseconds(text),
            let second = Self.attoseconds(other.text)
        else { return nil }
        let (sum, isOver) =
            isNegative
            ? first.subtractingReportingOverflow(second) : first.addingReportingOverflow(second)
        return isOver ? nil : ShownText(Self.text(of: sum), type: "Duration")
    }

    private static let perSecond: Int128 = 1_000_000_000_000_000_000

    /// Parses the text of `Duration.description`: `26.1 seconds`, `1e-06 seconds`.
    private static func attoseconds(_ text: String) -> Int128? {
        guard text.hasSuffix(" seconds") else { return nil }
        let number = text.dropLast(8)
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 2, parts[1].utf8.count <= 18, let whole = Int128(parts[0]),
            let fraction = UInt64(parts[1].padded(to: 18))
        {
            let (scaled, isOver) = whole.multipliedReportingOverflow(by: perSecond)
            let part = number.hasPrefix("-") ? -Int128(fraction) : Int128(fraction)
            return isOver ? nil : scaled + part
        }
        // Very short ones, and those of many digits.
        return Double(number).flatMap { Int128(exactly: ($0 * 1e18).rounded()) }
    }

    private static func text(of attoseconds: Int128) -> String {
        let whole = attoseconds.magnitude / perSecond.magnitude
        let rest = String(attoseconds.magnitude % perSecond.magnitude)
        var digits = String(repeating: "0", count: 18 - rest.utf8.count) + rest
        while digits.utf8.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        return "\(attoseconds < 0 ? "-" : "")\(whole).\(digits) seconds"
    }
}

extension Substring {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: "0", count: count - utf8.count)
    }
}
#endif
