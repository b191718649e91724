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
    /// The values that it is made of.
    private var parts: [Literal] {
        switch self {
        case .null, .bool, .integer, .float, .string, .path, .spelled: []
        case .array(let elements): elements
        case .dictionary(let entries): entries.flatMap { [$0.key, $0.value] }
        case .tuple(let parts), .enumCase(_, let parts), .made(_, let parts): parts.map { $0.value }
        case .range(let lower, let upper, _): [lower, upper].compactMap(\.self)
        }
    }

    /// The number of values, including nested ones.
    package var size: Int { parts.reduce(1) { $0 + $1.size } }

    /// The paths in it, with repetitions.
    package var paths: [ValuePath] {
        if case .path(let path) = self { return [path] }
        return parts.flatMap(\.paths)
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
