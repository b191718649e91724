#if TELLTALE_AGENT
import TelltaleProtocol

extension ValueWriter {
    /// Returns the effect of a change at a path without making it; the edits `earlier` are applied first.
    ///
    /// - Throws: The reason why the change could not be made.
    func preview(
        _ root: StoredWalk.Root, rootName: String, path: [ValuePath.Component], _ edit: ValueEdit,
        after earlier: [ValueEdit] = []
    ) throws(CommandFailure) -> ChangePreview {
        var found = try find(root, rootName, path)
        var ran: [String] = []
        func made(_ edit: ValueEdit) throws(CommandFailure) -> Any? {
            let making = EditedValue(found: found, masks: masks, deadline: makingDeadline)
            let value = try making.value(after: edit)
            ran += making.decodedTypes.names.map {
                "the `init(from:)` of \($0) ran for this preview"
            }
            return value
        }
        for edit in earlier { found.value = try made(edit) }
        let new = try made(edit)
        try check(new, over: found)
        let notes = [found.note].compactMap { $0 } + ran
        return ChangePreview(
            oldText: try text(of: found.value, found), newText: try text(of: new, found),
            note: notes.isEmpty ? nil : notes.joined(separator: "; "))
    }

    /// Throws, before anything is changed, if values of the typed text are still to be made.
    func askForValues(
        of edit: ValueEdit, from root: StoredWalk.Root, _ rootName: String,
        _ path: [ValuePath.Component]
    ) throws(CommandFailure) {
        // A place that only an earlier change of the transaction creates is checked when that change was
        // made.
        guard let found = try? find(root, rootName, path) else { return }
        do throws(CommandFailure) {
            _ = try new(edit, over: found)
        } catch {
            if edit.text.values.isAsked { throw error }
        }
    }

    /// Returns the effect of undoing a change, without undoing it; the changes `undone` would be undone
    /// before it.
    func previewUndo(
        _ change: PerformedChange, root: StoredWalk.Root, after undone: [PerformedChange] = []
    ) throws(CommandFailure) -> ChangePreview {
        if let before = undone.last(where: { $0.touches(change) }) {
            // The value that will be at the place is not there yet, so only a change at the same place can be
            // compared.
            guard before.isSamePlace(change) else {
                return ChangePreview(
                    oldText: change.newText, newText: change.oldText,
                    note: "compared only when \(before.rendered) has been put back")
            }
            guard try ValueComparison(limits: limits).areSame(before.old, change.new) else {
                throw CommandFailure(
                    .conflict,
                    "\(change.rendered) was changed between these changes; they can't be put back together"
                )
            }
            return ChangePreview(
                oldText: change.newText, newText: change.oldText, note: change.note)
        }
        let found = try find(root, change.rootName, change.path)
        try checkUndo(of: change, over: found)
        return ChangePreview(
            oldText: try text(of: found.value, found), newText: try text(of: change.old, found),
            note: found.note)
    }
}

extension PerformedChange {
    fileprivate func isSamePlace(_ other: PerformedChange) -> Bool {
        rootName == other.rootName && path.map(\.description) == other.path.map(\.description)
    }

    /// Returns whether one of the two places is the other, or is inside it.
    fileprivate func touches(_ other: PerformedChange) -> Bool {
        rootName == other.rootName
            && zip(path, other.path).allSatisfy { $0.description == $1.description }
    }

    var rendered: String {
        ValuePath(root: .name(rootName), components: path).description
    }
}
#endif
