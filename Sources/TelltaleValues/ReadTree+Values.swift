#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleProtocol

/// The elements of a list that was read, and the values in them that expressions use.
///
/// Reading a value of each of 10,000 elements creates no Swift nodes.
package struct TreeValues {
    private let tree: ReadTree
    /// The positions of the elements' nodes.
    package let elements: [Int]
    /// The types whose numbers are not integers, even if they look like integers.
    private let decimals: [CTelltaleName]

    /// A property by its path. The steps that are properties are also stored as name numbers.
    package struct Field {
        fileprivate let names: [CTelltaleName]
        fileprivate let steps: [ValuePath.Component]
        fileprivate let isPlain: Bool
    }

    /// Nil if the tree's root isn't a list.
    package init?(_ tree: ReadTree) {
        guard tree.count > 0 else { return nil }
        let root = tree.flat(at: 0)
        guard root.kind == CTelltaleNodeKind.array.rawValue else { return nil }
        self.tree = tree
        decimals = ExpressionValue.decimals.compactMap { tree.plans.name($0) }
        let count = ctelltale_tree_parts(tree.tree, 0, nil, 0)
        elements = [UInt32](unsafeUninitializedCapacity: count) { buffer, written in
            written = ctelltale_tree_parts(tree.tree, 0, buffer.baseAddress, buffer.count)
        }.map { Int($0) }
    }

    package func field(_ steps: [ValuePath.Component]) -> Field {
        let names = steps.compactMap { step -> CTelltaleName? in
            if case .property(let name) = step { tree.plans.name(name) } else { nil }
        }
        return Field(names: names, steps: steps, isPlain: names.count == steps.count)
    }

    /// The value of an element's property.
    package func value(of field: Field, at element: Int) throws(ExpressionFailure)
        -> ExpressionValue
    {
        guard field.isPlain else { return try slowly(field, element) }
        let place = field.names.withUnsafeBufferPointer {
            ctelltale_tree_part(
                tree.tree, UInt32(truncatingIfNeeded: element), $0.baseAddress, $0.count)
        }
        guard place != CTELLTALE_NO_PLACE else { return try slowly(field, element) }
        return try value(of: tree.flat(at: Int(place)), at: Int(place))
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
            if !decimals.contains(node.type), let number = number(node) {
                return .integer(Int128(number))
            }
            return ExpressionValue(
                scalar: tree.text(of: node), type: tree.plans.text(node.type))
        case CTelltaleNodeKind.string.rawValue
        where node.flags & UInt8(CTelltaleNodeIsQuoted) != 0 && node.cut == CTELLTALE_NO_NAME:
            return .string(String(decoding: tree.bytes(of: node), as: UTF8.self))
        case CTelltaleNodeKind.masked.rawValue: throw ExpressionValue.masked
        case CTelltaleNodeKind.none.rawValue: return .none
        default: return try ExpressionValue(tree.node(at: index, withParts: false))
        }
    }

    /// Parses an integer of at most 18 digits.
    private func number(_ node: CTelltaleNode) -> Int? {
        guard node.text_size > 0, node.text_size <= 18 else { return nil }
        let digits = tree.bytes(of: node)
        var number = 0
        let isNegative = digits[0] == 0x2D
        var index = isNegative ? 1 : 0
        guard index < digits.count else { return nil }
        while index < digits.count {
            let digit = Int(digits[index]) &- 0x30
            guard digit >= 0, digit <= 9 else { return nil }
            number = number &* 10 &+ digit
            index &+= 1
        }
        return isNegative ? 0 &- number : number
    }
}
#endif
