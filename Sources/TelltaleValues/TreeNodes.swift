#if TELLTALE_AGENT
import TelltaleProtocol

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
