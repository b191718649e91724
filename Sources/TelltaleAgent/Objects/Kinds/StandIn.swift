#if TELLTALE_AGENT
import TelltaleProtocol

/// A type of a library's of which a person wants to see one part, deep in it: what an `AsyncStream` buffers,
/// the elements of an `NSArray`. It stands for the value in answers, and a path may go on from there.
struct StandIn {
    /// The stored properties that lead to it.
    let way: [String]

    static func of(_ type: Any.Type) -> StandIn? {
        if let descriptor = TypeMetadata(type).descriptor, let known = generic[descriptor] {
            return known
        }
        guard case .stands(let way)? = ValueFormats.format(for: type)?.way else { return nil }
        return StandIn(way: way)
    }

    private static let generic: [TypeDescriptor: StandIn] = {
        var table: [TypeDescriptor: StandIn] = [:]
        func add(_ sample: Any.Type, _ way: [String]) {
            if let descriptor = TypeMetadata(sample).descriptor {
                table[descriptor] = StandIn(way: way)
            }
        }
        add(AsyncStream<Int>.self, ["context", "storage", "state"])
        add(AsyncStream<Int>.Continuation.self, ["storage", "state"])
        add(AsyncThrowingStream<Int, any Error>.self, ["context", "storage", "state"])
        add(AsyncThrowingStream<Int, any Error>.Continuation.self, ["storage", "state"])
        add(KeyValuePairs<Int, Int>.self, ["_elements"])
        return table
    }()
}

extension NodeMaker {
    /// The node of the part that stands for a value; nil where there is none, or it can't be found.
    func standIn(_ view: ValueView, _ label: String?, level: Int) -> ValueNode? {
        guard let standIn = StandIn.of(view.type) else { return nil }
        if session.isPlain, !view.isStable {
            session.needsMore = true
            return unavailable(view.type, label, "not read in place")
        }
        return along(standIn.way[...], from: view) { place in
            var node = node(of: place, label: label, level: level)
            node.type = TypeNames.name(of: view.type)
            return node
        }
    }

    private func along(
        _ way: ArraySlice<String>, from view: ValueView, _ body: (ValueView) -> ValueNode
    ) -> ValueNode? {
        guard let name = way.first else { return body(view) }
        guard !isMaskedStep(name, of: view.type), let next = view.stored(name) else { return nil }
        return session.with(.property(name)) { along(way.dropFirst(), from: next, body) }
    }

    // A host may have a name masked that is one of a library's too.
    private func isMaskedStep(_ name: String, of type: Any.Type) -> Bool {
        session.plan(of: type).contains { $0.field.name == name && $0.isMasked }
    }

    /// What waits in a stream.
    func deque(_ view: ValueView, of element: Any.Type, _ label: String?, level: Int) -> ValueNode {
        guard DequeStorage.isKnown else { return unavailable(view.type, label, Self.unknownLayout) }
        if session.isSecret(element) { return masked(view.type, label) }
        guard let storage = DequeStorage(view, element: element) else {
            return unavailable(view.type, label, Self.changing)
        }
        var node = ValueNode(
            label: label, type: "[\(TypeNames.name(of: element))]", kind: .array,
            count: storage.count)
        guard storage.count > 0 else { return node }
        guard session.showsParts(at: level) else {
            node.cut = .init(reason: "depth", omitted: storage.count)
            return node
        }
        for index in 0..<min(storage.count, session.limits.elements) {
            guard session.stop == nil else { break }
            let label = "[\(index)]"
            node.children.append(
                session.with(.index(index)) {
                    guard let view = storage.element(at: index) else {
                        return unavailable(element, label, Self.changing)
                    }
                    return self.node(of: view, label: label, level: level + 1)
                })
        }
        session.cut(&node, of: storage.count)
        return node
    }
}

extension PathWalk {
    /// What waits in a stream at a place, or how much does.
    func element(
        of storage: DequeStorage, type: Any.Type, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        switch component {
        case .property("count"), .property("isEmpty"): return count(storage.count, component)
        case .index(let index):
            guard index >= 0, index < storage.count else {
                throw CommandFailure(
                    .notFound,
                    "\(session.renderedPath) has no \(component): it has "
                        + Quantity.count(storage.count, "element", "elements"))
            }
            guard let view = storage.element(at: index) else { throw notRead() }
            session.push(component)
            return session.isSecret(view.type) ? .masked(view.type) : .spot(.init(view: view))
        default: throw noCollection(type, component)
        }
    }

    /// Where the part stands that stands for a value, of which a step names no property of its own.
    func standIn(
        for place: Place, of type: Any.Type, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place? {
        guard component != .property("type"), component != .property("address"),
            let standIn = StandIn.of(type)
        else { return nil }
        if case .property(let name) = component, Self.find(name, in: session.plan(of: type)) != nil
        {
            return nil
        }
        var place = place
        for name in standIn.way { place = try step(from: place, to: .property(name)) }
        return place
    }
}
#endif
