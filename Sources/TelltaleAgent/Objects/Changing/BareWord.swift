#if TELLTALE_AGENT
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
#endif
