#if TELLTALE_COMPILED
/// A value laid out as a tree, one line a node, two spaces a level.
///
/// Walks with a stack of its own: a tree that came over a socket decides its depth itself.
struct ValueTree {
    var style: TextStyle

    private enum Step {
        case node(ValueNode, level: Int)
        case cut(ValueNode.Cut, level: Int)
    }

    /// A text below the root is cut on a terminal where it takes more columns: one of ten thousand
    /// characters must not push all others out of sight.
    private static let longestText = 160

    /// Lays a tree out. The label, its path, precedes the root, and the remarks in parentheses
    /// follow it, ahead of its own note.
    func lines(of root: ValueNode, label: String, remarks: [String]) -> [String] {
        var lines = [firstLine(of: root, label: label, remarks: remarks)]
        var steps: [Step] = []
        push(partsOf: root, level: 1, to: &steps)
        // The steps that lead to a node, one for each level.
        var path = [label]
        while let step = steps.popLast() {
            switch step {
            case .node(var node, let level):
                path.removeSubrange(min(level, path.count)...)
                path.append(Self.step(node.label ?? "_"))
                let remark = cutText(of: &node, path)
                lines.append(
                    indent(level)
                        + line(node, label: node.label ?? "_", remarks: remark.map { [$0] } ?? []))
                push(partsOf: node, level: level + 1, to: &steps)
            case .cut(let cut, let level):
                lines.append(indent(level) + Self.text(of: cut))
            }
        }
        return lines
    }

    private static func step(_ label: String) -> String {
        label.hasPrefix("[") || label.hasPrefix(".") ? label : "." + label
    }

    /// Cuts a long text, and names its length and the command that shows all of it.
    private func cutText(of node: inout ValueNode, _ path: [String]) -> String? {
        guard style.width != nil, let text = node.text, text.utf8.count > Self.longestText,
            text.columns > Self.longestText
        else { return nil }
        let length =
            node.kind == .string && node.cut == nil
            ? ExpressionValue.unquoted(text).count : text.count
        node.text = text.clipped(to: Self.longestText)
        return "\(Quantity.count(length, "character", "characters")); get \(path.joined())"
    }

    /// The line of a root alone. An object that was asked for by a handle keeps it.
    func firstLine(of root: ValueNode, label: String, remarks: [String]) -> String {
        var root = root
        if label.hasPrefix("#"), let handle = Int(label.dropFirst()), root.handle != nil {
            root.handle = handle
        }
        return line(root, label: label, remarks: remarks)
    }

    /// The text after the label of a node's line.
    func summary(of node: ValueNode) -> String {
        guard let cut = node.cut, node.children.isEmpty, node.count == nil else {
            return head(node)
        }
        return head(node) + " " + Self.text(of: cut)
    }

    private func push(partsOf node: ValueNode, level: Int, to steps: inout [Step]) {
        if let cut = node.cut, !isSaidBeside(node) { steps.append(.cut(cut, level: level)) }
        for child in node.children.reversed() { steps.append(.node(child, level: level)) }
    }

    /// Returns whether the cut is reported on the node's own line: without children, one line is
    /// enough.
    private func isSaidBeside(_ node: ValueNode) -> Bool {
        node.children.isEmpty && node.cut?.reason != "elements"
    }

    private func indent(_ level: Int) -> String { String(repeating: "  ", count: level) }

    private func line(_ node: ValueNode, label: String, remarks: [String]) -> String {
        var line = style.painted(label.escaped, .bold) + ": " + head(node)
        if let cut = node.cut, isSaidBeside(node) { line += " " + Self.text(of: cut) }
        var remarks = remarks
        if let note = node.note { remarks.append(note) }
        if node.kind == .unavailable, node.note == nil { remarks.append("unavailable") }
        if !remarks.isEmpty {
            line += "  (" + remarks.map(\.escaped).joined(separator: "; ") + ")"
        }
        return line
    }

    /// The node without its label: the value of a leaf, the type of a node with parts.
    private func head(_ node: ValueNode) -> String {
        switch node.kind {
        case .scalar, .string, .enumeration: (node.text ?? node.type).escaped
        case .none: "nil"
        case .masked: style.painted("<masked>", .dim)
        case .reference:
            // The type of an object that is not in the answer stands nowhere else.
            "-> " + (node.text.map { $0.escaped + " " } ?? "")
                + identity(node, otherwise: node.text == nil ? node.type : "")
        case .array, .set: collection(node, "element", "elements")
        case .dictionary: collection(node, "entry", "entries")
        default: described(node)
        }
    }

    private func collection(_ node: ValueNode, _ one: String, _ many: String) -> String {
        guard let count = node.count else { return described(node) }
        return described(node) + " " + Quantity.count(count, one, many)
    }

    private func described(_ node: ValueNode) -> String {
        var words = [node.type.escaped]
        if node.kind == .object { words.append(identity(node, otherwise: "")) }
        if let text = node.text, text != node.type { words.append(text.escaped) }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func identity(_ node: ValueNode, otherwise: String) -> String {
        node.handle.map { "#\($0)" } ?? (node.address ?? otherwise).escaped
    }

    /// The omission: `… 9,988 more`, `…depth`, `…deadline (12 more)`.
    static func text(of cut: ValueNode.Cut) -> String {
        if cut.reason == "elements" {
            return cut.omitted.map { "… \(Quantity.count($0)) more" } ?? "… more"
        }
        let reason = "…" + cut.reason.escaped
        // Parts below the depth never count as a loss: they are asked for by their path.
        guard cut.reason != "depth", let omitted = cut.omitted, omitted > 0 else {
            return reason
        }
        return reason + " (\(Quantity.count(omitted)) more)"
    }
}

/// The notes of a value that is shown alone, without lines that have room for them.
///
/// Walks with a stack of its own: a tree that came over a socket decides its depth itself.
enum ValueRemarks {
    /// More are counted.
    private static let most = 20

    /// The notes of a value and its parts, each with the path that it is of. The cuts stand in the value's text.
    static func lines(of root: ValueNode, path: String) -> [String] {
        var lines: [String] = []
        var more = 0
        var steps = [(path, root)]
        while let (path, node) = steps.popLast() {
            // The text of what is unavailable has it.
            if let note = node.note, node.kind != .unavailable {
                if lines.count < most { lines.append("\(path): \(note)") } else { more += 1 }
            }
            for child in node.children.reversed() {
                steps.append((path + step(child.label ?? "_"), child))
            }
        }
        guard more > 0 else { return lines }
        return lines + ["\(Quantity.count(more, "more note", "more notes")); --json has them"]
    }

    private static func step(_ label: String) -> String {
        label.hasPrefix("[") || label.hasPrefix(".") ? label : "." + label
    }
}
#endif
