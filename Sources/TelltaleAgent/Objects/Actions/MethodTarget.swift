#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The target of a method call: the object, or the trivial (POD) value, at the end of a path.
struct MethodTarget: Sendable {
    enum Sort: Sendable {
        case object
        /// An actor, which is its own owner wherever the path leads to it.
        case actor(WeakActor)
        /// A value; methods are called only on trivial (POD) ones.
        case value
        /// The type itself, for a static method.
        case type
    }

    let entry: RegistryEntry
    let path: [ValuePath.Component]
    /// The object expected at the end of the path, if a handle names it.
    let expected: HandleTable.Place?
    let rendered: String
    let type: Any.Type
    let sort: Sort

    /// The owner on which the methods run.
    var owner: Owner {
        if case .actor(let actor) = sort { return .actor(actor) }
        return entry.owner
    }

    var isType: Bool {
        if case .type = sort { return true }
        return false
    }

    /// Finds the target at a path, on its owner.
    ///
    /// - Throws: The reason why there is nothing to call.
    static func find(
        _ path: ValuePath, in context: CommandContext
    ) throws(CommandFailure) -> MethodTarget {
        let target = try owned(try PathReading(context: context).resolve(path), in: context)
        let entry = target.entry
        let masks = context.agent.masks
        return try ObjectReading.onOwner(of: entry, within: OwnerTime(in: context), in: context) {
            () throws(CommandFailure) in
            try look(from: try Self.root(of: entry, target.expected, masks), target, masks)
        }
    }

    /// Replaces a target that was found in memory, or is in a global, by the same target reached from a
    /// registered object, whose owner then applies.
    private static func owned(
        _ target: PathReading.Target, in context: CommandContext
    ) throws(CommandFailure) -> PathReading.Target {
        guard !target.entry.isMade else { throw unowned(target.rendered) }
        guard target.entry.isFound else { return target }
        switch FoundOwner(context: context).finding(of: target) {
        case .target(let owned): return owned
        case .nobody: throw unowned(target.rendered)
        case .unknown:
            throw CommandFailure(
                .timeout,
                "\(target.rendered) was found in memory, and an owner did not answer in time whether it "
                    + "leads there; nothing was called",
                hint: "`stuck` says who holds it")
        }
    }

    private static func unowned(_ rendered: String) -> CommandFailure {
        CommandFailure(
            .unsupported,
            "\(rendered) has no owner that is known, so that nothing says where its methods may run",
            hint:
                "in the service: Telltale.register(object, as: \"name\", on: queue), or what refers to it"
        )
    }

    /// The root of the path, if the expected object is still at its end. Called on the owner.
    static func root(
        of entry: RegistryEntry, _ expected: HandleTable.Place?, _ masks: MaskPolicy
    ) throws(CommandFailure) -> AnyObject {
        guard let root = entry.reference?.retained() else { throw ObjectReading.gone(entry) }
        let address = UInt(bitPattern: Unmanaged.passUnretained(root).toOpaque())
        try expected?.verify(in: .object(at: address), masks: masks)
        return root
    }

    // Called on the owner.
    private static func look(
        from root: AnyObject, _ target: PathReading.Target, _ masks: MaskPolicy
    ) throws(CommandFailure) -> MethodTarget {
        var found: MethodTarget?
        func make(_ type: Any.Type, _ sort: Sort) {
            found = MethodTarget(
                entry: target.entry, path: target.path, expected: target.expected,
                rendered: target.rendered, type: type, sort: sort)
        }
        try reach(
            root, target.entry, target.path, masks,
            uncopied: { type in if let type { make(type, .value) } }
        ) { value, _ in
            let type = Swift.type(of: value)
            if let actor = value as? any Actor {
                make(type, .actor(WeakActor(actor)))
            } else {
                make(type, ChangedType.isClass(type) ? .object : .value)
            }
        }
        guard let found else {
            throw CommandFailure(.notFound, "\(target.rendered) is nil: there is nothing to call")
        }
        guard case .object = found.sort, !target.path.isEmpty, target.entry.owner.isNone else {
            return found
        }
        throw PathChanging.unowned(target.entry.name)
    }

    /// Passes the value at a path to `use`, on the owner; `use` is not called for `nil`. With `uncopied`, the
    /// type of an ``UncopiedValue`` is passed to that instead.
    static func reach(
        _ root: AnyObject, _ entry: RegistryEntry, _ path: [ValuePath.Component],
        _ masks: MaskPolicy, uncopied: ((Any.Type?) -> Void)? = nil,
        _ use: (Any, StoredWalk?) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        guard !path.isEmpty else { return try use(root, nil) }
        var reached: Any?
        var isUncopied = false
        let walk = StoredWalk(
            rootName: entry.name, masks: masks, isWriting: false,
            needsLock: entry.owner.isNone
        ) { (place, walk) throws(CommandFailure) in
            guard !ChangedType.holdsFunction(place.type) else { return }
            if let uncopied, case .value(let address, let type) = place,
                let found = UncopiedValue(type, at: address)
            {
                isUncopied = true
                return uncopied(found.type)
            }
            reached = try place.load(walk.rendered).value
        }
        walk.takesObjects = true
        walk.turn = .init(on: entry.owner)
        try walk.walk(from: .object(root), path)
        guard !walk.isMasked else {
            throw CommandFailure(
                .denied, "\(walk.rendered) holds a secret: its methods are not called")
        }
        guard walk.lock == nil else {
            throw CommandFailure(
                .unsupported, "\(walk.rendered) is in a lock: its methods are not called",
                hint: "offer an action that takes the lock")
        }
        guard !isUncopied, let value = reached.flatMap(unwrapped) else { return }
        if let passed = walk.passedActor, !(value is any Actor) {
            throw passed.failure(entry.name)
        }
        try use(value, walk)
    }

    /// The value in an optional, or the value itself; `nil` for an empty optional.
    private static func unwrapped(_ value: Any) -> Any? {
        guard let optional = Swift.type(of: value) as? any OptionalAccess.Type else { return value }
        return TypedMemory.withMemory(for: optional) { place -> Any? in
            guard TypedMemory.initialize(place, to: value, as: optional) else { return nil }
            defer { TypedMemory.destroy(optional, at: place) }
            guard !optional.isNone(at: place) else { return nil }
            return unwrapped(TypedMemory.load(optional.wrapped, at: place))
        }
    }
}

/// The type of a value that is not copied to look for its methods: methods are called only on trivial (POD)
/// values and on objects, and copying retains whatever the value's words refer to. If the host has damaged
/// them, a retain ends the process.
struct UncopiedValue {
    /// Nil for an optional that is `nil`.
    let type: Any.Type?

    /// Looks through optionals at an address; nil for a type whose values are copied.
    init?(_ declared: Any.Type, at address: UnsafeMutableRawPointer) {
        guard let type = ChangedType.payload(of: declared, at: address) else {
            self.type = nil
            return
        }
        let metadata = TypeMetadata(type)
        switch metadata.kind {
        case .structure, .enumeration, .tuple:
            guard !metadata.isTrivial else { return nil }
            self.type = type
        default: return nil
        }
    }
}
#endif
