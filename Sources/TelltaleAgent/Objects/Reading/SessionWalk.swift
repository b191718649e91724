#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// The walk of a read, and the reading of the kinds that a plan can't express.
///
/// Not thread-safe: it belongs to one read.
final class SessionWalk: TreeWalkReader {
    private let session: ReadSession
    private let maker: NodeMaker
    private let making: PlanMaking
    private let shown: ShownObjects
    /// The path at which the walk, or the inner one of a value's parts, began.
    private var basePath: [ValuePath.Component]
    private let walk: TreeWalk

    /// Starts a walk at the end of the session's path; `shown` are the objects that are in the answer.
    init(_ session: ReadSession, shown: ShownObjects = ShownObjects()) {
        walk = TreeWalk(
            pool: session.masks.plans, bounds: Self.bounds(session, level: 0),
            source: session.source, start: Self.start(session), shown: shown)
        self.session = session
        self.shown = shown
        maker = NodeMaker(session: session)
        making = PlanMaking(session: session)
        basePath = session.path
    }

    private static func bounds(_ session: ReadSession, level: Int) -> TreeWalk.Bounds {
        let limits = session.limits
        var bounds = TreeWalk.Bounds(until: session.deadline)
        bounds.depth = session.depth(at: level)
        bounds.elements = limits.elements
        bounds.bytes = limits.bytes
        bounds.stringBytes = limits.stringBytes
        bounds.masks = session.masks.isActive
        bounds.givesHandles = session.givesHandles
        bounds.isPlain = session.isPlain
        bounds.repeats = limits.repeats
        bounds.isBrief = limits.isBrief
        return bounds
    }

    private static func start(_ session: ReadSession) -> TreeWalk.Start {
        let path = session.givesHandles ? EncodedPath.bytes(of: session.path) : []
        return TreeWalk.Start(steps: session.path.count, path: path)
    }

    // MARK: Reading

    /// The value at a place; `nil` for a place without a stored value.
    func tree(at place: PathWalk.Place) -> ReadTree? {
        tree { walk in
            switch place {
            case .spot(let spot) where spot.field?.isLazy != true: walk.add(spot.view)
            case .object(let address, let type): walk.add(objectAt: address, declared: type)
            case .elements(let range, let storage, let type):
                walk.add(
                    range, most: ReadLimits.longestRange, of: storage, type,
                    wanted: range.count, level: 0)
            default: false
            }
        }
    }

    /// The selected elements of an array, as an array of `count`. With `fields`, only these properties of
    /// each element.
    func tree(
        of elements: ChosenElements, count: Int, fields: [[String]]?, note: String? = nil,
        cut: ValueNode.Cut? = nil
    ) -> ReadTree? {
        tree { walk in
            func add() -> Bool {
                switch elements.positions {
                case .range(let range):
                    walk.add(
                        range, most: range.count, of: elements.storage, elements.type,
                        wanted: range.count, level: 0)
                case .list(let list):
                    walk.add(list, of: count, in: elements.storage, elements.type)
                }
            }
            let isDone = fields.map { walk.wanting($0, add) } ?? add()
            if let note { walk.remark(note) }
            if let cut { walk.cut(cut) }
            return isDone
        }
    }

    /// At most `most` of the entries of a set or a dictionary at some positions.
    func tree(
        of storage: HashStorage, _ type: Any.Type, most: Int,
        where isWanted: @escaping (Int) -> Bool
    ) -> ReadTree? {
        tree { $0.add(storage, type, most: most, level: 0, where: isWanted) }
    }

    private func tree(_ body: (TreeWalk) -> Bool) -> ReadTree? {
        let outer = (session.walk, session.shown)
        (session.walk, session.shown) = (self, shown)
        defer { (session.walk, session.shown) = outer }
        let tree = walk.tree(
            by: self, spent: session.spent, isLate: session.stop == "deadline", body)
        if walk.hidesSomething { session.masksSomething = true }
        return tree
    }

    /// The node that a body adds at the end of the session's path: a part of the value that is being read, or
    /// a value of its own. `nil` if the body adds none.
    static func node(
        in session: ReadSession, level: Int, _ body: (TreeWalk) -> Bool
    ) -> ValueNode? {
        if let walk = session.walk { return walk.inner(level, body) }
        let walk = SessionWalk(session, shown: session.shown)
        guard let tree = walk.tree(body) else { return nil }
        session.spent = walk.walk.spent
        session.checkTime()
        if session.givesHandles { session.handles?.number(tree, rootName: session.rootName) }
        tree.settle(session.shown)
        return tree.node
    }

    private func inner(_ level: Int, _ body: (TreeWalk) -> Bool) -> ValueNode? {
        let outer = (basePath, walk.isLate)
        basePath = session.path
        walk.spent = session.spent
        walk.isLate = session.stop == "deadline"
        let node = walk.node(
            from: Self.start(session), within: Self.bounds(session, level: level),
            session.shown, body)
        session.spent = walk.spent
        (basePath, walk.isLate) = outer
        session.checkTime()
        return node
    }

    /// True if the walk ended at the deadline: the value read last may be incomplete.
    var isLate: Bool { walk.isLate }
    /// True if the walk ended at the size limit.
    var isFull: Bool { walk.spent >= session.limits.bytes }

    // MARK: Calls from the session

    /// A provisional handle, which the tree records.
    func handle(of address: UInt, typeName: String) -> Int? {
        walk.handle(of: address, typeName: typeName, path: EncodedPath.bytes(of: session.path))
    }

    // MARK: Callbacks of the walk

    func shape(of type: Any.Type, isBare: Bool) -> PlanShape {
        making.shape(of: type, isBare: isBare)
    }

    func leavesOutParts(of type: Any.Type) -> Bool { session.leavesOutParts(of: type) }

    func value(
        _ view: ValueView?, _ type: Any.Type, isBare: Bool, label: String?, level: Int
    ) -> ValueNode {
        inSession {
            guard let view else { return maker.unavailable(type, label, NodeMaker.changing) }
            return maker.special(view, label: label, level: level, isBare: isBare)
        }
    }

    func object(at address: UInt, declared: Any.Type, label: String?, level: Int) -> ValueNode {
        inSession {
            maker.specialObject(at: address, declared: declared, label: label, level: level)
        }
    }

    func known(_ address: UInt) -> KnownObject? { session.known(object: address) }

    func part(_ index: Int, of type: Any.Type, in view: ValueView?, level: Int) -> ValueNode {
        inSession {
            let planned = session.plan(of: type)[index]
            guard let view else {
                return maker.unavailable(
                    planned.field.type, planned.field.shownName, NodeMaker.changing)
            }
            return maker.child(planned, of: view, level: level)
        }
    }

    func key(_ view: ValueView, valueType: Any.Type) -> TreeWalk.JudgedKey {
        inSession {
            let masksSomething = session.masksSomething
            session.masksSomething = false
            defer { session.masksSomething = masksSomething || session.masksSomething }
            let key = session.uncounted { DictionaryKey(view, maker: maker) }
            let step: TreeWalk.Step? =
                switch key.step {
                case .index(let index)?: .position(index)
                case .key(let literal)?: .key(literal.description)
                default: nil
                }
            return TreeWalk.JudgedKey(
                label: key.label, step: step, isSecret: key.isSecret(valueType: valueType),
                isPairName: key.isPairName, hidesSomething: session.masksSomething)
        }
    }

    func secretPositions(in dictionary: ValueView) -> Set<Int> {
        inSession { NodeMaker.table(dictionary).map(maker.secretsByPair) ?? [] }
    }

    /// Runs a body with the session in the state it would have if Swift had walked to this place.
    private func inSession<Result>(_ body: () -> Result) -> Result {
        session.spent = walk.spent
        session.path =
            basePath
            + walk.path.map { step in
                switch step {
                case .position(let index): .index(index)
                case .property(let name): .property(name)
                case .key(let text):
                    (try? Literal(parsing: text)).map { .key($0) } ?? .property(text)
                }
            }
        defer {
            session.path = basePath
            walk.spent = session.spent
            if session.stop == "deadline" || session.needsMore { walk.isLate = true }
        }
        return walk.isUnnamed ? session.with(nil, body) : body()
    }
}
#endif
