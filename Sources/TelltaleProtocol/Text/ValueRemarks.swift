#if TELLTALE_COMPILED
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
