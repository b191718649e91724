#if TELLTALE_AGENT
import TelltaleProtocol

// A change in which no code of the host's runs.
extension ValueWriter {
    /// Changes what is stored at a path, in one walk: two of them take 4 µs more, and are made where a lock or
    /// a setter stands on the way.
    ///
    /// - Throws: Something, with nothing changed, where that code may run or the change can't be made.
    func changeSilently(
        _ root: StoredWalk.Root, _ rootName: String, _ path: [ValuePath.Component],
        _ edit: ValueEdit
    ) throws(CommandFailure) -> (change: PerformedChange, seen: KeptPlace.Seen?) {
        let rendered = ValuePath(root: .name(rootName), components: path).description
        var change: PerformedChange?
        var seen: KeptPlace.Seen?
        let walk = StoredWalk(
            rootName: rootName, masks: masks, isWriting: true, needsLock: !isGuarded
        ) { (place, walk) throws(CommandFailure) in
            guard place.isSilent else { throw StoredWalk.notSilent }
            try walk.checkObstacle()
            let found = Found(try place.load(rendered), rendered, on: walk)
            change = try replace(found, at: place, rootName, path, edit)
            seen = KeptPlace.Seen(place, on: walk)
        }
        prepare(walk)
        try walk.walk(from: root, path)
        guard let change else { throw StoredWalk.notSilent }
        return (change, seen)
    }

    /// Changes what stands where a kept way leads from an object.
    ///
    /// - Returns: nil where it leads nowhere now, with nothing changed.
    func changeSilently(
        _ kept: KeptPlace, from root: AnyObject, _ edit: ValueEdit
    ) throws(CommandFailure) -> PerformedChange? {
        guard let (address, holder) = kept.place(from: root) else { return nil }
        defer { withExtendedLifetime(holder) {} }
        let found = Found(
            TypedMemory.load(kept.type, at: address), kept.type, in: holder, kept.rendered)
        let target = kept.target
        return try replace(
            found, at: .value(at: address, type: kept.type), target.entry.name, target.path, edit)
    }

    private func replace(
        _ found: Found, at place: StoredWalk.Place, _ rootName: String,
        _ path: [ValuePath.Component], _ edit: ValueEdit
    ) throws(CommandFailure) -> PerformedChange {
        let new = try new(edit, over: found)
        try check(new, over: found)
        let change = PerformedChange(
            oldText: try text(of: found.value, found), newText: try text(of: new, found),
            note: found.note, rootName: rootName, path: path, object: found.object,
            values: PerformedChange.Values(old: found.value, new: new).held(of: owner))
        guard new.map(place.assign) ?? place.remove() else { throw unfit(new, found) }
        return change
    }
}
#endif
