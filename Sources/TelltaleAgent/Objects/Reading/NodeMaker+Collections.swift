#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension NodeMaker {
    func collection(_ view: ValueView, label: String?, level: Int) -> ValueNode {
        if let storage = Self.array(view) {
            let shown = 0..<min(storage.count, session.limits.elements)
            return elements(shown, of: storage, type: view.type, label: label, level: level)
        }
        if let storage = Self.table(view) {
            return entries(of: storage, type: view.type, label: label, level: level)
        }
        return unavailable(
            view.type, label,
            MetadataLayout.current.has(.collections) ? Self.changing : Self.unknownLayout)
    }

    /// The elements of an ordered collection; `nil` for other values, and for a collection that can't be
    /// read.
    static func array(_ view: ValueView) -> ArrayStorage? {
        guard MetadataLayout.current.has(.collections) else { return nil }
        switch TypeShape.of(view.type) {
        case .array(let element): return ArrayStorage(array: view, element: element)
        case .slice(let element): return ArrayStorage(slice: view, element: element)
        case .inlineArray(let count, let element):
            return ArrayStorage(inline: view, count: count, element: element)
        default: return nil
        }
    }

    /// The entries of a set or a dictionary; `nil` for other values, and for a collection that can't be read.
    static func table(_ view: ValueView) -> HashStorage? {
        guard MetadataLayout.current.has(.collections) else { return nil }
        switch TypeShape.of(view.type) {
        case .set(let element): return HashStorage(view, key: element, value: nil)
        case .dictionary(let key, let value): return HashStorage(view, key: key, value: value)
        default: return nil
        }
    }

    /// The node of a range of elements of an ordered collection. With `isAskedFor` the range itself was
    /// requested, so elements outside it are not reported as omitted.
    func elements(
        _ range: Range<Int>, of storage: ArrayStorage, type: Any.Type, label: String?,
        level: Int,
        isAskedFor: Bool = false
    ) -> ValueNode {
        var node = ValueNode(
            label: label, type: TypeNames.name(of: type), kind: .array, count: storage.count)
        let wanted = isAskedFor ? range.count : storage.count
        let range = range.prefix(ReadLimits.longestRange)
        guard wanted > 0 else { return node }
        if session.isSecret(storage.element) { return masked(type, label) }
        guard session.showsParts(at: level) else {
            node.cut = .init(reason: "depth", omitted: wanted)
            return node
        }
        if let texts = scalars(range, of: storage) {
            node.children = texts
            session.cut(&node, of: wanted)
            return node
        }
        storage.forEach(in: range) { index, element in
            guard session.stop == nil else { return false }
            let label = "[\(index)]"
            guard let element else {
                node.children.append(unavailable(storage.element, label, Self.changing))
                return node.children.count < 16
            }
            node.children.append(
                session.with(.index(index)) {
                    self.node(of: element, label: label, level: level + 1)
                })
            return true
        }
        session.cut(&node, of: wanted)
        return node
    }

    /// The nodes of numbers, which are made without an examination of each element; `nil` for other elements.
    private func scalars(_ range: Range<Int>, of storage: ArrayStorage) -> [ValueNode]? {
        guard case .scalar(let kind) = TypeShape.of(storage.element), !session.isPlain,
            ValueFormats.format(for: storage.element) == nil
        else { return nil }
        let name = TypeNames.name(of: storage.element)
        var nodes: [ValueNode] = []
        nodes.reserveCapacity(range.count)
        storage.forEach(in: range) { index, element in
            guard session.stop == nil else { return false }
            session.spend(112)
            let text = element.flatMap(kind.text)
            nodes.append(
                ValueNode(
                    label: "[" + String(index) + "]", type: name,
                    kind: text == nil ? .unavailable : .scalar, text: text,
                    note: text == nil ? Self.changing : nil))
            // An unreadable collection is tried up to this many times.
            return element != nil || nodes.count < 16
        }
        return nodes
    }

    private func entries(
        of storage: HashStorage, type: Any.Type, label: String?, level: Int
    ) -> ValueNode {
        var node = ValueNode(
            label: label, type: TypeNames.name(of: type),
            kind: storage.value == nil ? .set : .dictionary, count: storage.count)
        guard storage.count > 0 else { return node }
        guard session.showsParts(at: level) else {
            node.cut = .init(reason: "depth", omitted: storage.count)
            return node
        }
        let secrets = secretsByPair(in: storage)
        storage.forEach(until: { session.stop != nil }) { position, key, value in
            guard node.children.count < session.limits.elements else { return false }
            guard let valueType = storage.value else {
                let label = "[\(position)]"
                node.children.append(
                    session.with(.index(position)) {
                        self.node(of: key, label: label, level: level + 1)
                    })
                return true
            }
            node.children.append(
                entry(
                    DictionaryKey(key, maker: self), type: valueType, value: value,
                    level: level + 1, isSecret: secrets.contains(position)))
            return true
        }
        session.cut(&node, of: storage.count)
        return node
    }

    func entry(
        _ key: DictionaryKey, type: Any.Type, value: () -> ValueView?, level: Int,
        isSecret: Bool
    ) -> ValueNode {
        if isSecret || key.isSecret(valueType: type) { return masked(type, key.label) }
        guard let view = value() else { return unavailable(type, key.label, Self.changing) }
        return session.with(key.step) { node(of: view, label: key.label, level: level) }
    }
}
#endif
