#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// A display proxy: one part deep inside a library type, shown in place of the whole value, such as the
/// buffer of an `AsyncStream` or the elements of an `NSArray`. Paths continue from the proxy.
struct StandIn {
    /// The names of the stored properties that lead to the part.
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
    /// The node of a value's display proxy; `nil` if its type has none, or the part can't be found.
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

    // The host may mask a name that is also the name of a library's property.
    private func isMaskedStep(_ name: String, of type: Any.Type) -> Bool {
        session.plan(of: type).contains { $0.field.name == name && $0.isMasked }
    }

    /// The node of a stream's buffered elements.
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
    /// The element of a stream's buffer at an index, or its `count` or `isEmpty`.
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

    /// The place of a value's display proxy, for a step that names no property of the value's own type; `nil`
    /// if the type has no proxy.
    func standIn(
        for place: Place, of type: Any.Type, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place? {
        guard component != .property("type"), component != .property("address"),
            let standIn = StandIn.of(type)
        else { return nil }
        if case .property(let name) = component, session.plan(of: type).named(name) != nil {
            return nil
        }
        var place = place
        for name in standIn.way { place = try step(from: place, to: .property(name)) }
        return place
    }
}
#endif
