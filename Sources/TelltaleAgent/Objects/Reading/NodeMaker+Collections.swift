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

    /// The node of at most so many entries of a set or a dictionary, in storage order.
    func entries(
        of storage: HashStorage, _ type: Any.Type, most: Int,
        where isWanted: @escaping (Int) -> Bool = { _ in true }
    ) -> ValueNode {
        walked(nil, level: 0) { $0.add(storage, type, most: most, level: 0, where: isWanted) }
            ?? unavailable(type, nil, Self.changing)
    }
}
#endif
