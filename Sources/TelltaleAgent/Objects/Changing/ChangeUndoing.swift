#if TELLTALE_AGENT
import TelltaleProtocol

/// Undoes changes and redoes undone ones; the changes of a transaction in one access of the owner.
struct ChangeUndoing {
    let context: CommandContext

    private struct Step: Sendable {
        let entry: RegistryEntry
        let kept: ChangeLog.Undoable
    }

    func undo(_ number: Int, isPreview: Bool) throws(CommandFailure) -> ChangeAnswer {
        let kept = try context.agent.changes.undoable(number)
        try context.checkAccess(
            "undo", "set", to: kept.flatMap { context.names(ofPath: $0.path) })
        return try putBack(kept, isPreview: isPreview) { .undoes($0) }
    }

    func redo(_ number: Int, isPreview: Bool) throws(CommandFailure) -> ChangeAnswer {
        let kept = try context.agent.changes.redoable(number)
        try context.checkAccess(
            "redo", "set", to: kept.flatMap { context.names(ofPath: $0.path) })
        do throws(CommandFailure) {
            return try putBack(kept, isPreview: isPreview) { .redoes($0) }
        } catch {
            let undone = "not undone: "
            guard error.message.hasPrefix(undone) else { throw error }
            var failure = error
            failure.message = "not redone: " + error.message.dropFirst(undone.count)
            throw failure
        }
    }

    private func putBack(
        _ kept: [ChangeLog.Undoable], isPreview: Bool, _ origin: (Int) -> ChangeLog.Origin
    ) throws(CommandFailure) -> ChangeAnswer {
        let changing = PathChanging(context: context)
        var found: [Step] = []
        for kept in kept {
            let entry = try entry(of: kept)
            try changing.check(entry)
            found.append(Step(entry: entry, kept: kept))
        }
        guard let first = found.first else {
            throw CommandFailure(.internal, "no change to be put back was found")
        }
        let steps = found
        guard !isPreview else {
            let previews = try changing.perform(on: first.entry, what: first.kept.path) {
                (writer, _) throws(CommandFailure) in
                try Self.previews(steps, writer)
            }
            return try answer(
                previews.map { .unmade($0, ChangeRecord.preview, in: context) })
        }
        let outcome = try changing.perform(on: first.entry, what: first.kept.path) {
            (writer, _) throws(CommandFailure) in
            for step in steps {
                try writer.checkSetters(
                    of: step.kept.change.path, from: try step.entry.changedRoot(),
                    step.kept.change.rootName)
            }
            return try Self.putBack(steps, writer).orThrow()
        }
        let changes = try outcome.changes(in: context, by: "undo") { index, change in
            .init(path: steps[index].kept.path, entry: steps[index].entry.name, change: change)
        }
        let made = zip(steps, changes).map { step, change in
            ChangeLog.Made(path: step.kept.path, entry: step.entry.name, change: change)
        }
        return try answer(
            context.agent.changes.add(
                together: made, origin(first.kept.number), by: context.author,
                undoing: steps.map(\.kept.undone)))
    }

    private func answer(_ records: [ChangeRecord]) throws(CommandFailure) -> ChangeAnswer {
        guard let first = records.first else {
            throw CommandFailure(.internal, "no change was made")
        }
        let more = Array(records.dropFirst())
        return ChangeAnswer(change: first, more: more.isEmpty ? nil : more)
    }

    // Called on the owner.
    private static func previews(
        _ steps: [Step], _ writer: ValueWriter
    ) throws(CommandFailure) -> [ChangePreview] {
        var previews: [ChangePreview] = []
        for (index, step) in steps.enumerated() {
            var preview = try writer.previewUndo(
                step.kept.change, root: try step.entry.changedRoot(),
                after: steps[..<index].map(\.kept.change))
            preview.path = step.kept.path
            previews.append(preview)
        }
        return previews
    }

    // Called on the owner.
    private static func putBack(
        _ steps: [Step], _ writer: ValueWriter
    ) throws(CommandFailure) -> OneTurn.Outcome {
        var turn = OneTurn(writer: writer)
        for step in steps {
            do throws(CommandFailure) {
                let root = try step.entry.changedRoot()
                turn.add(try writer.undo(step.kept.change, root: root), root)
            } catch {
                guard steps.count > 1 else { throw error }
                return turn.putBack(error, "change \(step.kept.number)")
            }
        }
        return .made(turn.changes)
    }

    private func entry(of kept: ChangeLog.Undoable) throws(CommandFailure) -> RegistryEntry {
        if let entry = context.agent.shared.objects.entry(kept.entry) { return entry }
        if let root = try RootSearch(context: context).variable(kept.entry) {
            return RegistryEntry(root: root)
        }
        throw CommandFailure(
            .gone,
            "change \(kept.number) was made below \(kept.entry), which is not registered any more")
    }
}
#endif
