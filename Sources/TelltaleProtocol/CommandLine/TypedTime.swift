#if TELLTALE_COMPILED
/// A time as it is typed.
package enum TypedTime {
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600),
    ]

    /// The seconds of `5s`, `500ms`, `1.5s`, `2m`, `1h`, or of a number without a unit; nil for
    /// anything else.
    package static func seconds(_ text: String) -> Double? {
        let unit = units.first { text.hasSuffix($0.name) } ?? ("", 1)
        let digits = text.dropLast(unit.name.count)
        // `Double` also reads `0x1p4`, `inf` and `nan`, which nobody means here.
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            let number = Double(digits)
        else { return nil }
        return number * unit.seconds
    }
}
#endif
