#if TELLTALE_COMPILED
/// A value that is computed with.
package enum ExpressionValue: Sendable, Equatable {
    case none
    case bool(Bool)
    /// A value of any integer type of a host up to an `Int128`; a computed result has to fit an
    /// `Int` or a `UInt`.
    case integer(Int128)
    case double(Double)
    /// The number of a `Decimal`, computed exactly.
    case decimal(ExactDecimal)
    case string(String)
    /// A value of another type, by its shown text.
    case shown(ShownText)
    /// A case's name without its dot; its payload is not compared.
    case enumCase(String)
    /// An object, by its address.
    case object(UInt64)
    /// A value that can't be computed with, by its type.
    case other(String)

    /// The kind of value, for a sentence.
    package var kind: String {
        switch self {
        case .none: "nil"
        case .bool: "a Bool"
        case .integer: "an Int"
        case .double: "a Double"
        case .decimal: "a Decimal"
        case .string: "a String"
        case .shown(let shown): "a \(shown.type)"
        case .enumCase(let name): "the case .\(NameFormat.typed(name))"
        case .object: "an object"
        case .other(let type): "a value of type \(type)"
        }
    }
}

extension ExpressionValue {
    /// The text that a search looks through.
    package var text: String? {
        switch self {
        case .string(let text): text
        case .shown(let shown): shown.text
        default: nil
        }
    }
}

/// The reason that something could not be computed, and the position in its text.
package struct ExpressionFailure: Error, Equatable {
    package var code: CommandFailure.Code
    package var message: String
    /// In scalars of the text.
    package var offset: Int?

    package init(_ code: CommandFailure.Code, _ message: String, at offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// The failure of a command, with a mark below the place in the text.
    package func failure(in text: String) -> CommandFailure {
        guard let offset,
            let scanner = try? TextScanner(text, maximumBytes: ValueExpression.maximumBytes)
        else { return CommandFailure(code, message) }
        return scanner.marked(code, message, at: offset)
    }
}

// MARK: - Computing

extension ValueExpression {
    /// Computes it. The values are asked for by their numbers, each when it is needed: not those
    /// after `||` if the left side holds.
    package func value(
        _ leaf: (Int) throws(ExpressionFailure) -> ExpressionValue
    ) throws(ExpressionFailure) -> ExpressionValue { try Self.value(of: root, leaf) }

    /// Returns whether the condition holds.
    package func holds(
        _ leaf: (Int) throws(ExpressionFailure) -> ExpressionValue
    ) throws(ExpressionFailure) -> Bool {
        let value = try Self.value(of: root, leaf)
        guard case .bool(let holds) = value else {
            throw ExpressionFailure(
                .wrongType, "a condition is true or false, and this is \(value.kind)", at: nil)
        }
        return holds
    }

    // As deep as the parser lets it be.
    private static func value(
        of node: Node, _ leaf: (Int) throws(ExpressionFailure) -> ExpressionValue
    ) throws(ExpressionFailure) -> ExpressionValue {
        switch node {
        case .literal(let value): return value
        case .leaf(let number): return try leaf(number)
        case .not(let inner, let offset):
            return .bool(!(try truth(of: inner, "!", at: offset, leaf)))
        case .negative(let inner, let offset):
            switch try value(of: inner, leaf) {
            case .integer(let number):
                // The negation of the least one exceeds them all.
                return try whole(0 &- number, "-", at: offset)
            case .double(let number): return .double(-number)
            case .decimal(let number): return .decimal(number.negated)
            case let other: throw wrong("- needs a number, and this is \(other.kind)", at: offset)
            }
        case .operation(.or, let left, let right, let offset):
            if try truth(of: left, "||", at: offset, leaf) { return .bool(true) }
            return .bool(try truth(of: right, "||", at: offset, leaf))
        case .operation(.and, let left, let right, let offset):
            guard try truth(of: left, "&&", at: offset, leaf) else { return .bool(false) }
            return .bool(try truth(of: right, "&&", at: offset, leaf))
        case .operation(let operation, let left, let right, let offset):
            return try computed(
                operation, try value(of: left, leaf), try value(of: right, leaf), at: offset)
        }
    }

    private static func truth(
        of node: Node, _ name: String, at offset: Int,
        _ leaf: (Int) throws(ExpressionFailure) -> ExpressionValue
    ) throws(ExpressionFailure) -> Bool {
        let value = try value(of: node, leaf)
        guard case .bool(let bool) = value else {
            throw wrong("\(name) needs true or false, and this is \(value.kind)", at: offset)
        }
        return bool
    }

    private static func computed(
        _ operation: ExpressionOperator, _ left: ExpressionValue, _ right: ExpressionValue,
        at offset: Int
    ) throws(ExpressionFailure) -> ExpressionValue {
        switch operation {
        case .equal: return .bool(try areEqual(left, right, at: offset))
        case .unequal: return .bool(!(try areEqual(left, right, at: offset)))
        case .less: return .bool(try order(left, right, "<", at: offset) == .less)
        case .lessOrEqual:
            let order = try order(left, right, "<=", at: offset)
            return .bool(order == .less || order == .same)
        case .greater: return .bool(try order(left, right, ">", at: offset) == .greater)
        case .greaterOrEqual:
            let order = try order(left, right, ">=", at: offset)
            return .bool(order == .greater || order == .same)
        case .contains:
            guard let text = left.text, let part = right.text else {
                throw wrong(
                    "contains needs two Strings, and these are \(left.kind) and \(right.kind)",
                    at: offset)
            }
            return .bool(TextSearch.has(part, in: text))
        default: return try arithmetic(operation, left, right, at: offset)
        }
    }

    static func wrong(_ message: String, at offset: Int?) -> ExpressionFailure {
        ExpressionFailure(.wrongType, message, at: offset)
    }
}
#endif
