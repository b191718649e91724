#if TELLTALE_AGENT
/// Facts of a picture by what they are known by, without a copy of them: where two have the same name, the
/// first.
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
