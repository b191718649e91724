#if TELLTALE_COMPILED
/// Reads expressions as they are typed.
///
/// A path is read as everywhere, so a name may contain a minus: `a-b` is a name, `a - b` and `a -1`
/// are computed. Words such as `where` and `first` have a meaning only after a value, where no path
/// continues.
struct ExpressionParser {
    var literals: LiteralParser
    var leaves: [ValueExpression.Leaf] = []
    private var parts = 0
    /// Indicates that the paths are properties of an element.
    var isCondition = false

    init(_ scanner: TextScanner) { literals = LiteralParser(scanner) }

    var scanner: TextScanner {
        get { literals.scanner }
        set { literals.scanner = newValue }
    }

    mutating func whole() throws(CommandFailure) -> ValueExpression {
        let root = try expression(depth: 0)
        skipSpace()
        guard scanner.isAtEnd else {
            let meant = ["'='": "`==` compares", "'like'": "`contains` finds a part of a text"]
            var failure = unexpected("an operator, `where`, `sorted by` or the end")
            if let hint = meant[scanner.found] {
                failure.hint = hint + "\n" + (failure.hint ?? "")
            }
            throw failure
        }
        return ValueExpression(root: root, leaves: leaves)
    }

    // MARK: Operators

    /// The operators from the weakest on; those of a level are read from the left.
    private static let levels: [[ExpressionOperator]] = [
        [.or], [.and],
        // Longer ones first: `<=` begins as `<` does.
        [.equal, .unequal, .lessOrEqual, .greaterOrEqual, .less, .greater, .contains],
        [.plus, .minus], [.times, .divided, .remainder],
    ]
    private static let comparison = 2

    mutating func expression(
        depth: Int, level: Int = 0
    ) throws(CommandFailure) -> ValueExpression.Node {
        guard level < Self.levels.count else { return try unary(depth: depth) }
        var left = try expression(depth: depth, level: level + 1)
        var isCompared = false
        while true {
            skipSpace()
            let offset = scanner.offset
            guard let operation = take(Self.levels[level]) else { return left }
            if level == Self.comparison, isCompared {
                throw failure("a comparison of a comparison: write parentheses", at: offset)
            }
            isCompared = true
            try count(at: offset)
            let right = try expression(depth: depth, level: level + 1)
            left = .operation(operation, left, right, at: offset)
        }
    }

    private mutating func take(_ operations: [ExpressionOperator]) -> ExpressionOperator? {
        for operation in operations {
            if operation == .contains {
                if word("contains") { return operation }
            } else if scanner.skip(operation.rawValue) {
                return operation
            }
        }
        return nil
    }

    // A chain of many signs is taken in a loop.
    private mutating func unary(depth: Int) throws(CommandFailure) -> ValueExpression.Node {
        var signs: [(isNot: Bool, offset: Int)] = []
        while true {
            skipSpace()
            let offset = scanner.offset
            if scanner.skip("!") {
                signs.append((true, offset))
            } else if scanner.peek() == "-", !startsNumber(behind: 1) {
                _ = scanner.next()
                signs.append((false, offset))
            } else {
                break
            }
            try count(at: offset)
        }
        var node = try primary(depth: depth)
        for sign in signs.reversed() {
            node = sign.isNot ? .not(node, at: sign.offset) : .negative(node, at: sign.offset)
        }
        return node
    }

    func startsNumber(behind ahead: Int) -> Bool {
        scanner.peek(ahead).map { ("0"..."9").contains($0) } ?? false
    }

    // MARK: Values

    private mutating func primary(depth: Int) throws(CommandFailure) -> ValueExpression.Node {
        skipSpace()
        let offset = scanner.offset
        try count(at: offset)
        switch scanner.peek() {
        case "(":
            guard depth < ValueExpression.maximumDepth else {
                throw failure("more than \(ValueExpression.maximumDepth) nested parentheses")
            }
            return try parentheses(depth: depth + 1)
        case "\"", "-", ".": return .literal(try literal())
        case let digit? where ("0"..."9").contains(digit): return .literal(try literal())
        case nil: throw unexpected("a value")
        default: break
        }
        for (name, value) in Self.words where word(name) { return .literal(value) }
        guard let first = scanner.peek(), first == "#" || first == "`" || NameFormat.canBegin(first)
        else { throw unexpected("a value, a path or '('") }
        let path = try literals.path()
        return try leaf(.init(path: path, offset: offset))
    }

    private static let words: [(String, ExpressionValue)] = [
        ("true", .bool(true)), ("false", .bool(false)), ("nil", .none), ("null", .none),
    ]

    private mutating func literal() throws(CommandFailure) -> ExpressionValue {
        let offset = scanner.offset
        switch try literals.value(depth: 0) {
        case .integer(let text):
            guard let number = Int128(text), number >= Int128(Int64.min),
                number <= Int128(UInt64.max)
            else { throw failure("a number that no Int and no UInt holds", at: offset) }
            return .integer(number)
        case .float(let text): return .double(Double(text) ?? .nan)
        case .string(let text): return .string(text)
        case .enumCase(let name, []): return .enumCase(name)
        case .enumCase:
            throw failure(
                "a case is compared by its name alone, without what it carries", at: offset)
        default: throw failure("a value of this kind can't be computed with", at: offset)
        }
    }

    private mutating func parentheses(depth: Int) throws(CommandFailure) -> ValueExpression.Node {
        let open = scanner.offset
        _ = scanner.next()
        let inner = try expression(depth: depth)
        skipSpace()
        guard scanner.skip(")") else {
            guard scanner.isAtEnd else { throw unexpected("an operator or ')'") }
            throw failure("no ')' closes this", at: open)
        }
        guard scanner.peek() == "." || scanner.peek() == "[" else { return inner }
        guard case .leaf(let number) = inner else {
            throw failure("nothing follows a value that is computed: expected an operator")
        }
        return try follow(number)
    }

    /// `.first.title` behind `(items where isNew)`.
    private mutating func follow(_ number: Int) throws(CommandFailure) -> ValueExpression.Node {
        while true {
            let offset = scanner.offset
            guard let component = try literals.component() else { return .leaf(number) }
            let isList = leaves[number].clauses.last.map { !$0.givesOne } ?? false
            if leaves[number].clauses.isEmpty {
                leaves[number].path.components.append(component)
            } else if isList, case .property(let name) = component,
                let clause = CollectionClause(member: name)
            {
                leaves[number].clauses.append(clause)
            } else if isList, case .index(let index) = component {
                leaves[number].clauses.append(.element(index))
            } else if !isList {
                leaves[number].steps.append(component)
            } else {
                throw failure(
                    "expected .count, .first, .last, .min, .max, .sum or [0] of these elements",
                    at: offset)
            }
            guard
                leaves[number].path.components.count + leaves[number].steps.count
                    <= ValuePath.maximumComponents
            else { throw failure("more than \(ValuePath.maximumComponents) steps", at: offset) }
        }
    }

    // MARK: Words

    /// Takes a word that is complete here.
    mutating func word(_ word: String) -> Bool {
        let start = scanner.offset
        guard scanner.skip(word) else { return false }
        if let next = scanner.peek(), NameFormat.canContinue(next) || next == "." || next == "[" {
            scanner.rewind(to: start)
            return false
        }
        return true
    }

    mutating func skipSpace() { scanner.skipSpace() }

    private mutating func count(at offset: Int) throws(CommandFailure) {
        parts += 1
        guard parts <= ValueExpression.maximumParts else {
            throw failure("more than \(ValueExpression.maximumParts) parts", at: offset)
        }
    }

    func unexpected(_ wanted: String) -> CommandFailure {
        failure("expected \(wanted), found \(scanner.found)")
    }

    func failure(_ message: String, at place: Int? = nil) -> CommandFailure {
        scanner.marked(.usage, message, at: place ?? scanner.offset)
    }
}
#endif
