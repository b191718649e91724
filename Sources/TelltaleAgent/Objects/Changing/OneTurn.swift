#if TELLTALE_AGENT
import TelltaleProtocol

/// The changes of one owner access, which are reverted if one of them can't be made.
struct OneTurn {
    let writer: ValueWriter
    private(set) var changes: [PerformedChange] = []
    private var roots: [StoredWalk.Root] = []

    init(writer: ValueWriter) { self.writer = writer }

    /// The outcome of all the changes.
    enum Outcome: Sendable {
        case made([PerformedChange])
        /// One change could not be made, and these earlier ones could not be reverted.
        case failed(CommandFailure, left: [Left])
    }

    /// A change that could not be reverted, with its index.
    struct Left: Sendable {
        let index: Int
        let change: PerformedChange
    }

    mutating func add(_ change: PerformedChange, _ root: StoredWalk.Root) {
        changes.append(change)
        roots.append(root)
    }

    /// Reverts the changes, the last one first. Returns the outcome, with the failure of the change that
    /// could not be made.
    func putBack(_ failure: CommandFailure, _ what: String) -> Outcome {
        var left: [Left] = []
        var reasons: [String] = []
        for (index, (change, root)) in zip(changes, roots).enumerated().reversed() {
            do throws(CommandFailure) {
                let back = try writer.undo(change, root: root)
                guard !writer.hasRestored(change, by: back) else { continue }
                reasons.append(
                    "\(change.rendered) was \(change.oldText), and its setter left \(back.newText) there"
                )
                left.append(
                    Left(
                        index: index,
                        change: change.standing(
                            back.new, text: back.newText, of: writer.owner, note: back.note)))
            } catch {
                reasons.append(error.message)
                left.append(Left(index: index, change: change))
            }
        }
        var failure = failure
        failure.message =
            "\(what): \(failure.message); "
            + (left.isEmpty
                ? "nothing was changed"
                : "not all could be put back: \(reasons.joined(separator: "; "))")
        return .failed(failure, left: left.reversed())
    }
}

extension OneTurn.Outcome {
    /// Returns the outcome; a failure that left no change is thrown, and may then be tried again.
    func orThrow() throws(CommandFailure) -> Self {
        if case .failed(let failure, let left) = self, left.isEmpty { throw failure }
        return self
    }

    /// The changes that were made.
    ///
    /// - Throws: The reason why they were not made. Changes that could not be reverted are added to the log
    ///   first, and the message names their numbers.
    func changes(
        in context: CommandContext, by command: String,
        _ made: (Int, PerformedChange) -> ChangeLog.Made
    ) throws(CommandFailure) -> [PerformedChange] {
        switch self {
        case .made(let changes): return changes
        case .failed(var failure, let left):
            guard !left.isEmpty else { throw failure }
            let records = context.agent.changes.add(
                together: left.map { made($0.index, $0.change) }, .made(by: command),
                by: context.author)
            let numbers = records.map { "\($0.number)" }.joined(separator: ", ")
            failure.message += "; what still stands is change \(numbers)"
            if let first = records.first {
                failure.hint = "`undo \(first.number)` puts it back"
            }
            throw failure
        }
    }
}
#endif
