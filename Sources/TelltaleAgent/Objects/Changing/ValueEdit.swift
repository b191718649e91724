#if TELLTALE_AGENT
import TelltaleProtocol

/// What is to be done with the value at a place.
enum ValueEdit: Sendable {
    /// Another value takes its place.
    case assign(TypedText)
    /// `+=` and `-=`.
    case combine(isSum: Bool, TypedText)
    /// Some elements of an array are replaced, by as many or others.
    case slice(Range<Int>, TypedText)
    /// `append(…)`, `removeAll()`, `toggle()`.
    case operation(ValueOperation, TypedText)

    /// What was typed for it.
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

    /// The same without the values that were made of what was typed.
    var unmade: ValueEdit {
        var copy = self
        copy.text.values = TypedValues()
        return copy
    }

    /// The edit for a path that may end with a range of an array: that whole array is then what changes.
    static func setting(
        _ path: [ValuePath.Component], to text: TypedText
    ) -> (path: [ValuePath.Component], edit: ValueEdit) {
        guard case .range(let range)? = path.last else { return (path, .assign(text)) }
        return (path.dropLast(), .slice(range, text))
    }

    /// Whether what it makes depends on what stands there.
    var dependsOnValue: Bool {
        if case .assign(let text) = self { return text.namesProperties }
        return true
    }
}

/// What was typed for a place, before it is known what stands there.
struct TypedText: Sendable {
    let text: String
    let parsed: Result<TypedLiteral, CommandFailure>
    var references = TypedReferences()
    var values = TypedValues()

    /// Reads a value.
    init(_ text: String) {
        self.text = text
        do throws(CommandFailure) {
            parsed = .success(try TypedLiteral(parsing: text))
        } catch {
            parsed = .failure(error)
        }
    }

    /// Reads what stands between the parentheses of a call.
    init(argumentsOf text: String) {
        self.text = text
        do throws(CommandFailure) {
            parsed = .success(try TypedLiteral(argumentsOf: text))
        } catch {
            parsed = .failure(error)
        }
    }

    /// The paths that stand in it.
    var paths: [ValuePath] { (try? parsed.get())?.literal.paths ?? [] }

    fileprivate var namesProperties: Bool {
        switch (try? parsed.get())?.literal {
        case .tuple, .made, .dictionary: true
        default: false
        }
    }
}

/// What a change would do.
struct ChangePreview: Sendable {
    var path = ""
    let oldText: String
    let newText: String
    var note: String?
}

/// What can be done to a collection, a text or a Bool, in Swift's own words for it.
enum ValueOperation: String, CaseIterable, Sendable {
    case append, insert, remove, removeAll, removeFirst, removeLast, removeValue, updateValue
    case swap, swapAt, toggle
}
#endif
