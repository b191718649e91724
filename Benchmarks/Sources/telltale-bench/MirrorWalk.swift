import TelltaleProtocol

/// A tree made with what the toolchain offers, `Mirror`: what our own reader is held against.
struct MirrorWalk {
    var depth = 6

    /// Makes the tree of a value, whose own `customMirror` and `description` are run.
    func tree(of value: Any) -> ValueNode { node(label: nil, value, depth) }

    private func node(label: String?, _ value: Any, _ depth: Int) -> ValueNode {
        let mirror = Mirror(reflecting: value)
        let type = "\(mirror.subjectType)"
        if mirror.children.isEmpty {
            return ValueNode(label: label, type: type, kind: .scalar, text: "\(value)")
        }
        let isList = mirror.displayStyle == .collection
        var node = ValueNode(
            label: label, type: type, kind: isList ? .array : .structure,
            count: isList ? mirror.children.count : nil)
        guard depth > 0 else {
            node.cut = .init(reason: "depth", omitted: mirror.children.count)
            return node
        }
        node.children = mirror.children.enumerated().map { position, child in
            self.node(
                label: child.label ?? (isList ? "[\(position)]" : nil), child.value, depth - 1)
        }
        return node
    }
}
