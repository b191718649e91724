#if TELLTALE_AGENT
import TelltaleProtocol

extension ValueWriter {
    /// Has the setters on a path read before the first of several changes: none is begun twice.
    ///
    /// - Throws: Only where they were not read yet.
    func checkSetters(
        of path: [ValuePath.Component], from root: StoredWalk.Root, _ rootName: String
    ) throws(CommandFailure) {
        do throws(CommandFailure) {
            _ = try find(root, rootName, path)
        } catch {
            if setters?.isWaiting == true { throw error }
        }
    }

    /// A change as it stands after a setter, which may have made something else of what it was given.
    func standing(_ change: PerformedChange, _ root: StoredWalk.Root) -> PerformedChange {
        let remark = change.note ?? "its setter ran"
        do throws(CommandFailure) {
            let found = try find(root, change.rootName, change.path)
            guard (try? ValueComparison(limits: limits).areSame(found.value, change.new)) != true
            else { return change }
            let now = try text(of: found.value, found)
            // Of what is too large to be compared nothing is said; what stands there is kept all the same.
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

    /// Whether a change that put another one back has left there what stood there before it.
    func hasRestored(_ change: PerformedChange, by back: PerformedChange) -> Bool {
        if let same = try? ValueComparison(limits: limits).areSame(back.new, change.old), same {
            return true
        }
        return back.newText == change.oldText && change.oldText != MaskPolicy.text
    }
}

extension PerformedChange {
    /// The same change with what really stands there after it.
    func standing(_ new: Any?, text: String, of owner: Owner, note: String?) -> PerformedChange {
        PerformedChange(
            oldText: oldText, newText: text, note: note, rootName: rootName, path: path,
            object: object, values: PerformedChange.Values(old: old, new: new), of: owner)
    }
}
#endif
