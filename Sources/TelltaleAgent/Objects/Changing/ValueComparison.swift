#if TELLTALE_AGENT
import TelltaleProtocol

/// Whether two values of the host are the same, told without its `==`.
struct ValueComparison {
    private let reader: ValueReader

    /// Values that are larger than the limits are the same only where their bytes are.
    init(limits: ReadLimits) {
        var wide = limits
        wide.depth = max(limits.depth, 16)
        wide.elements = max(limits.elements, 10_000)
        // A format may leave out what makes two values differ: parts of a millisecond of a date.
        wide.usesFormats = false
        reader = ValueReader(limits: wide, masks: .none, handles: nil)
    }

    /// Whether two values, nil for none at all, have the same structure, text and objects; both are
    /// kept alive by the caller.
    func areSame(_ left: Any?, _ right: Any?) throws(CommandFailure) -> Bool {
        switch (left, right) {
        case (nil, nil): return true
        case (let left?, let right?):
            if TypedMemory.sameBytes(left, right) { return true }
            return areSame(
                try reader.read(.value(left), rootName: "value", path: []),
                try reader.read(.value(right), rootName: "value", path: []))
        default: return false
        }
    }

    /// Whether a value has contents that the node doesn't tell: of a `Builtin` type, a closure's, or what
    /// could not be read. Two such may differ.
    private func hidesContents(_ node: ValueNode) -> Bool {
        switch node.kind {
        case .unavailable, .masked: true
        case .opaque: node.text?.hasSuffix(".self") != true
        // The case says nothing of what it carries, where its type is not recorded.
        case .enumeration: node.children.isEmpty && node.note != nil
        default: false
        }
    }

    // As deep as the reader's own bound.
    private func areSame(_ left: ValueNode, _ right: ValueNode) -> Bool {
        guard left.label == right.label, left.type == right.type, left.count == right.count
        else { return false }
        // Nobody has looked at the rest.
        if left.cut != nil || right.cut != nil { return false }
        // An object is what it was however its properties have changed.
        if left.address != nil || right.address != nil { return left.address == right.address }
        guard left.kind == right.kind, left.text == right.text,
            left.children.count == right.children.count, !hidesContents(left)
        else { return false }
        return zip(left.children, right.children).allSatisfy(areSame)
    }
}
#endif
