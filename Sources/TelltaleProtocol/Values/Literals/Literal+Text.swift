#if TELLTALE_COMPILED
extension Literal: CustomStringConvertible {
    /// The value in Swift's spelling; reading it gives the same value again.
    public var description: String {
        switch self {
        case .null: "nil"
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let text), .float(let text): text
        case .string(let string): Self.quoted(string)
        case .enumCase(let name, let payload):
            "." + NameSpelling.spelled(name) + (payload.isEmpty ? "" : Self.list(payload))
        case .array(let elements):
            "[" + elements.map(\.description).joined(separator: ", ") + "]"
        case .dictionary(let entries):
            entries.isEmpty
                ? "[:]"
                : "[" + entries.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "]"
        case .tuple(let elements): Self.list(elements)
        }
    }

    private static func list(_ arguments: [Argument]) -> String {
        let parts = arguments.map { argument in
            argument.label.map { "\(NameSpelling.spelled($0)): \(argument.value)" }
                ?? argument.value.description
        }
        return "(" + parts.joined(separator: ", ") + ")"
    }

    /// A string as it would be typed in Swift.
    ///
    /// What a terminal would obey or be confused by (control characters, C1, bidirectional
    /// overrides, U+2028 and U+2029) is written as `\u{…}`.
    /// - Parameter string: Any string.
    /// - Returns: The string in quotes.
    public static func quoted(_ string: String) -> String { escaped(string, quote: "\"") }

    /// A text with Swift's escapes, in quotes of a kind.
    static func escaped(_ string: String, quote: Unicode.Scalar) -> String {
        let needsEscape = string.unicodeScalars.contains {
            $0 == quote || $0 == "\\" || $0.steersTerminal
        }
        let text =
            needsEscape
            ? TerminalEscape.text(string) { scalar in
                scalar == quote || scalar == "\\" ? "\\" + String(Character(scalar)) : nil
            } : string
        let mark = String(Character(quote))
        return mark + text + mark
    }
}
#endif
