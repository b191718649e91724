#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// Reads values of the host as trees.
///
/// Called on the owner of the object. It copies memory of the host, or of a snapshot of it, with guarded
/// reads and interprets the copies. It retains nothing. The only host code it runs is the constants of
/// ``TelltaleReflectable`` and the formats of trivial (POD) values. An invalid pointer results in a node that
/// says so.
struct ValueReader: Sendable {
    let limits: ReadLimits
    let masks: MaskPolicy
    let handles: HandleTable?

    /// Makes a reader, which assigns handles to objects if it has a handle table.
    init(limits: ReadLimits, masks: MaskPolicy, handles: HandleTable?) {
        var limits = limits
        limits.depth = min(max(limits.depth, 0), ReadLimits.deepest)
        limits.elements = max(limits.elements, 0)
        limits.stringBytes = min(max(limits.stringBytes, 0), MemoryBlock.largest)
        self.limits = limits
        self.masks = masks
        self.handles = handles
    }

    /// Reads the value at the end of a path, within the limits.
    ///
    /// - Throws: `.notFound` if the path leads nowhere, `.denied` below a masked value.
    func read(
        _ root: ReadRoot, rootName: String, path: [ValuePath.Component],
        in source: MemorySource = .process
    ) throws(CommandFailure) -> ValueNode {
        let content = try readContent(root, rootName: rootName, path: path, in: source)
        number(content, rootName: rootName)
        return content.node
    }

    /// Reads as ``read(_:rootName:path:in:)`` does; the objects in a packed tree have no handles yet.
    func readContent(
        _ root: ReadRoot, rootName: String, path: [ValuePath.Component],
        query: ReadQuery? = nil, in source: MemorySource = .process
    ) throws(CommandFailure) -> ValueContent {
        let walk = walk(rootName: rootName, isPlain: false, source: source)
        return try Self.with(root, walk) { start throws(CommandFailure) in
            let place = try walk.go(from: start, along: path)
            if !limits.asked.isEmpty, query == nil {
                let detail = try MemoryReading(walk).detail(at: place)
                return .detailed(walk.node(at: place), detail)
            }
            if let query {
                return try query.content(at: place, from: start, in: walk)
            }
            return walk.content(at: place)
        }
    }

    /// Assigns handles to the objects in a tree. Not called on the owner.
    func number(_ content: ValueContent, rootName: String) {
        if case .packed(let tree as ReadTree) = content {
            handles?.number(tree, rootName: rootName)
        }
    }

    /// Reads a value without an owner; `nil` if the read needs more than constants and trivial machine words.
    ///
    /// - Throws: The errors of ``read(_:rootName:path:in:)``.
    func readPlain(
        _ root: ReadRoot, rootName: String, path: [ValuePath.Component]
    ) throws(CommandFailure) -> ValueNode? {
        try readPlainContent(root, rootName: rootName, path: path)?.node
    }

    /// Reads as ``readPlain(_:rootName:path:)`` does, including a query and the requested details.
    func readPlainContent(
        _ root: ReadRoot, rootName: String, path: [ValuePath.Component], query: ReadQuery? = nil
    ) throws(CommandFailure) -> ValueContent? {
        let walk = walk(rootName: rootName, isPlain: true)
        do {
            let content = try Self.with(root, walk) {
                start throws(CommandFailure) -> ValueContent in
                let place = try walk.go(from: start, along: path)
                if let query {
                    return try query.content(at: place, from: start, in: walk)
                }
                guard !limits.asked.isEmpty else { return walk.content(at: place) }
                let detail = try MemoryReading(walk).detail(at: place)
                return .detailed(walk.node(at: place), detail)
            }
            guard !walk.session.needsMore else { return nil }
            number(content, rootName: rootName)
            return content
        } catch {
            if walk.session.needsMore { return nil }
            throw error
        }
    }

    /// The completions of a path: names of properties, or indices and keys in brackets if `prefix`, the typed
    /// start of the next component, begins with a bracket.
    func completions(
        of root: ReadRoot, rootName: String, path: [ValuePath.Component], prefix: String,
        max: Int
    ) -> [CompletedStep] {
        let walk = walk(rootName: rootName, isPlain: false)
        let found = try? Self.with(root, walk) { start throws(CommandFailure) in
            try walk.completions(
                at: try walk.go(from: start, along: path), prefix: prefix, max: max)
        }
        return found ?? []
    }

    /// The address of the object at the end of a path and its class name as in answers; `nil` if the value is
    /// not an object.
    ///
    /// - Throws: The errors of ``read(_:rootName:path:in:)``.
    func object(
        _ root: ReadRoot, rootName: String, path: [ValuePath.Component],
        in source: MemorySource = .process
    ) throws(CommandFailure) -> (address: UInt, typeName: String)? {
        let walk = walk(rootName: rootName, isPlain: false, source: source)
        return try Self.with(root, walk) { start throws(CommandFailure) in
            let place = try walk.settle(try walk.go(from: start, along: path))
            guard case .object(let address, let type) = place else { return nil }
            return (address, TypeNames.name(of: type))
        }
    }

    /// Reads a value as a name: a dictionary's key, or the name in a pair. Called on its owner.
    static func name(of name: Any, masks: MaskPolicy) -> NameText {
        let reader = ValueReader(
            limits: ReadLimits(deadline: .now.advanced(by: .seconds(1))), masks: masks,
            handles: nil)
        let node = try? reader.read(.value(name), rootName: ReadSession.unnamed, path: [])
        return NameText(of: node ?? ValueNode(type: "", kind: .unavailable))
    }

    /// The reason why a value's own description is not run: its text is the host's, and may reveal a masked
    /// value. `nil` if all values reachable from it were read and none is a secret. Called on the value's
    /// owner.
    func refusalToDescribe(_ root: ReadRoot, rootName: String) -> CommandFailure? {
        let hint =
            "`show \(ValuePath(root: .name(rootName)))` shows everything that is not a secret"
        let (seen, masksSomething) = readFar(into: root, rootName: rootName)
        guard let node = seen, !masksSomething else {
            return CommandFailure(
                .denied,
                "the description of \(rootName) is not run: a secret is in its reach",
                hint: hint)
        }
        guard node.isComplete else {
            return CommandFailure(
                .denied,
                "the description of \(rootName) is not run: not all that is in its reach could "
                    + "be looked at for secrets", hint: hint)
        }
        return nil
    }

    /// Returns whether a secret is reachable from a value, as far as it can be read. Called on the value's
    /// owner.
    func findsSecret(in value: Any) -> Bool {
        readFar(into: .value(value), rootName: ReadSession.unnamed).masksSomething
    }

    // Reads more than is shown, because the text to be checked may come from any part of the value.
    private func readFar(
        into root: ReadRoot, rootName: String
    ) -> (node: ValueNode?, masksSomething: Bool) {
        var wide = limits
        wide.isBrief = false
        wide.depth = ReadLimits.deepest / 2
        wide.elements = 10_000
        wide.bytes = 16 << 20
        let walk = ValueReader(limits: wide, masks: masks, handles: nil)
            .walk(rootName: rootName, isPlain: false)
        let node = try? Self.with(root, walk) { start throws(CommandFailure) in
            walk.node(at: try walk.go(from: start, along: []))
        }
        return (node, walk.session.masksSomething)
    }

    private struct HeldValue { let value: Any }

    private func walk(
        rootName: String, isPlain: Bool, source: MemorySource = .process
    ) -> PathWalk {
        PathWalk(
            session: ReadSession(
                limits: limits, masks: masks, handles: handles, rootName: rootName,
                isPlain: isPlain, source: source))
    }

    /// Calls a body with the root's place, while the value of a root is kept alive.
    private static func with<Result>(
        _ root: ReadRoot, _ walk: PathWalk,
        _ body: (PathWalk.Place) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        guard MetadataLayout.current.has(.types) else {
            throw CommandFailure(
                .unsupported,
                "this Swift runtime describes types in a way the agent doesn't know",
                hint: "the agent reads values of Swift 6.3 on 64-bit platforms")
        }
        // The path may have led through a lock, which is held while the values after it are read.
        defer { walk.session.endTurns() }
        return try GuardedReading.during { () throws(CommandFailure) in
            TypeImages.check()
            return try start(root, walk, body)
        }
    }

    private static func start<Result>(
        _ root: ReadRoot, _ walk: PathWalk,
        _ body: (PathWalk.Place) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        switch root {
        case .object(let address): return try body(try walk.object(at: address))
        case .variable(let address, let type):
            guard
                let view = ValueView(
                    of: type, at: address, in: walk.session.source, isStable: false,
                    isVariable: true)
            else { throw CommandFailure(.internal, "the variable could not be read") }
            return try body(.spot(.init(view: view, field: nil)))
        case .value(let value):
            guard case .process = walk.session.source else {
                throw CommandFailure(
                    .unsupported, "a value that a closure makes has no snapshot")
            }
            // Passed in a struct, because a bare existential would be opened on its way into the generic
            // function.
            return try withUnsafePointer(to: HeldValue(value: value)) {
                pointer throws(CommandFailure) in
                guard let view = ValueView(ofOwn: Any.self, at: pointer) else {
                    throw CommandFailure(.internal, "the value could not be read")
                }
                return try body(
                    .spot(
                        .init(view: view, field: nil)))
            }
        }
    }
}

extension ValueNode {
    /// True if the whole value was read.
    fileprivate var isComplete: Bool {
        // The reader's depth limit bounds the recursion.
        cut == nil && kind != .unavailable && children.allSatisfy(\.isComplete)
    }
}

/// The root of a read: the value of a registered name.
enum ReadRoot {
    /// An object of the host. Nothing keeps it alive: if it is freed, the read's result is useless.
    case object(at: UInt)
    /// A value made by a closure of the host's.
    case value(Any)
    /// A global or a static property, at its address.
    case variable(at: UInt, Any.Type)
}
#endif
