#if TELLTALE_AGENT
/// Facts of a picture by their keys, without a copy of them: of two with the same key, the first.
struct FactTable<Key: Hashable, Facts> {
    private let all: [Facts]
    private var indices: [Key: Int]

    init(_ all: [Facts], by key: (Facts) -> Key) {
        self.all = all
        indices = Dictionary(minimumCapacity: all.count)
        for index in all.indices.reversed() { indices[key(all[index])] = index }
    }

    func index(of key: Key) -> Int? { indices[key] }

    subscript(key: Key) -> Facts? { indices[key].map { all[$0] } }
}

extension FactTable: Sendable where Key: Sendable, Facts: Sendable {}
#endif
