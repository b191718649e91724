#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// A comparison of two host values that doesn't call their `==`.
struct ValueComparison {
    private let reader: ValueReader

    /// Makes a comparison. Values larger than the limits are the same only if their bytes are.
    init(limits: ReadLimits) {
        var wide = limits
        wide.depth = max(limits.depth, 16)
        wide.elements = max(limits.elements, 10_000)
        // A format may omit a difference between two values, such as a date's fractions of a millisecond.
        wide.usesFormats = false
        reader = ValueReader(limits: wide, masks: .none, handles: nil)
    }

    /// Returns whether two values (`nil` for no value) have the same structure, text and objects. The caller
    /// keeps both alive.
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

    /// Returns whether a value has contents that its node doesn't show: those of a `Builtin` type or of a
    /// closure, or contents that could not be read. Two such values may differ.
    private func hidesContents(_ node: ValueNode) -> Bool {
        switch node.kind {
        case .unavailable, .masked: true
        case .opaque: node.text?.hasSuffix(".self") != true
        // If the payload's type is not recorded, the case says nothing about the payload.
        case .enumeration: node.children.isEmpty && node.note != nil
        default: false
        }
    }

    // The reader's depth limit bounds the recursion.
    private func areSame(_ left: ValueNode, _ right: ValueNode) -> Bool {
        guard left.label == right.label, left.type == right.type, left.count == right.count
        else { return false }
        // The rest was not read.
        if left.cut != nil || right.cut != nil { return false }
        // An object is compared by identity, however its properties have changed.
        if left.address != nil || right.address != nil { return left.address == right.address }
        guard left.kind == right.kind, left.text == right.text,
            left.children.count == right.children.count, !hidesContents(left)
        else { return false }
        return zip(left.children, right.children).allSatisfy(areSame)
    }
}
#endif
