#if TELLTALE_AGENT
package import TelltaleProtocol

/// The elements of a collection that was read, and the values in them that expressions use.
///
/// Reading a value of each of 10,000 elements creates no Swift nodes.
package struct TreeValues {
    private let tree: ReadTree
    /// The type name of a dictionary's keys.
    private let keyType: String?
    /// The positions of the elements' nodes.
    package let elements: [Int]
    /// The types whose numbers are not integers, even if they look like integers.
    private let decimals: [NameNumber]

    /// A property by its path. The steps that are properties are also stored as name numbers.
    package struct Field {
        fileprivate let names: [NameNumber]
        fileprivate let steps: [ValuePath.Component]
        /// True for the key of a dictionary's entry.
        fileprivate let isKey: Bool
    }

    /// Nil if the tree's root isn't a collection.
    package init?(_ tree: ReadTree, keyType: String?) {
        guard tree.count > 0, [.array, .set, .dictionary].contains(tree.tree.node(at: 0).kind)
        else { return nil }
        self.tree = tree
        self.keyType = keyType
        decimals = ExpressionValue.decimals.map { tree.plans.name($0) }
        elements = tree.tree.parts(of: 0)
    }

    /// A property of an element, or, of a dictionary's entry, its `key`, its `value`, or a property of that.
    package func field(_ steps: [ValuePath.Component]) -> Field {
        let isKey = keyType != nil && steps.first == .property("key")
        let isValue = keyType != nil && steps.first == .property("value")
        let steps = isValue ? Array(steps.dropFirst()) : steps
        let names = steps.compactMap { step -> NameNumber? in
            if case .property(let name) = step { tree.plans.name(name) } else { nil }
        }
        return Field(names: names, steps: steps, isKey: isKey)
    }

    /// The value of an element's property.
    package func value(of field: Field, at element: Int) throws(ExpressionFailure)
        -> ExpressionValue
    {
        if field.isKey { return try key(of: element, field) }
        guard field.names.count == field.steps.count,
            let place = tree.tree.part(of: element, field.names)
        else { return try tree.node(at: element, withParts: true).value(at: field.steps) }
        return try value(of: tree.tree.node(at: place), at: place)
    }

    private func key(
        of element: Int, _ field: Field
    ) throws(ExpressionFailure) -> ExpressionValue {
        guard field.steps.count == 1, let keyType,
            let label = tree.node(at: element, withParts: false).label
        else {
            throw ExpressionFailure(
                .notFound, "a key has no \(field.steps.last?.description ?? "part")")
        }
        let text = String(label.dropFirst().dropLast())
        return text.hasPrefix(".")
            ? ExpressionValue(enumCase: text) : ExpressionValue(scalar: text, type: keyType)
    }

    private func value(
        of node: FlatNode, at place: Int
    ) throws(ExpressionFailure) -> ExpressionValue {
        switch node.kind {
        case .scalar:
            if !decimals.contains(node.type), let number = number(node.text) {
                return .integer(Int128(number))
            }
            return ExpressionValue(
                scalar: TreeNodes.text(of: node), type: tree.plans.text(node.type))
        case .string where node.flags.contains(.isQuoted) && node.cut == noName:
            return .string(String(decoding: node.text, as: UTF8.self))
        case .masked: throw ExpressionValue.masked
        case .none: return .none
        default: return try ExpressionValue(tree.node(at: place, withParts: false))
        }
    }

    /// Parses an integer of at most 18 digits.
    private func number(_ text: UnsafeRawBufferPointer) -> Int? {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, text.count <= 18 else { return nil }
        var number = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            number = number &* 10 &+ Int(digit &- 0x30)
        }
        return digits.count < text.count ? 0 &- number : number
    }
}
#endif
