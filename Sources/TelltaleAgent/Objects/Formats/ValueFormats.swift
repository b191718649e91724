#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

enum ValueFormats {
    /// How many types may have a format.
    static let capacity = 256

    private static let registered = Locked<[ObjectIdentifier: ValueFormat]>([:])

    /// Adds a format; a second one for a type takes the place of the first. False if there are
    /// already ``capacity`` of them.
    @discardableResult
    static func register(_ format: ValueFormat) -> Bool {
        defer { PlanPool.outdate() }
        return registered.withLock { formats in
            let key = ObjectIdentifier(format.type)
            guard formats[key] != nil || formats.count < capacity else { return false }
            formats[key] = format
            return true
        }
    }

    /// The format for values of a type; nil where it is shown by its fields.
    static func format(for type: Any.Type) -> ValueFormat? {
        registered.withLock { $0[ObjectIdentifier(type)] }
    }

    /// A value of a type from what was typed for it; nil where it has no format that reads it.
    static func parse(_ type: Any.Type, _ text: String) -> Any? {
        format(for: type).flatMap { $0.isTyped ? $0.parse(text) : nil }
    }

    /// Returns whether values of a type, or of the type that an optional wraps, are typed as numbers and read by
    /// a format.
    static func takesNumbers(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalAccess.Type { return takesNumbers(optional.wrapped) }
        return format(for: type).map { $0.isTyped && $0.style == .number } ?? false
    }
}

extension ValueFormat {
    /// A value's text as a leaf. `masking` gives a text without the secrets in it, nil if there are
    /// none; it is told whether none of the text was cut off.
    func node(
        of rendering: Rendering, label: String?, typeName: String, bytes: Int,
        masking: (String, Bool) -> String?
    ) -> ValueNode {
        let isQuoted = style == .quoted
        let masked = masking(rendering.text, rendering.text.utf8.count < bytes)
        let text = masked ?? rendering.text
        return ValueNode(
            label: label, type: typeName, kind: isQuoted ? .string : .scalar,
            text: isQuoted ? Literal.quoted(text) : text,
            note: masked == nil ? rendering.note : NodeMaker.partlyMasked)
    }
}
#endif
