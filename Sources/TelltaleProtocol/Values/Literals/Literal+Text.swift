#if TELLTALE_COMPILED
extension Literal: CustomStringConvertible {
    /// The value in Swift's syntax; reading it gives the same value again.
    public var description: String { text(masking: nil) }

    /// The value in Swift's syntax, with `<masked>` for secrets in it.
    func text(masking names: SecretNames?) -> String {
        switch self {
        case .null: "nil"
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let text), .float(let text): text
        case .string(let text):
            Self.quoted(names.flatMap { SecretURL.masking(text, names: $0) } ?? text)
        case .enumCase(let name, let payload):
            "." + NameFormat.typed(name)
                + (payload.isEmpty
                    ? "" : Self.list(payload, Self.masked(payload, ofCase: name, by: names)))
        case .array(let elements):
            "[" + elements.map { $0.text(masking: names) }.joined(separator: ", ") + "]"
        case .dictionary(let entries):
            entries.isEmpty ? "[:]" : Self.list(entries, masking: names)
        case .tuple(let elements): Self.list(elements, Self.masked(elements, by: names))
        case .made(let name, let arguments):
            name.escaped
                + Self.list(
                    arguments,
                    madeCase.map { Self.masked(arguments, ofCase: $0, by: names) }
                        ?? Self.masked(arguments, by: names))
        case .range(let lower, let upper, let isClosed):
            (lower?.text(masking: names) ?? "") + (isClosed ? "..." : "..<")
                + (upper?.text(masking: names) ?? "")
        case .path(let path): path.description
        case .spelled(let text):
            (names.flatMap { SecretURL.masking(text, names: $0) } ?? text).escaped
        }
    }

    private static func list(_ entries: [Entry], masking names: SecretNames?) -> String {
        let members = entries.map { Argument(label: $0.key.nameText, value: $0.value) }
        let parts = zip(entries, masked(members, by: names)).map { entry, part in
            "\(entry.key.text(masking: names)): \(part)"
        }
        return "[" + parts.joined(separator: ", ") + "]"
    }

    private static func list(_ arguments: [Argument], _ values: [String]) -> String {
        let parts = zip(arguments, values).map { argument, value in
            argument.label.map { "\(NameFormat.typed($0)): \(value)" } ?? value
        }
        return "(" + parts.joined(separator: ", ") + ")"
    }

    /// A string as it would be typed in Swift.
    ///
    /// Scalars that a terminal would obey or be confused by (control characters, C1, bidirectional
    /// overrides, U+2028 and U+2029) are written as `\u{…}`.
    /// - Parameter string: Any string.
    /// - Returns: The string in quotes.
    public static func quoted(_ string: String) -> String { escaped(string, quote: "\"") }

    /// A text with Swift's escapes, in quotes of a kind.
    static func escaped(_ string: String, quote: Unicode.Scalar) -> String {
        let needsEscape =
            !string.isPlain(between: quote)
            && string.unicodeScalars.contains {
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

/// The spelling of names of objects, properties, cases and labels: as they are, or in backquotes.
package enum NameFormat {
    /// Returns whether a name can begin with a character without backquotes.
    static func canBegin(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "-" && canContinue(scalar)
    }

    /// Returns whether a name can contain a character without backquotes.
    static func canContinue(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "-": true
        default: scalar.value >= 0x80 && scalar.properties.isXIDContinue
        }
    }

    /// A name as it is typed: itself, or in backquotes with Swift's escapes.
    package static func typed(_ name: String) -> String {
        guard let first = name.unicodeScalars.first, canBegin(first),
            name.unicodeScalars.allSatisfy(canContinue)
        else { return Literal.escaped(name, quote: "`") }
        return name
    }
}
#endif
