#if TELLTALE_AGENT
import TelltaleProtocol

/// A text typed without quotes: `set photos.prompt WOOT!` in a shell, which removed them.
enum BareWord {
    /// The text, if it can mean nothing else: it starts with a letter and contains no quotes, brackets or
    /// line breaks.
    static func of(_ text: String) -> String? {
        var trimmed = text.drop { $0 == " " }
        while trimmed.last == " " { trimmed.removeLast() }
        let word = String(trimmed)
        guard let first = word.unicodeScalars.first, first.properties.isAlphabetic,
            !word.unicodeScalars.contains(where: {
                "\"'`()[]{}\n\r".unicodeScalars.contains($0)
            })
        else { return nil }
        return word
    }

    /// Returns whether a type is a string or an optional string.
    static func isTaken(by type: Any.Type) -> Bool {
        if let optional = type as? any OptionalAccess.Type {
            return isTaken(by: optional.wrapped)
        }
        return type == String.self || type == Substring.self
    }
}

extension BareWord {
    /// A change's note, extended if a word was taken as a text although it is also the path of a value.
    static func note(
        _ note: String?, of edit: ValueEdit, set newText: String, in context: CommandContext
    ) -> String? {
        guard case .assign(let text) = edit, let word = of(text.text),
            newText == Literal.quoted(word), let path = try? ValuePath(parsing: word),
            !path.components.isEmpty,
            let found = try? ReferenceLoading(context: context).load([path]).found.first?.value
        else { return note }
        // A path that is refused as a secret exists too.
        if case .failure(let failure) = found, failure.code != .denied { return note }
        let remark = "the text was set, not what stands at the path \(word)"
        return note.map { "\($0); \(remark)" } ?? remark
    }
}
#endif
