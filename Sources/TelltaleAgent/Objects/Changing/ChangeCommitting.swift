#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleRuntime

/// Commits a transaction: several changes in one access of their common owner, all or none.
struct ChangeCommitting {
    let context: CommandContext

    private struct Step: Sendable {
        let entry: RegistryEntry
        let target: PathReading.Target
        var edit: ValueEdit
        let rendered: String
    }

    /// Checks a change against the current value, and adds it to the transaction for `commit`.
    ///
    /// - Throws: The reason why the change could not be made, or not together with the others in the
    ///   transaction.
    func add(_ asked: PathChanging.Asked) throws(CommandFailure) -> ChangePreview {
        let changing = PathChanging(context: context)
        let pending = context.agent.pendingChanges
        let owner = try changing.prepare(asked).target.entry.owner
        try check(owner)
        if let first = try pending.all(of: context.connection, orNone: true).first {
            let other = try changing.prepare(first).target.entry.owner
            guard OwnerIdentity(owner) == OwnerIdentity(other) else {
                throw CommandFailure(
                    .unsupported,
                    "a transaction can only touch one owner; this one belongs to "
                        + "\(other.shortName), and \(asked.path) to \(owner.shortName)",
                    hint: "`commit` first, or set it by itself after `rollback`")
            }
        }
        let preview = try changing.preview(
            asked, after: try pending.all(of: context.connection, orNone: true))
        // The values made for the preview are dropped; `commit` makes them again.
        try pending.add(.init(path: asked.path, edit: asked.edit.unmade), of: context.connection)
        return preview
    }

    private func check(_ owner: Owner) throws(CommandFailure) {
        guard OwnerIdentity(owner) != nil else {
            throw CommandFailure(
                .unsupported, "what has no owner can't be changed together with something else",
                hint: "`rollback`, and set it by itself")
        }
    }

    /// Makes all changes.
    ///
    /// - Throws: The failed change and the reason; then none was made.
    func commit(_ pending: [PathChanging.Asked]) throws(CommandFailure) -> ChangeAnswer {
        let changing = PathChanging(context: context)
        var steps: [Step] = []
        for asked in pending {
            let prepared = try changing.prepare(asked)
            var edit = prepared.edit
            let paths = edit.text.paths
            if !paths.isEmpty {
                edit.text.references = try ReferenceLoading(context: context).load(paths)
            }
            steps.append(
                Step(
                    entry: prepared.target.entry, target: prepared.target, edit: edit,
                    rendered: prepared.rendered))
        }
        guard let first = steps.first,
            steps.allSatisfy({ OwnerIdentity($0.entry.owner) == OwnerIdentity(first.entry.owner) })
        else {
            throw CommandFailure(
                .conflict, "the collected changes have no owner in common any more")
        }
        let made = steps
        let outcome = try changing.withValues(of: made.map(\.edit.text), on: first.entry.owner) {
            () throws(CommandFailure) in
            try changing.perform(on: first.entry, what: first.rendered) {
                (writer, _) throws(CommandFailure) in
                for step in made {
                    try writer.checkSetters(
                        of: step.target.path, from: try step.entry.changedRoot(), step.entry.name)
                    try writer.askForValues(
                        of: step.edit, from: try step.entry.changedRoot(), step.entry.name,
                        step.target.path)
                }
                return try Self.make(made, writer).orThrow()
            }
        }
        let changes = try outcome.changes(in: context, by: "commit") { index, change in
            .init(path: steps[index].rendered, entry: steps[index].entry.name, change: change)
        }
        let records = context.agent.changes.add(
            together: zip(steps, changes).map {
                .init(path: $0.rendered, entry: $0.entry.name, change: $1)
            }, .made(by: "commit"), by: context.author)
        guard let record = records.first else {
            throw CommandFailure(.internal, "no change was made")
        }
        return ChangeAnswer(change: record, more: Array(records.dropFirst()))
    }

    // Called on the owner.
    private static func make(_ steps: [Step], _ writer: ValueWriter) -> OneTurn.Outcome {
        var turn = OneTurn(writer: writer)
        for (index, step) in steps.enumerated() {
            do throws(CommandFailure) {
                let root = try step.entry.changedRoot()
                try PathChanging.verify(step.target, root, writer)
                turn.add(
                    try writer.change(
                        root, rootName: step.entry.name, path: step.target.path, step.edit), root)
            } catch {
                return turn.putBack(
                    error, "\(step.rendered), change \(index + 1) of \(steps.count)")
            }
        }
        return .made(turn.changes)
    }
}

/// The owner that two values must have in common to be changed in one access.
enum OwnerIdentity: Hashable {
    case queue(QueueIdentity)
    case object(ObjectIdentifier)

    /// Makes an identity; `nil` for a value without an owner.
    init?(_ owner: Owner) {
        switch owner {
        case .queue(let queue): self = .queue(QueueIdentity(of: queue))
        case .mainActor: self = .queue(QueueIdentity(of: .main))
        case .actor(let actor): self = .object(actor.identity)
        case .lock(let lock): self = .object(ObjectIdentifier(lock))
        case .none, .closure: return nil
        }
    }
}
#endif
