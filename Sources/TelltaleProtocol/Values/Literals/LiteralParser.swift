#if TELLTALE_COMPILED
/// Reads values as they are typed.
struct LiteralParser {
    var scanner: TextScanner
    /// The start of each value, followed by those inside of it; only recorded if parsing for a
    /// type.
    var starts: [Int] = []
    /// Indicates that parsing is for a type, which may have spellings of its own.
    let isForType: Bool

    init(_ scanner: TextScanner, isForType: Bool = false) {
        self.scanner = scanner
        self.isForType = isForType
    }

    /// One value and nothing after it.
    mutating func whole() throws(CommandFailure) -> Literal {
        let literal = try element(depth: 0)
        scanner.skipSpace()
        guard scanner.isAtEnd else {
            throw scanner.failure("\(scanner.found) after the value")
        }
        return literal
    }

    mutating func wholeArguments() throws(CommandFailure) -> [Literal.Argument] {
        let arguments = try arguments(until: nil, depth: 0)
        guard scanner.isAtEnd else {
            throw scanner.failure("\(scanner.found) after the arguments")
        }
        return arguments
    }

    /// The value that begins here, after spaces.
    mutating func value(depth: Int) throws(CommandFailure) -> Literal {
        scanner.skipSpace()
        switch scanner.peek() {
        case "\"": return .string(try scanner.quoted())
        case "[": return try brackets(depth: below(depth))
        case "{": return try braces(depth: below(depth))
        case "(": return try parentheses(depth: below(depth))
        case ".": return try enumCase(depth: depth)
        case "-", "+": return try number()
        case let digit? where ("0"..."9").contains(digit): return try number()
        default: return try word()
        }
    }

    /// The depth inside a value of a depth.
    func below(_ depth: Int) throws(CommandFailure) -> Int {
        guard depth < Literal.maximumDepth else {
            throw scanner.failure(
                "more than the \(Literal.maximumDepth) levels that are allowed")
        }
        return depth + 1
    }

    mutating func word() throws(CommandFailure) -> Literal {
        let start = scanner.offset
        let name = scanner.peek() == "`" ? nil : try scanner.name()
        switch name {
        case "nil", "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "inf", "infinity": return .float("inf")
        case "nan": return .float("nan")
        case let name?:
            throw scanner.failure(
                "'\(name)' is not a value", at: start,
                hint: "Write \(Literal.quoted(name)) for a string, .\(name) for a case.")
        case nil:
            let isQuote =
                scanner.peek().map { "'‘’“”„«»`".unicodeScalars.contains($0) } ?? false
            throw scanner.failure(
                "\(scanner.found) instead of a value",
                hint: isQuote
                    ? "Strings stand in straight double quotes: \"text\"."
                    : "Values are 12, 1.5, true, nil, \"text\", .case, [1, 2], [\"key\": 1].")
        }
    }

    // MARK: Collections

    private mutating func brackets(depth: Int) throws(CommandFailure) -> Literal {
        let start = scanner.offset
        _ = scanner.next()
        scanner.skipSpace()
        if scanner.skip("]") { return .array([]) }
        if scanner.skip(":") {
            try close("]", from: start)
            return .dictionary([])
        }
        let first = try element(depth: depth)
        scanner.skipSpace()
        guard scanner.skip(":") else {
            var elements = [first]
            while try more("]", from: start) { elements.append(try element(depth: depth)) }
            return .array(elements)
        }
        var entries = [Literal.Entry(key: first, value: try element(depth: depth))]
        while try more("]", from: start) { entries.append(try entry(depth: depth)) }
        return .dictionary(entries)
    }

    private mutating func braces(depth: Int) throws(CommandFailure) -> Literal {
        let start = scanner.offset
        _ = scanner.next()
        scanner.skipSpace()
        if scanner.skip("}") { return .dictionary([]) }
        var entries = [try entry(depth: depth)]
        while try more("}", from: start) { entries.append(try entry(depth: depth)) }
        return .dictionary(entries)
    }

    private mutating func entry(depth: Int) throws(CommandFailure) -> Literal.Entry {
        let key = try element(depth: depth)
        scanner.skipSpace()
        guard scanner.skip(":") else {
            throw scanner.failure("\(scanner.found) instead of ':' between a key and its value")
        }
        return Literal.Entry(key: key, value: try element(depth: depth))
    }

    private mutating func parentheses(depth: Int) throws(CommandFailure) -> Literal {
        let start = scanner.offset
        _ = scanner.next()
        let outer = starts.count - 1
        let elements = try arguments(until: ")", depth: depth, from: start)
        if elements.count == 1, let only = elements.first, only.label == nil {
            if isForType { starts.remove(at: outer) }
            return only.value
        }
        return .tuple(elements)
    }

    private mutating func enumCase(depth: Int) throws(CommandFailure) -> Literal {
        let start = scanner.offset
        _ = scanner.next()
        guard let name = try scanner.name(), Int(name) == nil else {
            throw scanner.failure(
                "a case has a name after its dot", at: start, hint: "Write 0.5 for a number.")
        }
        let open = scanner.offset
        guard scanner.skip("(") else { return .enumCase(name, []) }
        return .enumCase(name, try arguments(until: ")", depth: below(depth), from: open))
    }

    /// Arguments and the end after them: a parenthesis, or the end of the text.
    mutating func arguments(
        until end: Unicode.Scalar?, depth: Int, from start: Int = 0
    ) throws(CommandFailure) -> [Literal.Argument] {
        var arguments: [Literal.Argument] = []
        scanner.skipSpace()
        if let end {
            if scanner.skip(end) { return [] }
            repeat {
                arguments.append(try argument(depth: depth))
            } while try more(end, from: start)
            return arguments
        }
        while !scanner.isAtEnd {
            arguments.append(try argument(depth: depth))
            scanner.skipSpace()
            guard scanner.skip(",") else { break }
            scanner.skipSpace()
        }
        return arguments
    }

    private mutating func argument(depth: Int) throws(CommandFailure) -> Literal.Argument {
        scanner.skipSpace()
        let start = scanner.offset
        if let label = try scanner.name() {
            scanner.skipSpace()
            if scanner.skip(":") {
                return Literal.Argument(label: label, value: try element(depth: depth))
            }
            scanner.rewind(to: start)
        }
        return Literal.Argument(value: try element(depth: depth))
    }

    /// Returns whether another element follows: after a comma, which may also precede the end.
    private mutating func more(
        _ end: Unicode.Scalar, from start: Int
    ) throws(CommandFailure) -> Bool {
        scanner.skipSpace()
        if scanner.skip(",") {
            scanner.skipSpace()
            return !scanner.skip(end)
        }
        try close(end, from: start)
        return false
    }

    private mutating func close(_ end: Unicode.Scalar, from start: Int) throws(CommandFailure) {
        scanner.skipSpace()
        guard !scanner.skip(end) else { return }
        if scanner.isAtEnd { throw scanner.failure("no '\(end)' closes this", at: start) }
        throw scanner.failure("\(scanner.found) instead of ',' or '\(end)'")
    }
}
#endif
