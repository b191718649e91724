#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// Sorts elements by a value of each. Elements with equal values keep their order.
struct SortedElements {
    /// The maximum number of elements that are sorted.
    static let most = 262_144
    /// The maximum number of elements whose values are not numbers, which Swift compares one by one.
    private static let mostTexts = 32_768
    /// The maximum total size in bytes of the compared texts, which occupy the host's memory during the sort.
    private static let mostBytes = 64 << 20

    private var numbers: [NumberKeys.Key] = []
    private var others: [(key: ExpressionValue, position: Int)] = []
    /// The kind of the numbers, if all values so far were integers, or all were doubles.
    private var kind: NumberKeys.Kind?

    private var bytes = 0

    /// Adds an element; false if there are too many, for the reasons in ``check(in:)``.
    ///
    /// - Throws: An error if the value has no order.
    mutating func add(
        _ key: ExpressionValue, at position: Int
    ) throws(ExpressionFailure) -> Bool {
        if others.isEmpty, let number = NumberKeys.key(of: key, at: position),
            kind == nil || kind == number.kind
        {
            kind = number.kind
            numbers.append(number.key)
            return true
        }
        // A value without an order fails here, even before there is a second one to compare it with.
        _ = try key.isBefore(key)
        if others.isEmpty, let kind {
            others = numbers.map { (NumberKeys.value(of: $0, kind), NumberKeys.position(of: $0)) }
            numbers = []
        }
        others.append((key, position))
        bytes += key.text?.utf8.count ?? 0
        return !isFull
    }

    private var isFull: Bool { others.count > Self.mostTexts || bytes > Self.mostBytes }

    /// - Throws: An error if there are too many elements or texts.
    private func check(in path: String) throws(CommandFailure) {
        guard isFull else { return }
        guard others.count <= Self.mostTexts else {
            throw CommandFailure(
                .bound,
                "\(path) has more than \(Quantity.count(Self.mostTexts)) elements to be sorted by what is "
                    + "no number", hint: "`where` before `sorted by` leaves fewer")
        }
        throw CommandFailure(
            .bound,
            "the texts of \(path) to be sorted by are longer than \(Quantity.bytes(Self.mostBytes)) "
                + "together", hint: "`where` before `sorted by` leaves fewer")
    }

    static func check(_ count: Int, _ most: Int, in path: String) throws(CommandFailure) {
        guard count > most else { return }
        throw CommandFailure(
            .bound,
            "\(path) has \(Quantity.count(count)) elements to be sorted; \(Quantity.count(most)) are "
                + "the most",
            hint: "`where` before `sorted by` leaves fewer; of texts \(Quantity.count(mostTexts))")
    }

    /// The positions of the elements, in their order.
    ///
    /// - Throws: An error if two elements can't be compared, if there are too many, or if the deadline has
    ///   passed.
    func positions(
        isDescending: Bool, in path: String, until deadline: MonotonicTime
    ) throws(CommandFailure) -> [Int] {
        guard !others.isEmpty else {
            return NumberKeys.sorted(numbers, isDescending: isDescending)
        }
        try check(in: path)
        var compared = 0
        do {
            return try others.sorted { left, right in
                let sizes = [left, right].map { $0.key.text?.utf8.count ?? 0 }
                compared += 1024 + (sizes.min() ?? 0)
                if compared >= 1 << 20 {
                    compared = 0
                    guard MonotonicTime.now < deadline else { throw Late() }
                }
                let (first, second) = isDescending ? (right.key, left.key) : (left.key, right.key)
                if try first.isBefore(second) { return true }
                return try !second.isBefore(first) && left.position < right.position
            }.map(\.position)
        } catch let failure as ExpressionFailure {
            throw CommandFailure(
                failure.code, "\(path) can't be sorted: \(failure.message)")
        } catch {
            throw CommandFailure(
                .timeout, "\(path) was not sorted before the deadline",
                hint: "`where` before `sorted by` leaves fewer")
        }
    }

    private struct Late: Error {}
}
#endif
