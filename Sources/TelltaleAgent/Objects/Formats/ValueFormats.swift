#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

enum ValueFormats {
    /// The maximum number of types with a format.
    static let capacity = 256

    private static let registered = Locked<[ObjectIdentifier: ValueFormat]>([:])

    /// Adds a format; a second one for a type replaces the first. Returns false if there are already
    /// ``capacity`` formats.
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

    /// The format for values of a type; `nil` if they are shown by their fields.
    static func format(for type: Any.Type) -> ValueFormat? {
        registered.withLock { $0[ObjectIdentifier(type)] }
    }

    /// Parses a typed value of a type; `nil` if the type has no format that parses it.
    static func parse(_ type: Any.Type, _ text: String) -> Any? {
        format(for: type).flatMap { $0.isTyped ? $0.parse(text) : nil }
    }

    /// Returns whether values of a type, or of the type that an optional wraps, are typed as numbers and
    /// parsed by a format.
    static func takesNumbers(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalAccess.Type { return takesNumbers(optional.wrapped) }
        return format(for: type).map { $0.isTyped && $0.style == .number } ?? false
    }
}

extension ValueFormat {
    /// Returns a value's text as a leaf node. `masking` returns a text with its secrets masked, `nil` if it
    /// contains none; its second argument is true if the text was not truncated.
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
