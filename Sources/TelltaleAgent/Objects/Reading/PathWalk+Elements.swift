#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension PathWalk {
    /// An element of an ordered collection, a range of elements, or a pseudo member.
    func element(
        of storage: ArrayStorage, type: Any.Type, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        switch component {
        case .index(let index): return try element(of: storage, at: index, component)
        case .range(let range):
            guard range.upperBound <= storage.count else {
                throw outside(component, storage.count)
            }
            return .elements(range, storage, type)
        case .key: throw outside(component, storage.count)
        case .property("count"), .property("isEmpty"): return count(storage.count, component)
        case .property("first"): return try element(of: storage, at: 0, component)
        case .property("last"):
            return try element(of: storage, at: storage.count - 1, component)
        case .property("min"), .property("max"), .property("sum"):
            return try clause(component, of: .elements(0..<storage.count, storage, type))
        case .property: return try typeMember(component, type)
        }
    }

    private func clause(
        _ component: ValuePath.Component, of place: Place
    ) throws(CommandFailure) -> Place {
        guard let clause = component.propertyName.flatMap(CollectionClause.init(member:)) else {
            throw notRead()
        }
        return try clausePlace(clause, of: place)
    }

    /// The value of `count` or `isEmpty`.
    func count(_ count: Int, _ component: ValuePath.Component) -> Place {
        component == .property("count")
            ? made(component, Int.self, .scalar, String(count))
            : made(component, Bool.self, .scalar, String(count == 0))
    }

    private func element(
        of storage: ArrayStorage, at index: Int, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        guard index >= 0, index < storage.count else { throw outside(component, storage.count) }
        guard let view = storage.element(at: index) else { throw notRead() }
        session.push(.index(index))
        if session.isSecret(view.type) { return .masked(view.type) }
        return .spot(Spot(view: view, field: nil))
    }

    private func outside(_ component: ValuePath.Component, _ count: Int) -> CommandFailure {
        let said = Quantity.count(count, "element", "elements")
        return CommandFailure(
            .notFound, "\(session.renderedPath) has no \(component): it has \(said)",
            hint: count == 0
                ? nil : "its elements are [0] to [\(count - 1)], or a range like [0..<\(count)]"
        )
    }

    /// An entry of a dictionary, an element of a set, or a pseudo member.
    func entry(
        of storage: HashStorage, type: Any.Type, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        switch component {
        case .property("count"), .property("isEmpty"): return count(storage.count, component)
        case .property("keys") where storage.value != nil:
            return keys(component, storage)
        case .property("values") where storage.value != nil:
            return values(component, storage, type)
        case .property("first") where storage.value == nil:
            return try element(of: storage, at: 0, component)
        case .property:
            do throws(CommandFailure) {
                return try typeMember(component, type)
            } catch {
                throw suggestingKey(error, component, in: storage)
            }
        case .range: throw noRange(component)
        case .index(let index) where storage.value == nil:
            return try element(of: storage, at: index, component)
        case .key where storage.value == nil: throw outside(component, storage.count)
        case .index, .key: return try lookUp(component, in: storage)
        }
    }

    /// Adds the entry whose key, a text or a case, was typed as a property to a failure.
    private func suggestingKey(
        _ failure: CommandFailure, _ component: ValuePath.Component, in storage: HashStorage
    ) -> CommandFailure {
        guard let name = component.propertyName, storage.value != nil else { return failure }
        var labels: [String: String] = [:]
        storage.forEach(until: { session.stop != nil }) { _, keyView, _ in
            let key = session.uncounted { DictionaryKey(keyView, maker: maker) }
            if let word = key.word { labels[word] = key.label }
            return labels.count < Self.mostKeysNearName && labels[name] == nil
        }
        let near = labels[name] != nil ? [name] : NearestNames.of(name, among: labels.keys.sorted())
        let meant = near.compactMap { labels[$0] }.map { session.renderedPath + $0 }
        guard !meant.isEmpty else { return failure }
        var failure = failure
        failure.hint = "did you mean \(meant.joined(separator: ", "))?"
        return failure
    }

    /// The maximum number of keys that a mistyped name is compared with.
    private static let mostKeysNearName = 500

    private func noRange(_ component: ValuePath.Component) -> CommandFailure {
        CommandFailure(
            .notFound, "\(session.renderedPath) has no \(component): its elements have no order",
            hint: "--limit N shows more of them")
    }

    // Keys are compared with the typed text, so the host's own hashing does not run.
    private func lookUp(
        _ component: ValuePath.Component, in storage: HashStorage
    ) throws(CommandFailure) -> Place {
        guard let valueType = storage.value else { throw notRead() }
        var found: Place?
        var isRead = true
        var near: [String] = []
        let secrets = maker.secretsByPair(in: storage)
        storage.forEach(until: { session.stop != nil }) { position, keyView, value in
            let key = session.uncounted { DictionaryKey(keyView, maker: maker) }
            if near.count < 8 { near.append(key.label) }
            guard key.isMeant(by: component) else { return true }
            found = place(of: key, type: valueType, isSecret: secrets.contains(position), value)
            isRead = found != nil
            return false
        }
        if let found {
            session.push(component)
            return found
        }
        guard isRead, !session.needsMore else { throw notRead() }
        if session.stop != nil {
            throw CommandFailure(
                .timeout,
                "\(component) was not found among the \(storage.count) keys of "
                    + "\(session.renderedPath) before the deadline")
        }
        let entries = Quantity.count(storage.count, "entry", "entries")
        throw CommandFailure(
            .notFound, "\(session.renderedPath) has no key \(component): it has \(entries)",
            hint: near.isEmpty ? nil : "keys are " + near.joined(separator: ", "))
    }

    /// The place of a dictionary's value; `nil` if it can't be read.
    func place(
        of key: DictionaryKey, type: Any.Type, isSecret: Bool, _ value: () -> ValueView?
    ) -> Place? {
        if isSecret || key.isSecret(valueType: type) || session.isSecret(type) {
            return .masked(type)
        }
        return value().map { .spot(Spot(view: $0, field: nil)) }
    }

    private func element(
        of storage: HashStorage, at index: Int, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        var found: ValueView?
        storage.forEach(until: { session.stop != nil }) { position, key, _ in
            session.spend(1)
            guard position == index else { return true }
            found = key
            return false
        }
        guard let found else { throw outside(component, storage.count) }
        session.push(.index(index))
        return .spot(Spot(view: found, field: nil))
    }

    private func keys(_ component: ValuePath.Component, _ storage: HashStorage) -> Place {
        session.push(component)
        var node = ValueNode(
            type: "[\(TypeNames.name(of: storage.key))]", kind: .array, count: storage.count)
        storage.forEach(until: { session.stop != nil }) { position, key, _ in
            guard node.children.count < session.limits.elements else { return false }
            node.children.append(
                session.with(nil) { maker.node(of: key, label: "[\(position)]", level: 1) })
            return true
        }
        session.cut(&node, of: storage.count)
        return .made(node)
    }

    private func values(
        _ component: ValuePath.Component, _ storage: HashStorage, _ type: Any.Type
    ) -> Place {
        session.push(component)
        let valueType = storage.value ?? type
        var node = session.with(nil) {
            maker.entries(of: storage, type, most: session.limits.elements)
        }
        (node.type, node.kind) = ("[\(TypeNames.name(of: valueType))]", .array)
        for index in node.children.indices { node.children[index].label = "[\(index)]" }
        return .made(node)
    }
}
#endif
