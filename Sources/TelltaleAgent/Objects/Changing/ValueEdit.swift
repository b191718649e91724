#if TELLTALE_AGENT
import TelltaleProtocol

/// An edit of the value at a place.
enum ValueEdit: Sendable {
    /// The replacement of the value by another one.
    case assign(TypedText)
    /// The operators `+=` and `-=`.
    case combine(isSum: Bool, TypedText)
    /// The replacement of a range of an array's elements by any number of others.
    case slice(Range<Int>, TypedText)
    /// An operation such as `append(…)`, `removeAll()` or `toggle()`.
    case operation(ValueOperation, TypedText)

    /// The typed text of the edit.
    var text: TypedText {
        get {
            switch self {
            case .assign(let text), .combine(_, let text), .slice(_, let text),
                .operation(_, let text):
                text
            }
        }
        set {
            switch self {
            case .assign: self = .assign(newValue)
            case .combine(let isSum, _): self = .combine(isSum: isSum, newValue)
            case .slice(let range, _): self = .slice(range, newValue)
            case .operation(let operation, _): self = .operation(operation, newValue)
            }
        }
    }

    /// A copy without the values made from the typed text.
    var unmade: ValueEdit {
        var copy = self
        copy.text.values = TypedValues()
        return copy
    }

    /// The edit for a path that may end with a range of an array: the edit then changes the whole array.
    static func setting(
        _ path: [ValuePath.Component], to text: TypedText
    ) -> (path: [ValuePath.Component], edit: ValueEdit) {
        guard case .range(let range)? = path.last else { return (path, .assign(text)) }
        return (path.dropLast(), .slice(range, text))
    }

    /// True if the result depends on the current value.
    var dependsOnValue: Bool {
        if case .assign(let text) = self { return text.namesProperties }
        return true
    }
}

/// The text typed for a place, before the place's type is known.
struct TypedText: Sendable {
    let text: String
    let parsed: Result<TypedLiteral, CommandFailure>
    var references = TypedReferences()
    var values = TypedValues()

    /// Parses a value.
    init(_ text: String) {
        self.text = text
        parsed = Result { () throws(CommandFailure) in try TypedLiteral(parsing: text) }
    }

    /// Parses the argument list of a call.
    init(argumentsOf text: String) {
        self.text = text
        parsed = Result { () throws(CommandFailure) in try TypedLiteral(argumentsOf: text) }
    }

    /// The paths in the text.
    var paths: [ValuePath] { (try? parsed.get())?.literal.paths ?? [] }

    fileprivate var namesProperties: Bool {
        switch (try? parsed.get())?.literal {
        case .tuple, .made, .dictionary: true
        default: false
        }
    }
}

/// The effect that a change would have.
struct ChangePreview: Sendable {
    var path = ""
    let oldText: String
    let newText: String
    var note: String?
}

/// The operations on collections, strings and `Bool`s, by their Swift names.
enum ValueOperation: String, CaseIterable, Sendable {
    case append, insert, remove, removeAll, removeFirst, removeLast, removeValue, updateValue
    case swap, swapAt, toggle
}

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
