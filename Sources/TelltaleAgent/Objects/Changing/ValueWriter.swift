#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Changes stored properties of objects without support from them, and undoes the changes.
///
/// The value is written to its storage, as the compiler would assign it. If the property has code around its
/// storage (`willSet` and `didSet`, computed properties, property wrappers, `@Observable`), the value is
/// passed to its setter instead. If that setter is not known or not wanted, the change's note says what did
/// not run. Everything is checked before anything is changed.
///
/// Called on the object's owner, within its deadline. The only host code that runs is such setters, the
/// `init(from:)` or `init(rawValue:)` of a typed struct, the hashing of keys, and `deinit`s.
struct ValueWriter: Sendable {
    /// The limits for reading a value to show and to compare it.
    let limits: ReadLimits
    let masks: MaskPolicy
    /// The owner on which replaced values are released.
    let owner: Owner
    /// True on an owner; without one only storage guarded by a lock can be changed.
    var isGuarded = true
    /// The setters of properties with code around their storage; `nil` to write the storage directly.
    var setters: PropertySetters?
    /// True to write nothing where the value is the new one already.
    var skipsSameValue = false
    /// True to refuse, as not confirmed, to empty a collection of many elements.
    var asksBeforeEmptying = false
    /// The name under which an object is registered.
    var registeredName: @Sendable (AnyObject) -> String? = { _ in nil }

    /// Changes the value stored at a path.
    ///
    /// - Throws: The reason why nothing was changed.
    func change(
        _ root: StoredWalk.Root, rootName: String, path: [ValuePath.Component], _ edit: ValueEdit
    ) throws(CommandFailure) -> PerformedChange {
        var found = try find(root, rootName, path)
        var attempts = 0
        while true {
            let new = try self.new(edit, over: found)
            let outcome = try StoredWalk.holding(found.lock, found.rendered) {
                () throws(CommandFailure) -> Attempt in
                guard found.lock != nil else {
                    return .done(try write(new, over: found, root, rootName, path))
                }
                // The value may have changed before the lock was taken.
                let now = try find(root, rootName, path)
                guard !edit.dependsOnValue || Self.isUnchanged(found, now) else {
                    return .moved(now)
                }
                return .done(try write(new, over: now, root, rootName, path))
            }
            switch outcome {
            case .done(let change): return change
            case .moved(let now): found = now
            }
            attempts += 1
            guard attempts < Self.mostAttempts else {
                throw CommandFailure(
                    .conflict,
                    "\(found.rendered) was changed by the service each time before its lock was taken; "
                        + "nothing was changed", hint: "try again")
            }
        }
    }

    private enum Attempt {
        case done(PerformedChange)
        /// The value at the place had changed by the time its lock was taken.
        case moved(Found)
    }

    private static let mostAttempts = 8

    private static func isUnchanged(_ before: Found, _ now: Found) -> Bool {
        switch (before.value, now.value) {
        case (nil, nil): true
        case (let before?, let now?): TypedMemory.sameBytes(before, now)
        default: false
        }
    }

    /// The result of an edit of the value at a place; `nil` to remove a key.
    func new(_ edit: ValueEdit, over found: Found) throws(CommandFailure) -> Any? {
        let making = EditedValue(found: found, masks: masks, deadline: makingDeadline)
        return try making.value(after: edit)
    }

    /// The deadline for making a value: the last quarter of the time is reserved for showing and writing it.
    var makingDeadline: MonotonicTime {
        let left = limits.deadline.remaining
        return .now.advanced(by: left - left / 4)
    }

    /// Restores the value that a change below `root` replaced.
    ///
    /// - Throws: ``CommandFailure/Code/conflict`` if the place has another value by now, or the reason why it
    ///   can't be reached any more.
    func undo(
        _ change: PerformedChange, root: StoredWalk.Root
    ) throws(CommandFailure) -> PerformedChange {
        let found = try find(root, change.rootName, change.path)
        return try StoredWalk.holding(found.lock, found.rendered) {
            () throws(CommandFailure) in
            let now = found.lock == nil ? found : try find(root, change.rootName, change.path)
            return try undo(change, over: now, root)
        }
    }

    private func undo(
        _ change: PerformedChange, over found: Found, _ root: StoredWalk.Root
    ) throws(CommandFailure) -> PerformedChange {
        try checkUndo(of: change, over: found)
        return try write(change.old, over: found, root, change.rootName, change.path)
    }

    func checkUndo(
        of change: PerformedChange, over found: Found
    ) throws(CommandFailure) {
        guard found.object == change.object else {
            throw CommandFailure(
                .conflict,
                "not undone: \(found.rendered) belongs to another object by now",
                hint: "`get \(found.rendered)` shows what stands there; `set` changes it")
        }
        let comparison = ValueComparison(limits: limits)
        guard try comparison.areSame(found.value, change.new) else {
            let now =
                found.isMasked
                ? "another value than the one"
                : "\(try text(of: found.value, found)), not the \(change.newText)"
            throw CommandFailure(
                .conflict, "not undone: \(found.rendered) is now \(now) that the change set",
                hint:
                    "undo the later change first (`changes` lists them), or type `set \(found.rendered) VALUE`"
            )
        }
    }

    // MARK: Finding

    /// The value at a path that may be changed.
    struct Found {
        private var reached: StoredWalk.Reached
        var rendered: String
        var isMasked: Bool
        var object: UInt
        var note: String?
        /// Indicates that a setter or observers run when it is changed.
        var runsCode: Bool
        var lock: StoredWalk.Guard?

        init(_ reached: StoredWalk.Reached, _ rendered: String, on walk: StoredWalk) {
            self.reached = reached
            self.rendered = rendered
            isMasked = walk.isMasked
            object = walk.object
            note = walk.note
            runsCode = walk.runsCode
            lock = walk.lock
        }

        var type: Any.Type { reached.type }
        /// The value; `nil` if a dictionary has no such key.
        var value: Any? {
            get { reached.value }
            set { reached.value = newValue }
        }
        var isEntry: Bool { reached.isEntry }
        /// True for a weak or an unowned reference.
        var isReference: Bool { reached.isReference }
    }

    func find(
        _ root: StoredWalk.Root, _ rootName: String, _ path: [ValuePath.Component]
    ) throws(CommandFailure) -> Found {
        var reached: StoredWalk.Reached?
        let rendered = ValuePath(root: .name(rootName), components: path).description
        let walk = StoredWalk(
            rootName: rootName, masks: masks, isWriting: false, needsLock: !isGuarded
        ) {
            (place, _) throws(CommandFailure) in
            reached = try place.load(rendered)
        }
        prepare(walk)
        try walk.walk(from: root, path)
        try walk.checkObstacle()
        guard let reached else {
            throw CommandFailure(.internal, "\(rendered) could not be reached")
        }
        return Found(reached, rendered, on: walk)
    }

    func prepare(_ walk: StoredWalk) {
        walk.setters = setters
        walk.turn = .init(on: owner, registeredName: registeredName)
    }

    // MARK: Writing

    private func write(
        _ new: Any?, over found: Found, _ root: StoredWalk.Root, _ rootName: String,
        _ path: [ValuePath.Component]
    ) throws(CommandFailure) -> PerformedChange {
        try check(new, over: found)
        // The texts are made first: a failure here must leave everything unchanged.
        let oldText = try text(of: found.value, found)
        let newText = try text(of: new, found)
        if skipsSameValue, try isSame(new, over: found, newText, oldText) {
            return PerformedChange(
                keeping: newText, rootName: rootName, path: path, object: found.object,
                of: owner)
        }
        if asksBeforeEmptying { try checkEmptying(to: new, found) }
        var isWritten = false
        // The walk that found the place has judged the names on the path.
        let walk = StoredWalk(
            rootName: rootName, masks: .none, isWriting: true, needsLock: !isGuarded
        ) {
            place, _ in
            isWritten = new.map(place.assign) ?? place.remove()
        }
        prepare(walk)
        try walk.walk(from: root, path)
        guard isWritten else { throw unfit(new, found) }
        let change = PerformedChange(
            oldText: oldText, newText: newText, note: walk.note, rootName: rootName,
            path: path, object: found.object,
            values: PerformedChange.Values(old: found.value, new: new), of: owner)
        return walk.hasSet ? standing(change, root) : change
    }

    func check(_ new: Any?, over found: Found) throws(CommandFailure) {
        guard let new else {
            guard found.isEntry else { throw unfit(new, found) }
            return
        }
        guard TypedMemory.isValue(new, of: found.type) else { throw unfit(new, found) }
    }

    func unfit(_ new: Any?, _ found: Found) -> CommandFailure {
        let text = (try? text(of: new, found)) ?? "the value"
        return CommandFailure(
            .wrongType,
            "\(found.rendered) is \(ChangedType.withArticle(found.type)) and does not take "
                + (found.isMasked ? "the value" : text))
    }

    // MARK: Texts

    func text(of value: Any?, _ found: Found) throws(CommandFailure) -> String {
        guard !found.isMasked else { return MaskPolicy.text }
        guard let value else { return "nil" }
        // Checks the type instead of casting the value, because a cast looks through an optional.
        if Swift.type(of: value) is any TypedScalar.Type,
            let text = (value as? any TypedScalar)?.typedText
        {
            return text
        }
        var short = limits
        short.depth = min(limits.depth, 3)
        short.elements = min(limits.elements, 20)
        let reader = ValueReader(limits: short, masks: masks, handles: nil)
        return try reader.read(.value(value), rootName: ReadSession.unnamed, path: [])
            .plainText
    }
}
#endif
