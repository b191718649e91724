#if TELLTALE_AGENT
import TelltaleProtocol

// Values parsed by their type's format, and the errors for values that don't fit.
extension LiteralValue {
    func formatted(
        _ literal: Literal, as type: Any.Type, _ format: ValueFormat
    ) throws(CommandFailure) -> Any {
        let text: String? =
            switch literal {
            case .string(let text), .spelled(let text): format.style == .quoted ? text : nil
            case .integer(let text), .float(let text): format.style == .number ? text : nil
            default: nil
            }
        guard let text else { throw mismatch(literal, type, hint: "write \(format.example)") }
        guard let value = format.parse(text) else {
            throw CommandFailure(
                .wrongType,
                "\(subject) is \(ChangedType.withArticle(type)), and " + repeated(literal)
                    + " is not",
                hint: "write \(format.example)")
        }
        return value
    }

    /// The typed value, as far as it may be repeated.
    private func repeated(_ literal: Literal) -> String {
        guard !isMasked else { return "the value" }
        let text = literal.masked(by: masks.names)
        return text.utf8.count <= 60 ? text : String(text.prefix(48)) + "…"
    }

    func fit(
        _ value: Any?, _ literal: Literal, _ type: Any.Type
    ) throws(CommandFailure) -> Any {
        guard let value else { throw mismatch(literal, type, hint: nil) }
        return value
    }

    /// The parser's own error for a spelling that no possible type has.
    private func unread(_ literal: Literal, _ type: Any.Type) -> CommandFailure? {
        switch literal {
        case .path where type != Bool.self: break
        case .made where type is any TypedScalar.Type: break
        case .spelled: break
        default: return nil
        }
        guard !isMasked, literal.masked(by: masks.names) == literal.description else {
            return CommandFailure(.usage, "what was typed for \(subject) is not a value")
        }
        do throws(CommandFailure) {
            _ = try Literal(parsing: literal.description)
            return nil
        } catch {
            return error
        }
    }

    func mismatch(_ literal: Literal, _ type: Any.Type, hint: String?) -> CommandFailure {
        let what = "\(subject) is \(ChangedType.withArticle(type))"
        let hint = isMasked ? nil : hint
        if case .null = literal {
            return CommandFailure(.wrongType, "\(what) and can't be nil", hint: hint)
        }
        if let scalar = type as? any TypedScalar.Type, let range = scalar.range,
            scalar.isBeyondRange(literal)
        {
            return CommandFailure(
                .wrongType,
                "\(what); \(repeated(literal)) is out of its range",
                hint: "from \(range.0) to \(range.1)")
        }
        if let failure = unread(literal, type) { return failure }
        let kind =
            switch literal {
            case .enumCase: "a case"
            case .made, .path: "none"
            default: literal.typeDescription
            }
        return CommandFailure(
            .wrongType,
            "\(what); \(repeated(literal)) is \(kind)",
            hint: hint)
    }
}

extension CommandFailure {
    /// A copy of the failure with another type's name in its message.
    func renamed(from old: String, to new: String) -> CommandFailure {
        guard let range = message.firstRange(of: " is \(old)") else { return self }
        var renamed = self
        renamed.message.replaceSubrange(range, with: " is \(new)")
        return renamed
    }
}
#endif
