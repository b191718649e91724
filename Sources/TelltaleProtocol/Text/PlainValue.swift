#if TELLTALE_COMPILED
extension ValueNode {
    /// The value on one line, as it would be typed; without colours.
    package var plainText: String { PlainValue(style: TextStyle()).text(of: self) }
}

/// A value alone, as it would be typed: `12`, `"x"`, `["a": 1]`, `Photo(title: "x", …)`.
///
/// Walks with a stack of its own: a tree that came over a socket decides its depth itself.
struct PlainValue {
    var style: TextStyle

    private enum Step {
        case text(String)
        case node(ValueNode)
    }

    func text(of root: ValueNode) -> String {
        var line = ""
        var steps: [Step] = [.node(root)]
        while let step = steps.popLast() {
            switch step {
            case .text(let text): line += text
            case .node(let node): steps.append(contentsOf: parts(of: node).reversed())
            }
        }
        return line
    }

    private func parts(of node: ValueNode) -> [Step] {
        switch node.kind {
        case .none: [.text("nil")]
        case .masked: [.text(style.painted("<masked>", .dim))]
        case .reference: [.text(node.handle.map { "#\($0)" } ?? leaf(node))]
        case .unavailable:
            [.text("<unavailable: \((node.note ?? node.type).escaped)>")]
        case .array, .set: list(node, opening: "[", closing: "]", empty: "[]") { _ in "" }
        case .dictionary: list(node, opening: "[", closing: "]", empty: "[:]", label: key)
        case .tuple: list(node, opening: "(", closing: ")", empty: "()", label: argument)
        case .enumeration where node.children.isEmpty && node.cut == nil:
            [.text(leaf(node))]
        case .enumeration:
            list(node, opening: leaf(node) + "(", closing: ")", empty: "", label: argument)
        case .object,
            .structure where node.text == nil:
            list(
                node, opening: node.type.escaped + "(", closing: ")",
                empty: node.type.escaped + "()", label: argument)
        default: [.text(leaf(node) + (node.cut.map { " " + ValueTree.text(of: $0) } ?? ""))]
        }
    }

    private func leaf(_ node: ValueNode) -> String { (node.text ?? node.type).escaped }

    private func list(
        _ node: ValueNode, opening: String, closing: String, empty: String,
        label: (ValueNode) -> String
    ) -> [Step] {
        if node.children.isEmpty, node.cut == nil { return [.text(empty)] }
        var steps: [Step] = [.text(opening)]
        for (index, child) in node.children.enumerated() {
            steps.append(.text((index > 0 ? ", " : "") + label(child)))
            steps.append(.node(child))
        }
        if let cut = node.cut {
            let said = cut.reason == "depth" ? "…" : ValueTree.text(of: cut)
            steps.append(.text((node.children.isEmpty ? "" : ", ") + said))
        }
        steps.append(.text(closing))
        return steps
    }

    /// `["a b"]` and `[3]` name a dictionary's keys; the brackets belong to the path.
    private func key(of child: ValueNode) -> String {
        guard let label = child.label else { return "" }
        guard label.hasPrefix("["), label.hasSuffix("]"), label.count >= 2 else {
            return label.escaped + ": "
        }
        return label.dropFirst().dropLast().escaped + ": "
    }

    /// A property's or a tuple element's label; a position is not a label.
    private func argument(of child: ValueNode) -> String {
        guard let label = child.label, !label.isEmpty else { return "" }
        let digits = label.drop { $0 == "." || $0 == "_" }
        if digits.count < label.count, digits.allSatisfy(\.isNumber) { return "" }
        return label.escaped + ": "
    }
}
#endif
