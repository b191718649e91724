#if TELLTALE_AGENT
import TelltaleProtocol

extension ValueWriter {
    /// Makes sure that the setters on a path are read before the first of several changes, so that no change
    /// is started twice.
    ///
    /// - Throws: An error only if setters were not read yet.
    func checkSetters(
        of path: [ValuePath.Component], from root: StoredWalk.Root, _ rootName: String
    ) throws(CommandFailure) {
        do throws(CommandFailure) {
            _ = try find(root, rootName, path)
        } catch {
            if setters?.isWaiting == true { throw error }
        }
    }

    /// A change as it is after a setter, which may have stored another value than the one it was given.
    func standing(_ change: PerformedChange, _ root: StoredWalk.Root) -> PerformedChange {
        let remark = change.note ?? "its setter ran"
        do throws(CommandFailure) {
            let found = try find(root, change.rootName, change.path)
            guard (try? ValueComparison(limits: limits).areSame(found.value, change.new)) != true
            else { return change }
            let now = try text(of: found.value, found)
            // If the value is too large to be compared, the note doesn't mention a difference; the stored
            // value is kept anyway.
            let isOther = now != change.newText
            return change.standing(
                found.value, text: now, of: owner,
                note: isOther
                    ? "\(remark); \(now) stands there, not \(change.newText), which it was given"
                    : remark)
        } catch {
            return change.standing(
                change.new, text: change.newText, of: owner,
                note: "\(remark); what stands there now can't be read: \(error.message)")
        }
    }

    /// Returns whether the undo `back` has restored the value from before `change`.
    func hasRestored(_ change: PerformedChange, by back: PerformedChange) -> Bool {
        if let same = try? ValueComparison(limits: limits).areSame(back.new, change.old), same {
            return true
        }
        return back.newText == change.oldText && change.oldText != MaskPolicy.text
    }
}

extension PerformedChange {
    /// A copy of the change with the value that is actually stored after it.
    func standing(_ new: Any?, text: String, of owner: Owner, note: String?) -> PerformedChange {
        PerformedChange(
            oldText: oldText, newText: text, note: note, rootName: rootName, path: path,
            object: object, values: PerformedChange.Values(old: old, new: new), of: owner)
    }
}
#endif
