#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// A walk along a path from a registered object to the place where a value is stored.
///
/// The walk passes objects, structs, tuples, optionals, array elements, dictionary values and existentials. A
/// walk for reading changes nothing and passes copies of elements to its use. A walk for writing passes the
/// storage itself; containers on the path are copied only as any change in place would copy them. Runs on the
/// object's owner.
final class StoredWalk {
    enum Place {
        /// A property, an element, or the present value of a key.
        case value(at: UnsafeMutableRawPointer, type: Any.Type)
        /// The value of a key, present or not.
        case entry(of: UnsafeMutableRawPointer, any DictionaryAccess.Type, key: Any)
        /// A weak or an unowned reference.
        case reference(at: UnsafeMutableRawPointer, StoredField)
    }

    /// The use of the place at the end, with the state of the walk that reached it.
    typealias Use = (Place, StoredWalk) throws(CommandFailure) -> Void

    let masks: MaskPolicy
    let rootName: String
    let isWriting: Bool
    let use: Use
    /// The path so far, as it is typed.
    var rendered: String
    /// Set once a secret was passed or reached.
    var isMasked = false
    private(set) var object: UInt = 0
    /// The reason why the place can't be changed: the property on the path that is a `let`.
    var obstacle: String?
    /// The refusal to change a name that makes another value a secret.
    var nameOfSecret: CommandFailure?
    /// A remark on host code that will not notice a change at the place.
    var note: String?
    /// The lock that guards the place; it is held only while `use` runs.
    var lock: Guard?
    /// True once an object was entered; false on a path through a global or a static property.
    private(set) var isBelowObject = true
    /// True if the storage passed so far has no owner: then a lock must follow, and nothing before it may
    /// change.
    var needsLock: Bool
    /// True if an object or a value at the end is only read: no lock is needed for that.
    var takesObjects = false
    /// The setters of properties with code around their storage; `nil` to write the storage directly.
    var setters: PropertySetters?
    /// The owner access in which the walk runs.
    var turn = Turn()
    /// The actor that was passed and guards the storage after it; the walk doesn't run on that actor.
    var passedActor: PassedActor?
    /// True if the value was passed to a setter, which decides what is stored.
    var hasSet = false
    /// Indicates that a setter or observers run when the place is written.
    var runsCode = false
    /// The object at which the walk starts.
    private(set) var first: AnyObject?

    /// Makes a walk. `use` is called at most once, before ``walk(from:_:)`` returns, and changes the place if
    /// `isWriting` is set.
    init(
        rootName: String, masks: MaskPolicy, isWriting: Bool, needsLock: Bool,
        use: @escaping Use
    ) {
        self.masks = masks
        self.rootName = rootName
        self.isWriting = isWriting
        self.needsLock = needsLock
        self.use = use
        rendered = ValuePath(root: .name(rootName)).description
    }

    /// Walks along the path.
    ///
    /// - Throws: The step that can't be taken and the reason, or the error of `use`.
    func walk(from root: Root, _ path: [ValuePath.Component]) throws(CommandFailure) {
        switch root {
        case .object(let object):
            first = object
            if masks.masks(root: rootName, of: Swift.type(of: object)) { isMasked = true }
            try enter(object, path[...])
        case .variable(let address, let type):
            guard let place = UnsafeMutableRawPointer(bitPattern: address) else { return }
            if masks.masks(root: rootName, of: type) { isMasked = true }
            isBelowObject = false
            try descend(at: place, type, path[...])
        }
    }

    /// The start of a path.
    enum Root {
        case object(AnyObject)
        /// A global or a static property, which has no owner: only storage guarded by a lock in it may be
        /// reached.
        case variable(at: UInt, type: Any.Type)
    }

    typealias Rest = ArraySlice<ValuePath.Component>

    func enter(_ object: AnyObject, _ path: Rest) throws(CommandFailure) {
        let type: Any.Type = Swift.type(of: object)
        let address = Unmanaged.passUnretained(object).toOpaque()
        if masks.masks(type: type) { isMasked = true }
        self.object = UInt(bitPattern: address)
        isBelowObject = true
        obstacle = nil
        note = nil
        pass(object)
        guard case .property(let name)? = path.first else {
            throw path.first.map { unfit($0, type) }
                ?? CommandFailure(
                    .unsupported,
                    "\(rendered) is \(ChangedType.withArticle(type)): a whole object can't be replaced "
                        + "or typed",
                    hint: "`show \(rendered)` lists its properties")
        }
        defer { withExtendedLifetime(object) {} }
        try step(into: name, of: type, at: address, path.dropFirst())
    }

    func descend(
        at place: UnsafeMutableRawPointer, _ type: Any.Type, _ path: Rest
    ) throws(CommandFailure) {
        if masks.masks(type: type) { isMasked = true }
        if TypeMetadata(type).isNoncopyable || Self.isGuard(type) {
            return try enter(noncopyable: type, at: place, path)
        }
        if isMasked, let step = path.first, step.propertyName == nil {
            throw .masked(rendered, Self.setWhole)
        }
        guard let step = path.first else {
            guard !needsLock || takesObjects else {
                throw unowned
            }
            return try use(.value(at: place, type: type), self)
        }
        if let optional = type as? any OptionalAccess.Type {
            guard !optional.isNone(at: place) else {
                throw CommandFailure(
                    .notFound, "\(rendered) is nil; there is nothing at \(step) to change",
                    hint: "`show \(rendered)` tells when it is there")
            }
            // The payload of an optional starts at its first byte, and its bits are unchanged.
            return try descend(at: place, optional.wrapped, path)
        }
        guard !ChangedType.holdsFunction(type) else { throw unfit(step, type) }
        switch TypeMetadata(type).kind {
        case .classType, .foreignClass:
            // Another thread may be assigning another object to the variable.
            guard isBelowObject || !needsLock else { throw PathChanging.unguarded(rootName) }
            try CheckedReference.check(type, at: place, rendered)
            try enter(TypedMemory.load(type, at: place) as AnyObject, path)
        case .structure: try descend(intoStruct: type, at: place, step, path.dropFirst())
        case .tuple:
            guard case .property(let name) = step else { throw unfit(step, type) }
            try self.step(into: name, of: type, at: place, path.dropFirst())
        case .existential, .extendedExistential:
            try descend(intoExistential: type, at: place, path)
        case .enumeration:
            throw CommandFailure(
                .unsupported,
                "\(rendered) is the enum \(TypeNames.name(of: type)), whose payload can't be changed "
                    + "in part",
                hint: "set the whole case: \(EnumLayout(of: type).rendered)")
        default: throw unfit(step, type)
        }
    }

    private func descend(
        intoStruct type: Any.Type, at place: UnsafeMutableRawPointer,
        _ step: ValuePath.Component, _ rest: Rest
    ) throws(CommandFailure) {
        if let array = type as? any ArrayAccess.Type {
            guard case .index(let index) = step else { throw unfit(step, type) }
            guard isBelowObject || !needsLock else { throw PathChanging.unguarded(rootName) }
            try check(index, below: array.count(at: place))
            if isWriting { try CopiedSize.check(at: place, type, rendered) }
            rendered += step.description
            try array.withElement(at: place, index, isWriting: isWriting) {
                (element) throws(CommandFailure) in
                try self.descend(at: element, array.element, rest)
            }
            return
        }
        if case .inlineArray(let count, let element) = TypeShape.of(type) {
            guard case .index(let index) = step else { throw unfit(step, type) }
            try check(index, below: count)
            rendered += step.description
            // The elements are stored in the value itself.
            let offset = index * TypeMetadata(element).stride
            return try descend(at: place + offset, element, rest)
        }
        if let dictionary = type as? any DictionaryAccess.Type {
            return try descend(into: dictionary, type, at: place, step, rest)
        }
        guard case .property(let name) = step, !(type is any TypedScalar.Type),
            !(type is any SetAccess.Type), ValueFormats.format(for: type)?.isTyped != true
        else { throw unfit(step, type) }
        try self.step(into: name, of: type, at: place, rest)
    }

    private func check(_ index: Int, below count: Int) throws(CommandFailure) {
        guard index >= 0, index < count else {
            throw CommandFailure(
                .notFound,
                "\(rendered) has no [\(index)]: it has \(Quantity.count(count, "element", "elements"))",
                hint: count > 0 ? "indices are 0 to \(count - 1)" : nil)
        }
    }

    private func descend(
        into dictionary: any DictionaryAccess.Type, _ type: Any.Type,
        at place: UnsafeMutableRawPointer, _ step: ValuePath.Component, _ rest: Rest
    ) throws(CommandFailure) {
        let literal: Literal
        switch step {
        case .index(let index): literal = .integer(String(index))
        case .key(let key): literal = key
        default: throw unfit(step, type)
        }
        guard !masks.masks(type: dictionary.key) else { throw .masked("\(rendered).keys") }
        let making = LiteralValue(
            subject: "the key of \(rendered)", isMasked: false, masks: masks)
        let key = try making.make(literal, as: dictionary.key)
        switch literal {
        case .string(let name), .enumCase(let name, _):
            if masks.masks(name: name, of: dictionary.value) { isMasked = true }
        default: break
        }
        switch PairedSecrets(dictionary.entries(at: place), of: dictionary.value, masks)
            .part(of: key)
        {
        case .secret: isMasked = true
        case .nameOfSecret: nameOfSecret = .nameOfSecret(rendered + step.description)
        case .other: break
        }
        let before = rendered
        rendered += step.description
        guard isBelowObject || !needsLock else { throw PathChanging.unguarded(rootName) }
        try KeyTrial.check(key, in: dictionary, at: place, rendered)
        guard !rest.isEmpty else {
            guard !needsLock else { throw unowned }
            if masks.masks(type: dictionary.value) { isMasked = true }
            return try use(.entry(of: place, dictionary, key: key), self)
        }
        if isWriting { try CopiedSize.check(at: place, type, before) }
        let isThere = try dictionary.withValue(at: place, of: key, isWriting: isWriting) {
            (value) throws(CommandFailure) in
            try self.descend(at: value, dictionary.value, rest)
        }
        guard isThere else {
            throw CommandFailure(
                .notFound, "\(before) has no key \(step)", hint: "`show \(before)` lists them")
        }
    }

    /// Changes an existential's value as a copy, which then replaces the old one: the box that holds the
    /// value may be shared.
    private func descend(
        intoExistential type: Any.Type, at place: UnsafeMutableRawPointer, _ path: Rest
    ) throws(CommandFailure) {
        guard isBelowObject || !needsLock else { throw PathChanging.unguarded(rootName) }
        try CheckedReference.check(type, at: place, rendered)
        let value = TypedMemory.load(type, at: place)
        let dynamic: Any.Type = Swift.type(of: value)
        if ChangedType.isClass(dynamic) { return try enter(value as AnyObject, path) }
        guard !ChangedType.isExistential(dynamic) else { throw unfit(path.first, type) }
        guard let changed = try changedCopy(of: value, dynamic, path) else { return }
        guard TypedMemory.assign(changed, to: type, at: place) else {
            throw unfit(path.first, type)
        }
    }

    /// A copy of a value, changed by the rest of the path; `nil` if nothing is to be written back.
    func changedCopy(
        of value: Any, _ type: Any.Type, _ rest: Rest
    ) throws(CommandFailure) -> Any? {
        let outcome = TypedMemory.withMemory(for: type) {
            memory -> Result<Any?, CommandFailure> in
            guard TypedMemory.initialize(memory, to: value, as: type) else {
                return .success(nil)
            }
            defer { TypedMemory.destroy(type, at: memory) }
            return Result { () throws(CommandFailure) in
                try self.descend(at: memory, type, rest)
                return isWriting ? TypedMemory.load(type, at: memory) : nil
            }
        }
        return try outcome.get()
    }
}
#endif
