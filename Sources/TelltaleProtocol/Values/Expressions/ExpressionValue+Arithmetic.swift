#if TELLTALE_COMPILED
extension ValueExpression {
    /// How two values stand to each other; `apart` where one is not a number.
    enum Order: Equatable {
        case less, same, greater, apart
    }

    static func arithmetic(
        _ operation: ExpressionOperator, _ left: ExpressionValue, _ right: ExpressionValue,
        at offset: Int
    ) throws(ExpressionFailure) -> ExpressionValue {
        if case .integer(let left) = left, case .integer(let right) = right {
            return try arithmetic(operation, left, right, at: offset)
        }
        guard let left = left.number, let right = right.number else {
            throw wrong(
                "\(operation.rawValue) needs two numbers, and these are \(left.kind) and "
                    + right.kind, at: offset)
        }
        switch operation {
        case .plus: return .double(left + right)
        case .minus: return .double(left - right)
        case .times: return .double(left * right)
        case .divided: return .double(left / right)
        default: return .double(left.truncatingRemainder(dividingBy: right))
        }
    }

    // Values of 64 bits: neither their sum nor their product is beyond 128.
    private static func arithmetic(
        _ operation: ExpressionOperator, _ left: Int128, _ right: Int128, at offset: Int
    ) throws(ExpressionFailure) -> ExpressionValue {
        switch operation {
        case .plus: return try whole(left &+ right, "+", at: offset)
        case .minus: return try whole(left &- right, "-", at: offset)
        case .times:
            let (product, isOver) = left.multipliedReportingOverflow(by: right)
            guard !isOver else { throw overflow("*", at: offset) }
            return try whole(product, "*", at: offset)
        default:
            guard right != 0 else {
                throw ExpressionFailure(.wrongType, "division by zero", at: offset)
            }
            let result = operation == .divided ? left / right : left % right
            return try whole(result, operation.rawValue, at: offset)
        }
    }

    /// An integer that fits an `Int` or a `UInt`.
    static func whole(
        _ number: Int128, _ name: String, at offset: Int?
    ) throws(ExpressionFailure) -> ExpressionValue {
        guard number >= Int128(Int64.min), number <= Int128(UInt64.max) else {
            throw overflow(name, at: offset)
        }
        return .integer(number)
    }

    private static func overflow(_ name: String, at offset: Int?) -> ExpressionFailure {
        ExpressionFailure(
            .wrongType, "the result of \(name) overflows: no Int and no UInt holds it", at: offset)
    }

    // MARK: Comparing

    static func areEqual(
        _ left: ExpressionValue, _ right: ExpressionValue, at offset: Int
    ) throws(ExpressionFailure) -> Bool {
        switch (left, right) {
        case (.none, .none): return true
        case (.none, _), (_, .none): return false
        case (.bool(let left), .bool(let right)): return left == right
        case (.integer(let left), .integer(let right)): return left == right
        case (.string(let left), .string(let right)): return left == right
        case (.enumCase(let left), .enumCase(let right)): return left == right
        case (.object(let left), .object(let right)): return left == right
        default: return try order(left, right, "==", at: offset) == .same
        }
    }

    /// The order of two numbers or two strings.
    static func order(
        _ left: ExpressionValue, _ right: ExpressionValue, _ name: String, at offset: Int?
    ) throws(ExpressionFailure) -> Order {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return order(of: left, right)
        case (.string(let left), .string(let right)): return order(of: left, right)
        case (.integer(let whole), .double(let number)): return order(of: whole, number)
        case (.double(let number), .integer(let whole)):
            switch order(of: whole, number) {
            case .less: return .greater
            case .greater: return .less
            case let other: return other
            }
        case (.double(let left), .double(let right)):
            return left.isNaN || right.isNaN ? .apart : order(of: left, right)
        case (.other(let type), _), (_, .other(let type)):
            throw wrong("a value of type \(type) can't be compared", at: offset)
        case (.none, _), (_, .none):
            throw ExpressionFailure(
                .notFound, "nil has no order, and \(name) needs one", at: offset)
        default:
            throw wrong(
                "\(left.kind) and \(right.kind) can't be compared by \(name)", at: offset)
        }
    }

    private static func order<Value: Comparable>(of left: Value, _ right: Value) -> Order {
        left == right ? .same : left < right ? .less : .greater
    }

    /// Exact also where a Double can't tell two integers apart.
    private static func order(of whole: Int128, _ number: Double) -> Order {
        guard !number.isNaN else { return .apart }
        guard number.magnitude < 0x1p80 else { return number > 0 ? .less : .greater }
        let floor = number.rounded(.down)
        let order = order(of: whole, Int128(floor))
        return order == .same && floor < number ? .less : order
    }
}

extension ExpressionValue {
    /// As a Double, where it is a number.
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    package var isNumber: Bool { number != nil }

    /// Whether it stands before another in their order; of what is no number, NaN, the end.
    ///
    /// - Throws: `.wrongType` or `.notFound` for what has no order.
    package func isBefore(_ other: ExpressionValue) throws(ExpressionFailure) -> Bool {
        if case .bool(let left) = self, case .bool(let right) = other { return !left && right }
        if case .enumCase(let left) = self, case .enumCase(let right) = other {
            return left < right
        }
        if self == .none || other == .none {
            throw ExpressionFailure(.notFound, "nil has no order")
        }
        let order = try ValueExpression.order(self, other, "their order", at: nil)
        if order == .apart, case .double(let number) = other { return number.isNaN && !isNaN }
        return order == .less
    }

    package var isNaN: Bool {
        if case .double(let number) = self { return number.isNaN }
        return false
    }

    package func adding(_ other: ExpressionValue) throws(ExpressionFailure) -> ExpressionValue {
        do throws(ExpressionFailure) {
            return try ValueExpression.arithmetic(.plus, self, other, at: 0)
        } catch {
            throw ExpressionFailure(error.code, error.message)
        }
    }
}
#endif
