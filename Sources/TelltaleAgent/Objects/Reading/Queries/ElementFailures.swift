#if TELLTALE_AGENT
import TelltaleProtocol

/// The elements for which an expression could not be computed.
struct ElementFailures {
    private var first: ExpressionFailure?
    private var counts: [(message: String, count: Int)] = []
    private var total = 0

    /// The maximum number of different reasons that are counted.
    private static let mostReasons = 4

    /// Counts a failed element.
    ///
    /// - Throws: `.denied` for a secret: leaving the element out would reveal something about it.
    mutating func add(
        _ failure: ExpressionFailure, in path: String
    ) throws(CommandFailure) {
        if failure.code == .denied {
            throw CommandFailure(
                .denied, "an element of \(path) has what is masked there: it can't be compared",
                hint: "the service decides what is masked, by names and with TelltaleReflectable")
        }
        total += 1
        if first == nil { first = failure }
        if let index = counts.firstIndex(where: { $0.message == failure.message }) {
            counts[index].count += 1
        } else if counts.count < Self.mostReasons {
            counts.append((failure.message, 1))
        }
    }

    /// - Throws: The first error, if every element that was examined failed; with the nearest name, if `near` has
    ///   one.
    func check(
        looked: Int, in path: String, near: () -> String? = { nil }
    ) throws(CommandFailure) {
        guard let first, looked > 0, total >= looked else { return }
        throw CommandFailure(
            first.code, "no element of \(path) fits the question: \(first.message)",
            hint: (first.code == .notFound ? near() : nil)
                ?? "`show \(path) --limit 1` shows what there is")
    }

    var notes: [String] {
        counts.map { "\(Quantity.count($0.count)) left out: \($0.message)" }
    }
}
#endif
