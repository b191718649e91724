#if TELLTALE_COMPILED
/// An expression computed from values: `library.books.count + 1`, `photos.items where size > 3400`.
///
/// The evaluator reads the values in ``leaves``; the rest needs nothing of a host.
package struct ValueExpression: Sendable, Equatable {
    package indirect enum Node: Sendable, Equatable {
        case literal(ExpressionValue)
        /// A value by its number in ``ValueExpression/leaves``.
        case leaf(Int)
        case not(Node, at: Int)
        case negative(Node, at: Int)
        case operation(ExpressionOperator, Node, Node, at: Int)
    }

    /// A value that is read: a path, and the clauses for the collection there.
    package struct Leaf: Sendable, Equatable {
        package var path: ValuePath
        package var clauses: [CollectionClause] = []
        /// The path from the result of the clauses: `.title` of `(items where isNew).first.title`.
        package var steps: [ValuePath.Component] = []
        /// The start in the text, in scalars.
        package var offset = 0
    }

    package var root: Node
    package var leaves: [Leaf]

    /// Indicates a single value that is read, without a computation.
    package var isLeaf: Bool { root == .leaf(0) && leaves.count == 1 }

    /// The maximum length of a typed expression, in bytes.
    package static let maximumBytes = ValuePath.maximumBytes
    /// The maximum nesting of parentheses: each level is six calls of the parser.
    static let maximumDepth = 16
    /// The maximum number of operators and values: in a row they become as many nested calls during
    /// evaluation, which may be on a thread of the host with little stack.
    static let maximumParts = 96

    init(root: Node, leaves: [Leaf]) {
        self.root = root
        self.leaves = leaves
    }

    /// Reads an expression that takes the whole text.
    ///
    /// - Throws: A failure of usage that names the column and has a mark below it.
    package init(parsing text: String) throws(CommandFailure) {
        var parser = ExpressionParser(try TextScanner(text, maximumBytes: Self.maximumBytes))
        self = try parser.whole()
    }
}

/// A step of a collection query: `where isNew sorted by size descending first 5`.
package enum CollectionClause: Sendable, Equatable {
    /// The elements for which this holds; its leaves are properties of an element.
    case matching(ValueExpression)
    /// In the order of a property, or of the elements themselves.
    case sorted(by: [ValuePath.Component], descending: Bool)
    /// The first so many; nil for the first one alone.
    case first(Int?)
    case last(Int?)
    /// The one at a position, as the clauses before have left them.
    case element(Int)
    case count
    case isEmpty
    case least([ValuePath.Component])
    case greatest([ValuePath.Component])
    case sum([ValuePath.Component])

    /// Indicates that the result is one value and not a list.
    package var givesOne: Bool {
        switch self {
        case .matching, .sorted, .first(.some), .last(.some): false
        default: true
        }
    }

    /// The clause that is typed as a member: `.count`; nil for other names.
    package init?(member name: String) {
        switch name {
        case "count": self = .count
        case "isEmpty": self = .isEmpty
        case "first": self = .first(nil)
        case "last": self = .last(nil)
        case "min": self = .least([])
        case "max": self = .greatest([])
        case "sum": self = .sum([])
        default: return nil
        }
    }
}

package enum ExpressionOperator: String, Sendable, Equatable {
    case or = "||"
    case and = "&&"
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains = "contains"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case remainder = "%"
}
#endif
