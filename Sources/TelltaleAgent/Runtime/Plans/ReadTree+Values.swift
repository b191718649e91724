#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol

/// The elements of a list that was read, and values in them that are computed with.
///
/// What is asked of each of 10,000 elements makes no node of Swift's.
struct TreeValues {
    private let tree: ReadTree
    private let nodes: UnsafeMutablePointer<CTelltaleNode>
    /// The nodes of the elements.
    let elements: [Int]

    /// A property by its steps: as numbers of names, as far as they are properties.
    struct Field {
        fileprivate let names: [CTelltaleName]
        fileprivate let steps: [ValuePath.Component]
        fileprivate let isPlain: Bool
    }

    /// Nil for what was not read as a list.
    init?(_ tree: ReadTree) {
        guard let nodes = tree.tree.nodes, tree.tree.count > 0,
            nodes[0].kind == CTelltaleNodeKind.array.rawValue
        else { return nil }
        self.tree = tree
        self.nodes = nodes
        var elements: [Int] = []
        elements.reserveCapacity(Int(clamping: nodes[0].value))
        var next = 1
        while next < Int(nodes[0].end) {
            elements.append(next)
            next = Int(nodes[next].end)
        }
        self.elements = elements
    }

    func field(_ steps: [ValuePath.Component]) -> Field {
        let names = steps.compactMap { step -> CTelltaleName? in
            if case .property(let name) = step { tree.plans.name(name) } else { nil }
        }
        return Field(names: names, steps: steps, isPlain: names.count == steps.count)
    }

    /// The value of an element's property.
    func value(of field: Field, at element: Int) throws(ExpressionFailure) -> ExpressionValue {
        var index = element
        guard field.isPlain else { return try slowly(field, element) }
        for name in field.names {
            let end = Int(nodes[index].end)
            var part = index + 1
            while part < end, nodes[part].label != name { part = Int(nodes[part].end) }
            guard part < end, nodes[part].flags & UInt8(CTelltaleNodeIsElement) == 0 else {
                return try slowly(field, element)
            }
            index = part
        }
        return try value(of: nodes[index], at: index)
    }

    private func slowly(
        _ field: Field, _ element: Int
    ) throws(ExpressionFailure) -> ExpressionValue {
        try tree.node(at: element, withParts: true).value(at: field.steps)
    }

    private func value(
        of node: CTelltaleNode, at index: Int
    ) throws(ExpressionFailure) -> ExpressionValue {
        switch node.kind {
        case CTelltaleNodeKind.scalar.rawValue:
            if let number = number(node) { return .integer(Int128(number)) }
            return ExpressionValue(
                scalar: tree.text(of: node), type: tree.plans.text(node.type))
        case CTelltaleNodeKind.string.rawValue
        where node.flags & UInt8(CTelltaleNodeIsQuoted) != 0 && node.cut == CTELLTALE_NO_NAME:
            return .string(
                String(
                    decoding: UnsafeRawBufferPointer(
                        start: tree.tree.texts.map { $0 + Int(node.text) },
                        count: Int(node.text_size)), as: UTF8.self))
        case CTelltaleNodeKind.masked.rawValue: throw ExpressionValue.masked
        case CTelltaleNodeKind.none.rawValue: return .none
        default: return try ExpressionValue(tree.node(at: index, withParts: false))
        }
    }

    /// A number of at most 18 digits.
    private func number(_ node: CTelltaleNode) -> Int? {
        guard let texts = tree.tree.texts, node.text_size > 0, node.text_size <= 18 else {
            return nil
        }
        var number = 0
        let start = Int(node.text)
        let isNegative = texts[start] == 0x2D
        var index = start + (isNegative ? 1 : 0)
        let end = start + Int(node.text_size)
        guard index < end else { return nil }
        while index < end {
            let digit = Int(texts[index]) &- 0x30
            guard digit >= 0, digit <= 9 else { return nil }
            number = number &* 10 &+ digit
            index &+= 1
        }
        return isNegative ? 0 &- number : number
    }
}
#endif
