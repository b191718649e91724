#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleValues

extension NodeMaker {
    func collection(_ view: ValueView, label: String?, level: Int) -> ValueNode {
        if let storage = Self.array(view) {
            let shown = 0..<min(storage.count, session.limits.elements)
            return elements(
                shown, of: storage, type: view.type, label: label, level: level,
                wanted: storage.count)
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

    /// The node of a range of elements of an ordered collection, of which `wanted` were requested.
    func elements(
        _ range: Range<Int>, of storage: ArrayStorage, type: Any.Type, label: String?,
        level: Int, wanted: Int
    ) -> ValueNode {
        walked(label, level: level) {
            $0.add(
                range, most: ReadLimits.longestRange, of: storage, type, wanted: wanted,
                level: level)
        } ?? unavailable(type, label, Self.changing)
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
