#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

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
        // A key with parts is read deeper than it is shown, because the name may be in a part. The node of an
        // object that appears elsewhere in the answer shows no parts here, although the object has them.
        let isAllThere =
            [.string, .enumeration, .scalar].contains(node.kind) && node.children.isEmpty
            && node.cut == nil
        name = isAllThere || session.isReadingName ? NameText(of: node) : maker.name(in: view)
    }

    /// The label of the entry: `["a b"]`, `[3]`, `[.red]`.
    var label: String { "[\(Self.text(of: node, depth: 0))]" }

    /// The key's text or case as a bare word, which may be typed like a property; `nil` for other
    /// keys.
    var word: String? {
        guard let text = node.text, node.children.isEmpty, node.cut == nil else { return nil }
        switch node.kind {
        case .string:
            guard case .string(let word)? = try? Literal(parsing: text) else { return nil }
            return word
        case .enumeration: return text.hasPrefix(".") ? String(text.dropFirst()) : text
        default: return nil
        }
    }

    /// Returns whether the entry's value is a secret by the name in the key; true also for a key that can't
    /// be read completely.
    func isSecret(valueType type: Any.Type) -> Bool { name.isSecret(by: masks, value: type) }

    /// True if the entry's value may be the name of another entry's.
    var isPairName: Bool { name.only.flatMap(NameValuePair.Role.init)?.isName == true }

    // The node's depth is limited, which bounds the recursion.
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

    /// The path component that names the entry; `nil` if no path can name it.
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

    /// Returns whether a path component in brackets names this key.
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
