#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension CollectionElements {
    /// Sorts the kept positions, which a pass returns in storage order, into the order that an earlier clause
    /// gave them.
    func inOrder(_ kept: [Int], as order: ChosenElements.Positions) -> [Int] {
        guard case .hashed = self, case .list(let list) = order else { return kept }
        let set = Set(kept)
        return list.filter(set.contains)
    }

    /// Returns whether a field is the key of a dictionary's entry.
    func isKey(_ field: [ValuePath.Component]) -> Bool {
        guard case .hashed(let storage, _) = self else { return false }
        return storage.value != nil && field == [.property("key")]
    }

    /// Returns whether the first component of a field names the whole value: `value` of a dictionary's entry.
    func isWhole(_ step: ValuePath.Component) -> Bool {
        guard case .hashed(let storage, _) = self else { return false }
        return storage.value != nil && step == .property("value")
    }

    /// The place of one element, which is appended to the path.
    func place(
        of position: Int, in walk: PathWalk, from place: PathWalk.Place
    ) throws(CommandFailure) -> PathWalk.Place {
        switch self {
        case .ordered(let storage, let type, _):
            return try walk.element(of: storage, type: type, .index(position))
        case .hashed(let storage, let type):
            guard let valueType = storage.value else {
                return try walk.entry(of: storage, type: type, .index(position))
            }
            return try entry(of: storage, at: position, valueType, in: walk)
        }
    }

    private func entry(
        of storage: HashStorage, at position: Int, _ valueType: Any.Type, in walk: PathWalk
    ) throws(CommandFailure) -> PathWalk.Place {
        var found: PathWalk.Place?
        let secrets = walk.maker.secretsByPair(in: storage)
        storage.forEach(until: { walk.session.stop != nil }) { index, keyView, value in
            guard index == position else { return true }
            let key = walk.session.uncounted { DictionaryKey(keyView, maker: walk.maker) }
            walk.session.push(key.step)
            found = walk.place(
                of: key, type: valueType, isSecret: secrets.contains(position), value)
            return false
        }
        guard let found else { throw walk.notRead() }
        return found
    }

    /// The node of the entries of a set or a dictionary at some positions.
    func node(
        of storage: HashStorage, _ type: Any.Type, at positions: [Int], count: Int,
        in walk: PathWalk
    ) -> ValueNode {
        let session = walk.session
        var node = ValueNode(
            type: TypeNames.name(of: type), kind: storage.value == nil ? .set : .dictionary,
            count: count)
        guard count > 0 else { return node }
        guard session.showsParts(at: 0) else {
            node.cut = .init(reason: "depth", omitted: count)
            return node
        }
        let wanted = Set(positions)
        let entries = walk.maker.entries(
            of: storage, type, most: wanted.count, where: wanted.contains)
        let nodes = Dictionary(uniqueKeysWithValues: zip(wanted.sorted(), entries.children))
        node.children = positions.compactMap { nodes[$0] }
        session.cut(&node, of: count)
        return node
    }
}
#endif
