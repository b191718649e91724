#if TELLTALE_AGENT
package import TelltaleProtocol
package import TelltaleSystem

/// The result of a walk: the tree of a value in flat form, and the names in it.
///
/// Immutable after its objects have their numbers, which happens before the tree is shared.
package final class ReadTree: PackedValue, @unchecked Sendable {
    let tree: FlatTree
    let plans: TypePlans
    private let pool: PlanPool
    /// The numbers of the locations, once they are known.
    private var numbers: [Int] = []

    init(_ tree: FlatTree, plans: TypePlans, pool: PlanPool) {
        self.tree = tree
        self.plans = plans
        self.pool = pool
    }

    deinit {
        tree.free()
        pool.giveBack(plans)
    }

    /// Assigns numbers to its objects, in the order in which they were read, by their addresses, paths and
    /// types. Must be called only once, before the tree is shared.
    func number(_ body: (UInt, [UInt8], String) -> Int) {
        guard numbers.isEmpty else { return }
        var type = (name: noName, text: "")
        numbers = (0..<tree.placeCount).map { index in
            guard let place = tree.place(index) else { return 0 }
            if place.type != type.name { type = (place.type, plans.text(place.type)) }
            let path = UnsafeRawBufferPointer(
                start: tree.paths.start?.advanced(by: place.path), count: place.pathSize)
            return body(place.address, Array(path), type.text)
        }
    }

    /// Replaces the provisional handles of its objects by their numbers.
    package func settle(_ shown: ShownObjects) {
        for (index, number) in numbers.enumerated() {
            if let place = tree.place(index) { shown[place.address] = .some(number) }
        }
    }

    // MARK: Nodes

    /// The number of values, including nested ones.
    package var count: Int { tree.count }

    package var node: ValueNode { node(at: 0, withParts: true) }

    /// The root node without its parts.
    package var bareHead: ValueNode { node(at: 0, withParts: false) }

    package var head: ValueNode {
        var head = bareHead
        if tree.node(at: 0).hasParts { head.children = [ValueNode(type: "", kind: .none)] }
        return head
    }

    package func node(at place: Int, withParts: Bool) -> ValueNode {
        TreeNodes(tree, plans, handle).node(at: place, withParts: withParts)
    }

    private func handle(_ handle: Int32) -> Int? {
        if handle > 0 { return Int(handle) }
        let index = -Int(handle) &- 1
        guard index >= 0, index < numbers.count, numbers[index] != 0 else { return nil }
        return numbers[index]
    }

    /// The number of truncated values, by reason.
    package var cuts: [String: Int] {
        var cuts: [String: Int] = [:]
        var place = 0
        while place < tree.size {
            let node = tree.node(at: place)
            if node.cut != noName { cuts[plans.text(node.cut), default: 0] += 1 }
            place = node.next
        }
        return cuts
    }

    // MARK: JSON

    // The other parts of a node are some numbers, and are shorter than 256 bytes.
    package var longestJSON: Int {
        tree.count &* (256 &+ 4 &* plans.longestName) &+ 6 &* tree.textSize
    }

    package func writeJSON(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        TreeJSON.write(tree, plans.names, numbers, sink)
    }

    // MARK: Search

    /// Calls a body with each value whose name or text contains a word, and with the values that contain
    /// it, from the root on. Returns the number of values examined, which is less than their total if the
    /// deadline passed.
    package func search(
        for word: FoldedWord, until deadline: MonotonicTime, _ body: (Int, [Int]) -> Void
    ) -> Int {
        var looked = 0
        var place = 0
        var above: [(place: Int, end: Int)] = []
        // The cost, about one for each byte, up to which the clock is not read again.
        var left = 0
        while place < tree.size {
            if left <= 0 {
                guard MonotonicTime.now < deadline else { break }
                left = 256 << 10
            }
            let node = tree.node(at: place)
            looked &+= 1
            left &-= 32 &+ node.text.count
            while let last = above.last, last.end <= place { above.removeLast() }
            if contains(word, node) {
                body(place, above.map(\.place))
                // Processing a match takes longer than searching for it.
                left = min(left, 4 << 10)
            }
            if node.hasParts { above.append((place, node.end)) }
            place = node.next
        }
        return looked
    }

    private func contains(_ word: FoldedWord, _ node: FlatNode) -> Bool {
        // The replacement of a secret is not a value.
        if node.flags.contains(.hasText), node.kind != .masked, word.isIn(node.text) { return true }
        guard !node.flags.contains(.isElement) else { return false }
        return word.isIn(plans.name(node.label).bytes)
    }
}

/// The nodes of a tree as values.
struct TreeNodes {
    private let tree: FlatTree
    private let plans: TypePlans
    /// The number of a provisional handle.
    private let number: (Int32) -> Int?

    init(_ tree: FlatTree, _ plans: TypePlans, _ number: @escaping (Int32) -> Int?) {
        self.tree = tree
        self.plans = plans
        self.number = number
    }

    func node(at place: Int, withParts: Bool = true) -> ValueNode {
        guard place < tree.size else { return ValueNode(type: "", kind: .unavailable) }
        let flat = tree.node(at: place)
        func has(_ flag: NodeFlags) -> Bool { flat.flags.contains(flag) }
        var node = ValueNode(
            label: has(.isElement) ? "[\(flat.label)]" : name(flat.label),
            type: plans.text(flat.type), kind: FlatTree.kinds[Int(flat.kind.rawValue)],
            text: has(.hasText) ? Self.text(of: flat) : nil,
            address: has(.hasAddress) ? Quantity.address(UInt(flat.value)) : nil,
            handle: number(flat.handle), count: has(.hasCount) ? Int(clamping: flat.value) : nil,
            cut: name(flat.cut).map {
                .init(reason: $0, omitted: has(.hasOmitted) ? Int(clamping: flat.omitted) : nil)
            }, note: name(flat.note))
        guard withParts else { return node }
        node.children = tree.parts(of: place).map { self.node(at: $0) }
        return node
    }

    private func name(_ name: NameNumber) -> String? {
        name == noName ? nil : plans.text(name)
    }

    static func text(of node: FlatNode) -> String {
        let text = String(decoding: node.text, as: UTF8.self)
        return node.flags.contains(.isQuoted) ? "\"" + text + "\"" : text
    }
}
#endif
