#if TELLTALE_AGENT
import TelltaleProtocol

/// A text that was typed without quotes: `set photos.prompt WOOT!` in a shell, which took them.
enum BareWord {
    /// The text, if it can't be meant as anything else: it begins with a letter and has no quotes
    /// and no brackets.
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

    /// Whether a type is a string or an optional one.
    static func isTaken(by type: Any.Type) -> Bool {
        if let optional = type as? any OptionalAccess.Type {
            return isTaken(by: optional.wrapped)
        }
        return type == String.self || type == Substring.self
    }
}

extension BareWord {
    /// A change's note, which says too where a word was taken as a text and is the path of something.
    static func note(
        _ note: String?, of edit: ValueEdit, set newText: String, in context: CommandContext
    ) -> String? {
        guard case .assign(let text) = edit, let word = of(text.text),
            newText == Literal.quoted(word), let path = try? ValuePath(parsing: word),
            !path.components.isEmpty,
            let found = try? ReferenceLoading(context: context).load([path]).found.first?.value
        else { return note }
        // What is refused as a secret is there as well.
        if case .failure(let failure) = found, failure.code != .denied { return note }
        let remark = "the text was set, not what stands at the path \(word)"
        return note.map { "\($0); \(remark)" } ?? remark
    }
}
#endif
