#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

// Checks of a new value against the current one, made on the owner before anything is written.
extension ValueWriter {
    /// Returns whether the new value is the current one. A value with a secret in it is never the same:
    /// the answer would confirm a guess; nor is one whose setter or observers would run.
    func isSame(
        _ new: Any?, over found: Found, _ newText: String, _ oldText: String
    ) throws(CommandFailure) -> Bool {
        guard !found.isMasked, !found.runsCode, newText == oldText,
            !newText.contains(MaskPolicy.text)
        else {
            return false
        }
        return try ValueComparison(limits: limits).areSame(found.value, new)
    }

    /// A collection with more elements than this is not emptied without a confirmation.
    private static let mostEmptiedUnasked = 20

    /// - Throws: `.unconfirmed` if many elements would be removed at once.
    func checkEmptying(to new: Any?, _ found: Found) throws(CommandFailure) {
        guard let count = Self.count(of: found.value), count > Self.mostEmptiedUnasked,
            Self.count(of: new) ?? 0 == 0
        else { return }
        throw CommandFailure(
            .unconfirmed,
            "\(found.rendered) has \(Quantity.count(count, "element", "elements")), and would have none"
        )
    }

    /// The number of elements of a collection of the standard library; `nil` for other values.
    private static func count(of value: Any?) -> Int? {
        guard let value else { return nil }
        let type = Swift.type(of: value)
        if let optional = type as? any OptionalAccess.Type {
            return optional.unwrap(value).flatMap(count)
        }
        guard
            type is any ArrayAccess.Type || type is any SetAccess.Type
                || type is any DictionaryAccess.Type
        else { return nil }
        return (value as? any Collection)?.count
    }
}
#endif
