#if TELLTALE_COMPILED
/// A value as it is typed for something whose type is known: in Swift's or in JSON's syntax, as `get` prints
/// it, or as the path of another value.
package struct TypedLiteral: Sendable {
    package let literal: Literal
    private let scanner: TextScanner
    private let starts: [Int]

    /// Reads a value that takes the whole text.
    package init(parsing text: String) throws(CommandFailure) {
        var parser = LiteralParser(
            try TextScanner(text, maximumBytes: Literal.maximumBytes), isForType: true)
        literal = try parser.whole()
        scanner = parser.scanner
        starts = parser.starts
    }

    /// Parses the text between the parentheses of a call, as a tuple.
    package init(argumentsOf text: String) throws(CommandFailure) {
        var parser = LiteralParser(
            try TextScanner(text, maximumBytes: Literal.maximumBytes), isForType: true)
        parser.starts = [0]
        literal = .tuple(try parser.wholeArguments())
        scanner = parser.scanner
        starts = parser.starts
    }

    /// A failure with a mark below one of the values inside, as ``Literal/size`` counts them; the same one for
    /// the value itself.
    package func marking(_ failure: CommandFailure, at value: Int) -> CommandFailure {
        guard value > 0, value < starts.count else { return failure }
        let marked = scanner.marked(failure.code, failure.message, at: starts[value])
        var result = marked
        result.hint = [marked.hint, failure.hint].compactMap { $0 }.joined(separator: "\n")
        return result
    }
}

extension Literal {
    /// The number of values, including nested ones.
    package var size: Int {
        switch self {
        case .null, .bool, .integer, .float, .string, .path, .spelled: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.size }
        case .dictionary(let entries): entries.reduce(1) { $0 + $1.key.size + $1.value.size }
        case .tuple(let parts), .enumCase(_, let parts), .made(_, let parts):
            parts.reduce(1) { $0 + $1.value.size }
        case .range(let lower, let upper, _): 1 + (lower?.size ?? 0) + (upper?.size ?? 0)
        }
    }

    /// The paths in it, with repetitions.
    package var paths: [ValuePath] {
        switch self {
        case .null, .bool, .integer, .float, .string, .spelled: []
        case .path(let path): [path]
        case .array(let elements): elements.flatMap(\.paths)
        case .dictionary(let entries): entries.flatMap { $0.key.paths + $0.value.paths }
        case .tuple(let parts), .enumCase(_, let parts), .made(_, let parts):
            parts.flatMap(\.value.paths)
        case .range(let lower, let upper, _): (lower?.paths ?? []) + (upper?.paths ?? [])
        }
    }

    /// The case of an enumeration that something made may be: `busy` of `Mood.busy(1)`.
    var madeCase: String? {
        guard case .made(let name, _) = self, let dot = name.lastIndex(of: "."),
            let first = name[dot...].dropFirst().first, first.isLowercase || first == "`"
        else { return nil }
        return String(name[name.index(after: dot)...].filter { $0 != "`" })
    }
}
#endif
