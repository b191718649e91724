#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Changes stored properties of objects that know nothing of it, and puts them back.
///
/// The value is written where it is stored, as the compiler would assign it. What Swift runs
/// around an assignment in source does not run: `willSet` and `didSet`, setters of computed
/// properties and of property wrappers, and the observers of `@Observable`; where the latter two
/// are seen, the change's note says so. Everything is checked before anything is changed.
///
/// Called on the object's owner, within its deadline. No code of the host runs but the
/// `init(from:)` or `init(rawValue:)` of a struct that was typed, and `deinit`s.
struct ValueWriter: Sendable {
    /// How much of a value is looked at to show and to compare it.
    let limits: ReadLimits
    let masks: MaskPolicy
    /// Where the values that it replaces are let go.
    let owner: Owner
    /// Whether it runs on an owner; without one only what a lock guards can be changed.
    var isGuarded = true

    /// Sets what is stored at a path to what was typed: a literal, for a string also a bare word.
    ///
    /// - Throws: Why nothing was changed.
    func set(
        _ root: AnyObject, rootName: String, path: [ValuePath.Component], text: String
    ) throws(CommandFailure) -> PerformedChange {
        let found = try find(root, rootName, path)
        let literal = try literal(text, for: found)
        let making = LiteralValue(
            subject: found.rendered, isMasked: found.isMasked, masks: masks)
        let new: Any? =
            if found.isEntry, case .null = literal, !(found.type is any OptionalAccess.Type) {
                // As in Swift: nil for a key removes it.
                nil
            } else {
                try making.make(literal, as: found.type, current: found.value)
            }
        return try StoredWalk.holding(found.lock, found.rendered) {
            () throws(CommandFailure) in
            // It may have changed before the lock was taken.
            let now = found.lock == nil ? found : try find(root, rootName, path)
            return try write(new, over: now, root, rootName, path)
        }
    }

    /// Puts back what a change below `root` replaced.
    ///
    /// - Throws: ``CommandFailure/Code/conflict`` if another value stands there by now, or why it
    ///   can't be reached any more.
    func undo(
        _ change: PerformedChange, root: AnyObject
    ) throws(CommandFailure) -> PerformedChange {
        let found = try find(root, change.rootName, change.path)
        return try StoredWalk.holding(found.lock, found.rendered) {
            () throws(CommandFailure) in
            let now = found.lock == nil ? found : try find(root, change.rootName, change.path)
            return try undo(change, over: now, root)
        }
    }

    private func undo(
        _ change: PerformedChange, over found: Found, _ root: AnyObject
    ) throws(CommandFailure) -> PerformedChange {
        guard found.object == change.object else {
            throw CommandFailure(
                .conflict,
                "\(found.rendered) belongs to another object by now; nothing was put back",
                hint: "`get \(found.rendered)` shows what stands there; `set` changes it")
        }
        let comparison = ValueComparison(limits: limits)
        guard try comparison.areSame(found.value, change.new) else {
            let now = found.isMasked ? "" : ": it is \(try text(of: found.value, found)) now"
            throw CommandFailure(
                .conflict, "\(found.rendered) has changed since\(now); nothing was put back",
                hint: "`set \(found.rendered) VALUE` sets it all the same")
        }
        return try write(change.old, over: found, root, change.rootName, change.path)
    }

    // MARK: Finding

    /// What stands at a path, and whether it may be changed.
    private struct Found {
        var type: Any.Type
        /// nil where a dictionary has no such key.
        var value: Any?
        var isEntry: Bool
        var rendered: String
        var isMasked: Bool
        var object: UInt
        var note: String?
        var lock: StoredWalk.Guard?
    }

    private func find(
        _ root: AnyObject, _ rootName: String, _ path: [ValuePath.Component]
    ) throws(CommandFailure) -> Found {
        var reached: (type: Any.Type, value: Any?, isEntry: Bool)?
        let rendered = ValuePath(root: .name(rootName), components: path).description
        let walk = StoredWalk(
            rootName: rootName, masks: masks, isWriting: false, needsLock: !isGuarded
        ) {
            (place) throws(CommandFailure) in
            switch place {
            case .value(let address, let type):
                guard !ChangedType.holdsFunction(type) else {
                    throw CommandFailure(
                        .unsupported, "\(rendered) is a function, which can't be typed")
                }
                reached = (type, .some(TypedMemory.load(type, at: address)), false)
            case .entry(let address, let dictionary, let key):
                guard !ChangedType.holdsFunction(dictionary.value) else {
                    throw CommandFailure(
                        .unsupported, "\(rendered) is a function, which can't be typed")
                }
                reached = (dictionary.value, dictionary.value(at: address, of: key), true)
            }
        }
        try walk.walk(from: root, path)
        if let obstacle = walk.obstacle {
            throw CommandFailure(
                .unsupported, obstacle,
                hint: "make it a `var`, or offer an action that changes it")
        }
        guard let reached else {
            throw CommandFailure(.internal, "\(rendered) could not be reached")
        }
        return Found(
            type: reached.type, value: reached.value, isEntry: reached.isEntry,
            rendered: rendered, isMasked: walk.isMasked, object: walk.object, note: walk.note,
            lock: walk.lock)
    }

    // MARK: Writing

    private func write(
        _ new: Any?, over found: Found, _ root: AnyObject, _ rootName: String,
        _ path: [ValuePath.Component]
    ) throws(CommandFailure) -> PerformedChange {
        // Made first: a failure in here must leave everything as it was.
        let oldText = try text(of: found.value, found)
        let newText = try text(of: new, found)
        var isWritten = false
        let walk = StoredWalk(
            rootName: rootName, masks: masks, isWriting: true, needsLock: !isGuarded
        ) {
            place in
            switch place {
            case .value(let address, let type):
                guard let new else { return }
                isWritten = TypedMemory.assign(new, to: type, at: address)
            case .entry(let address, let dictionary, let key):
                isWritten = dictionary.update(at: address, key, to: new)
            }
        }
        try walk.walk(from: root, path)
        guard isWritten else {
            throw CommandFailure(
                .wrongType,
                "\(found.rendered) is \(ChangedType.withArticle(found.type)) and does not take "
                    + (found.isMasked ? "the value" : newText))
        }
        return PerformedChange(
            oldText: oldText, newText: newText, note: found.note, rootName: rootName,
            path: path, object: found.object,
            values: HeldValue(.init(old: found.value, new: new), of: owner, .toOwner))
    }

    // MARK: Texts

    private func text(of value: Any?, _ found: Found) throws(CommandFailure) -> String {
        guard !found.isMasked else { return MaskPolicy.text }
        guard let value else { return "nil" }
        var short = limits
        short.depth = min(limits.depth, 3)
        short.elements = min(limits.elements, 20)
        let reader = ValueReader(limits: short, masks: masks, handles: nil)
        return try reader.read(.value(value), rootName: ReadSession.unnamed, path: [])
            .plainText
    }

    private func literal(_ text: String, for found: Found) throws(CommandFailure) -> Literal {
        do throws(CommandFailure) {
            return try Literal(parsing: text)
        } catch {
            if let word = BareWord.of(text), BareWord.isTaken(by: found.type) {
                return .string(word)
            }
            // The parser's sentence repeats what was typed.
            throw found.isMasked || masks.names.isNamed(in: text)
                || SecretLooks.holdsSecret(text)
                ? CommandFailure(.usage, "what was typed for \(found.rendered) is no value")
                : error
        }
    }
}

/// A text that was typed without quotes: `set photos.prompt WOOT!` in a shell, which took them.
enum BareWord {
    /// The text, if it can't be meant as anything else: it begins with a letter and has no quotes
    /// and no brackets.
    static func of(_ text: String) -> String? {
        var trimmed = text.drop { $0 == " " }
        while trimmed.last == " " { trimmed.removeLast() }
        let word = String(trimmed)
        guard let first = word.unicodeScalars.first, first.properties.isAlphabetic,
            !word.unicodeScalars.contains(where: {
                "\"'`()[]{}\n\r".unicodeScalars.contains($0)
            })
        else { return nil }
        return word
    }

    /// Whether a type is a string or an optional one.
    static func isTaken(by type: Any.Type) -> Bool {
        if let optional = type as? any OptionalAccess.Type {
            return isTaken(by: optional.wrapped)
        }
        return type == String.self || type == Substring.self
    }
}

/// Whether two values of the host are the same, told without its `==`.
struct ValueComparison {
    private let reader: ValueReader

    /// Of values larger than the limits the rest is taken for equal.
    init(limits: ReadLimits) {
        var wide = limits
        wide.depth = max(limits.depth, 16)
        wide.elements = max(limits.elements, 10_000)
        reader = ValueReader(limits: wide, masks: .none, handles: nil)
    }

    /// Whether two values, nil for none at all, have the same structure, text and objects; both are
    /// kept alive by the caller.
    func areSame(_ left: Any?, _ right: Any?) throws(CommandFailure) -> Bool {
        switch (left, right) {
        case (nil, nil): return true
        case (let left?, let right?):
            if TypedMemory.sameBytes(left, right) { return true }
            return areSame(
                try reader.read(.value(left), rootName: "value", path: []),
                try reader.read(.value(right), rootName: "value", path: []))
        default: return false
        }
    }

    // As deep as the reader's own bound.
    private func areSame(_ left: ValueNode, _ right: ValueNode) -> Bool {
        guard left.label == right.label, left.type == right.type, left.count == right.count
        else { return false }
        // An object is what it was however its properties have changed.
        if left.address != nil || right.address != nil { return left.address == right.address }
        guard left.kind == right.kind, left.text == right.text, left.cut == right.cut,
            left.children.count == right.children.count
        else { return false }
        return zip(left.children, right.children).allSatisfy(areSame)
    }
}
#endif
