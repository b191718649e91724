#if TELLTALE_AGENT
import TelltaleProtocol

/// A dictionary's key as it is shown and typed.
struct DictionaryKey {
    private let node: ValueNode
    private let masks: MaskPolicy
    private let name: NameText

    init(_ view: ValueView, maker: NodeMaker) {
        let session = maker.session
        // A key with parts shows two levels of them, whatever the depth of the answer.
        let level = max(0, session.limits.depth - 2)
        let node = session.with(nil) { maker.node(of: view, label: nil, level: level) }
        self.node = node
        masks = session.masks
        // What has parts is read deeper than it is shown: the name may stand there. Of an object that
        // stands elsewhere in the answer no part is shown here, and it has them all the same.
        let isAllThere =
            [.string, .enumeration, .scalar].contains(node.kind) && node.children.isEmpty
            && node.cut == nil
        name = isAllThere || session.isReadingName ? NameText(of: node) : maker.name(in: view)
    }

    /// `["a b"]`, `[3]`, `[.red]`.
    var label: String { "[\(Self.text(of: node, depth: 0))]" }

    /// Whether the entry's value is a secret by the name that the key is; true also for a key that
    /// can't be read whole.
    func isSecret(valueType type: Any.Type) -> Bool { name.isSecret(by: masks, value: type) }

    // The node was made with a bound on its depth.
    private static func text(of node: ValueNode, depth: Int) -> String {
        if node.children.isEmpty || depth > 3 { return node.text ?? node.type }
        let parts = node.children.map { child in
            let label = child.label.flatMap {
                $0.hasPrefix(".") || $0.hasPrefix("[") ? nil : $0
            }
            let text = text(of: child, depth: depth + 1)
            return label.map { "\($0): \(text)" } ?? text
        }
        let list = parts.joined(separator: ", ")
        switch node.kind {
        case .array, .set: return "[\(list)]"
        case .tuple: return "(\(list))"
        default: return "\(node.text ?? node.type)(\(list))"
        }
    }

    /// The step of a path to the entry; nil if no path can name it.
    var step: ValuePath.Component? {
        guard let text = node.text, node.children.isEmpty, node.cut == nil,
            node.note != NodeMaker.partlyMasked
        else { return nil }
        guard [.string, .enumeration, .scalar].contains(node.kind) else { return nil }
        if node.kind == .scalar, let index = Int(text), index >= 0 { return .index(index) }
        guard let literal = try? Literal(parsing: text), literal.description == text else {
            return nil
        }
        return .key(literal)
    }

    /// Whether a step of a path in brackets means this key.
    func isMeant(by step: ValuePath.Component) -> Bool {
        guard let text = node.text, node.children.isEmpty else { return false }
        switch step {
        case .index(let index): return text == String(index)
        case .key(.float(let number)):
            return text == number || (Double(text) != nil && Double(text) == Double(number))
        case .key(let literal): return text == literal.description
        case .property, .range: return false
        }
    }
}
#endif
