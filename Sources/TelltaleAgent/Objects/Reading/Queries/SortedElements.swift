#if TELLTALE_AGENT
import TelltaleProtocol

/// Elements by the order of a value of each. Those of the same value stay as they were.
struct SortedElements {
    /// More are not sorted at once.
    static let most = 262_144
    /// More are not where their values are no numbers, which Swift compares one by one.
    private static let mostTexts = 32_768

    private var numbers: [NumberKeys.Key] = []
    private var others: [(key: ExpressionValue, position: Int)] = []
    /// Whether all of them were integers so far, or doubles.
    private var kind: NumberKeys.Kind?

    /// - Throws: Where it has no order.
    mutating func add(
        _ key: ExpressionValue, at position: Int
    ) throws(ExpressionFailure) {
        if others.isEmpty, let number = NumberKeys.key(of: key, at: position),
            kind == nil || kind == number.kind
        {
            kind = number.kind
            numbers.append(number.key)
            return
        }
        // What has no order is left out here, before there are two to be compared.
        _ = try key.isBefore(key)
        if others.isEmpty, let kind {
            others = numbers.map { (NumberKeys.value(of: $0, kind), NumberKeys.position(of: $0)) }
            numbers = []
        }
        others.append((key, position))
    }

    static func check(_ count: Int, _ most: Int, in path: String) throws(CommandFailure) {
        guard count > most else { return }
        throw CommandFailure(
            .bound,
            "\(path) has \(Quantity.count(count)) elements to be sorted; \(Quantity.count(most)) are "
                + "the most",
            hint: "`where` before `sorted by` leaves fewer; of texts \(Quantity.count(mostTexts))")
    }

    /// Where they stand, in their order.
    ///
    /// - Throws: Where two of them can't be compared, or they are too many.
    func positions(isDescending: Bool, in path: String) throws(CommandFailure) -> [Int] {
        guard !others.isEmpty else {
            return NumberKeys.sorted(numbers, isDescending: isDescending)
        }
        try Self.check(others.count, Self.mostTexts, in: path)
        var failure: ExpressionFailure?
        let sorted = others.sorted { left, right in
            do throws(ExpressionFailure) {
                let (first, second) = isDescending ? (right.key, left.key) : (left.key, right.key)
                if try first.isBefore(second) { return true }
                return try !second.isBefore(first) && left.position < right.position
            } catch {
                failure = error
                return left.position < right.position
            }
        }
        if let failure {
            throw CommandFailure(
                failure.code, "\(path) can't be sorted: \(failure.message)")
        }
        return sorted.map(\.position)
    }
}
#endif
