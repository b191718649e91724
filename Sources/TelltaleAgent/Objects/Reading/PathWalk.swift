#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// Walks a path from a root, component by component.
struct PathWalk {
    enum Place {
        case spot(Spot)
        /// A class instance.
        case object(UInt, Any.Type)
        /// A weak, unowned or noncopyable property.
        case property(PlannedField, ValueView)
        /// A range of elements of an ordered collection.
        case elements(Range<Int>, ArrayStorage, Any.Type)
        /// A value that is not stored, such as a count or a type.
        case made(ValueNode)
        case masked(Any.Type)
    }

    struct Spot {
        var view: ValueView
        /// The property that stores the value; `nil` for an element and the root.
        var field: StoredField?
    }

    let session: ReadSession
    var maker: NodeMaker { NodeMaker(session: session) }

    /// Returns the place at the end of a path.
    ///
    /// - Throws: `.notFound` with the part of the path that leads nowhere.
    func go(
        from start: Place, along path: [ValuePath.Component]
    ) throws(CommandFailure) -> Place {
        guard path.count <= ValuePath.maximumComponents else {
            throw CommandFailure(
                .usage,
                "the path has \(path.count) steps; \(ValuePath.maximumComponents) are the most")
        }
        var place = start
        let type = rootType(start)
        if session.rootName != ReadSession.unnamed
            && session.masks.masks(root: session.rootName, of: type)
            || session.isRootFound && session.masks.masks(found: type)
        {
            place = .masked(type)
        }
        return try go(from: place, along: path[...])
    }

    /// The dynamic type of the root.
    private func rootType(_ root: Place) -> Any.Type {
        switch root {
        case .object(_, let type): return type
        case .spot(let spot):
            guard case .spot(let inner)? = try? settle(root) else { return spot.view.type }
            return inner.view.type
        default: return Any.self
        }
    }

    func node(at place: Place) -> ValueNode {
        switch place {
        case .spot(let spot):
            maker.marked(maker.node(of: spot.view, label: nil, level: 0), spot.field, spot.view)
        case .object(let address, let type):
            maker.object(at: address, declared: type, label: nil, level: 0)
        case .property(let planned, let view):
            unlabelled(maker.child(planned, of: view, level: 0))
        case .elements(let range, let storage, let type):
            maker.elements(
                range, of: storage, type: type, label: nil, level: 0, wanted: range.count)
        case .made(let node): node
        case .masked(let type): maker.masked(type, nil)
        }
    }

    /// The value at a place; not as a tree if it isn't stored as it is shown.
    func content(at place: Place) -> ValueContent {
        SessionWalk(session).tree(at: place).map { .packed($0) } ?? .node(node(at: place))
    }

    private func unlabelled(_ node: ValueNode) -> ValueNode {
        var node = node
        node.label = nil
        return node
    }

    func step(
        from place: Place, to component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        session.spend(0)
        if session.stop == "deadline" {
            throw CommandFailure(
                .timeout, "\(session.renderedPath) was not reached before the deadline")
        }
        let settled = try settle(place)
        switch settled {
        case .object(let address, let type):
            if session.isSecret(type) { throw secret() }
            session.passes(address, type)
            if let part = try standIn(for: settled, of: type, component) {
                return try step(from: part, to: component)
            }
            return try member(of: address, type, component)
        case .spot(let spot):
            if session.isSecret(spot.view.type) { throw secret() }
            if let part = try standIn(for: settled, of: spot.view.type, component) {
                return try step(from: part, to: component)
            }
            return try part(of: spot, component)
        case .masked: throw secret()
        case .elements(let range, let storage, let type):
            return try part(of: range, storage, type, component)
        case .made, .property:
            throw CommandFailure(
                .notFound,
                "nothing follows \(session.renderedPath): there is no \(component) in it")
        }
    }

    func secret() -> CommandFailure { .masked(session.renderedPath) }

    func notRead() -> CommandFailure {
        CommandFailure(
            .notFound, "\(session.renderedPath) can't be read; it may just be changing",
            hint: "asked again, or with --snapshot, it may be there")
    }

    func isNil() -> CommandFailure {
        CommandFailure(.notFound, "\(session.renderedPath) is nil")
    }

    /// Follows optionals, existentials and references to the value itself.
    func settle(_ place: Place) throws(CommandFailure) -> Place {
        if case .property(let planned, let view) = place { return try follow(planned, view) }
        guard case .spot(var spot) = place else { return place }
        // A type wraps a value only a limited number of times, but the nesting of `Any` in `Any` is
        // unbounded.
        for _ in 0..<64 {
            let view = spot.view
            if session.isSecret(view.type) { return .masked(view.type) }
            switch TypeShape.of(view.type) {
            case .mutex(let type, let offset):
                spot = try enter(view, type, behind: offset)
                continue
            case .lazyReference:
                guard view.word() != 0 else { throw isNil() }
                return try object(at: view.word() ?? 0)
            default: break
            }
            guard session.mayRead(view) else {
                session.needsMore = true
                throw notRead()
            }
            switch TypeShape.of(view.type) {
            case .optional(let wrapped):
                guard let isSome = view.isSome else { throw notRead() }
                guard isSome else { throw isNil() }
                spot.view = view.part(type: wrapped)
            case .existential(.object), .object: return try object(at: view.word() ?? 0)
            case .existential(let layout):
                guard MetadataLayout.current.has(.existentials),
                    let content = layout.content(of: view)
                else { throw notRead() }
                spot.view = content
            case .anyHashable:
                guard let content = NodeMaker.hashableContent(view) else { throw notRead() }
                spot.view = content
            default: return .spot(spot)
            }
        }
        throw notRead()
    }

    /// The place of an object.
    ///
    /// - Throws: `.notFound` if there is no object at the address.
    func object(at address: UInt) throws(CommandFailure) -> Place {
        guard let type = MetadataCheck.classOfObject(at: address, in: session.source)
        else { throw notRead() }
        return .object(address, type)
    }

    private func follow(
        _ planned: PlannedField, _ view: ValueView
    ) throws(CommandFailure) -> Place {
        let field = planned.field
        if let noncopyable = field.noncopyable {
            return try follow(noncopyable.finding, field, view)
        }
        guard !session.isPlain else {
            session.needsMore = true
            throw notRead()
        }
        let part = view.part(at: field.offset, type: field.type)
        switch NodeMaker.target(of: part, ownership: field.ownership) {
        case .object(let address)?: return try object(at: address)
        case .gone? where field.ownership != .weak:
            throw CommandFailure(
                .gone,
                "\(session.renderedPath) is gone: the object of the unowned reference was freed")
        case .gone?, ReferenceStorage.Target.none?: throw isNil()
        case nil: throw notRead()
        }
    }

    private func follow(
        _ finding: NoncopyableField.Finding, _ field: StoredField, _ view: ValueView
    ) throws(CommandFailure) -> Place {
        switch finding {
        case .unreadable(_, let reason):
            throw CommandFailure(
                .unsupported, "\(session.renderedPath) is noncopyable and \(reason)")
        case .atomic:
            throw CommandFailure(
                .notFound, "nothing follows \(session.renderedPath), which is an Atomic")
        case .value(let type):
            return try settle(
                .spot(Spot(view: view.part(at: field.offset, type: type), field: nil)))
        case .mutex(let type, let offset):
            return try settle(
                .spot(
                    try enter(view.part(at: field.offset, type: type), type, behind: offset)))
        }
    }

    // The lock of a value is held until the read ends.
    private func enter(
        _ view: ValueView, _ type: Any.Type, behind offset: Int
    ) throws(CommandFailure) -> Spot {
        switch maker.guarded(view, type, behind: offset) {
        case .value(let value, _, _): return Spot(view: value, field: nil)
        case .unavailable(let reason):
            throw CommandFailure(
                .timeout, "\(session.renderedPath) was not read: \(reason)",
                hint: "`stack` of that thread shows where")
        }
    }
}
#endif
