#if TELLTALE_COMPILED
/// The clauses after a path: `where isNew sorted by size first 5`.
extension ExpressionParser {
    mutating func leaf(
        _ leaf: ValueExpression.Leaf
    ) throws(CommandFailure) -> ValueExpression.Node {
        var leaf = leaf
        if isCondition {
            guard case .name = leaf.path.root else {
                throw failure("expected a property of the elements", at: leaf.offset)
            }
        } else {
            leaf.clauses = try clauses()
        }
        leaves.append(leaf)
        return .leaf(leaves.count - 1)
    }

    private static let mostClauses = 16

    private mutating func clauses() throws(CommandFailure) -> [CollectionClause] {
        var clauses: [CollectionClause] = []
        while clauses.last?.givesOne != true {
            skipSpace()
            let offset = scanner.offset
            guard let clause = try clause() else { break }
            guard clauses.count < Self.mostClauses else {
                throw failure("more than \(Self.mostClauses) clauses", at: offset)
            }
            clauses.append(clause)
        }
        return clauses
    }

    private mutating func clause() throws(CommandFailure) -> CollectionClause? {
        if word("where") { return .matching(try condition()) }
        if word("sorted") {
            skipSpace()
            guard word("by") else { throw unexpected("`by` and the name of a property") }
            guard let field = try field() else { throw unexpected("the name of a property") }
            skipSpace()
            if word("ascending") { return .sorted(by: field, descending: false) }
            return .sorted(by: field, descending: word("descending"))
        }
        if word("first") { return .first(try number()) }
        if word("last") { return .last(try number()) }
        if word("count") { return .count }
        if word("min") { return .least(try field() ?? []) }
        if word("max") { return .greatest(try field() ?? []) }
        if word("sum") { return .sum(try field() ?? []) }
        return nil
    }

    private mutating func condition() throws(CommandFailure) -> ValueExpression {
        let outer = leaves
        leaves = []
        isCondition = true
        let root = try expression(depth: 0)
        let condition = ValueExpression(root: root, leaves: leaves)
        leaves = outer
        isCondition = false
        return condition
    }

    /// The number behind `first`.
    private mutating func number() throws(CommandFailure) -> Int? {
        skipSpace()
        guard startsNumber(behind: 0) else { return nil }
        let offset = scanner.offset
        guard case .integer(let text) = try literals.number(), let number = Int(text) else {
            throw failure("expected how many", at: offset)
        }
        return number
    }

    /// A property of the elements, from an element; empty for `self`; `nil` if there is none here.
    private mutating func field() throws(CommandFailure) -> [ValuePath.Component]? {
        skipSpace()
        guard let first = scanner.peek(), first == "`" || NameFormat.canBegin(first),
            !startsNumber(behind: 0), !operatorWord()
        else { return nil }
        return try literals.path().fieldSteps
    }

    private func operatorWord() -> Bool {
        var copy = self
        return copy.word("contains")
    }
}

extension ValuePath {
    /// The steps to a property from an element: `album.name`, and none for `self`.
    package var fieldSteps: [Component] {
        guard case .name(let name) = root else { return components }
        return name == "self" ? components : [.property(name)] + components
    }
}
#endif
