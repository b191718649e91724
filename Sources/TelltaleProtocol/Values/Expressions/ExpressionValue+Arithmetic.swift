#if TELLTALE_COMPILED
extension ValueExpression {
    /// The ordering of two values; `apart` if one is not a number.
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
        if case .shown(let left) = left, case .shown(let right) = right,
            operation == .plus || operation == .minus,
            let length = left.length(adding: right, isNegative: operation == .minus)
        {
            return .shown(length)
        }
        if left.isDecimal || right.isDecimal, let left = left.decimal, let right = right.decimal {
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

    private static func arithmetic(
        _ operation: ExpressionOperator, _ left: Int128, _ right: Int128, at offset: Int
    ) throws(ExpressionFailure) -> ExpressionValue {
        let (result, isOver): (Int128, Bool)
        switch operation {
        case .plus: (result, isOver) = left.addingReportingOverflow(right)
        case .minus: (result, isOver) = left.subtractingReportingOverflow(right)
        case .times: (result, isOver) = left.multipliedReportingOverflow(by: right)
        default:
            guard right != 0 else {
                throw ExpressionFailure(.wrongType, "division by zero", at: offset)
            }
            (result, isOver) =
                operation == .divided
                ? left.dividedReportingOverflow(by: right)
                : left.remainderReportingOverflow(dividingBy: right)
        }
        guard !isOver else { throw overflow(operation.rawValue, at: offset) }
        return try whole(result, operation.rawValue, at: offset)
    }

    private static func arithmetic(
        _ operation: ExpressionOperator, _ left: ExactDecimal, _ right: ExactDecimal,
        at offset: Int
    ) throws(ExpressionFailure) -> ExpressionValue {
        let result: ExactDecimal?
        switch operation {
        case .plus: result = .sum(left, right)
        case .minus: result = .sum(left, right.negated)
        case .times: result = .product(left, right)
        default:
            guard !right.isZero else {
                throw ExpressionFailure(.wrongType, "division by zero", at: offset)
            }
            result =
                operation == .divided
                ? .quotient(left, by: right) : .remainder(left, by: right)
        }
        guard let result else {
            throw ExpressionFailure(
                .wrongType,
                "the result of \(operation.rawValue) has more digits than a Decimal holds",
                at: offset)
        }
        guard result.isInRange else {
            throw ExpressionFailure(
                .wrongType, "the result of \(operation.rawValue) is beyond the range of a Decimal",
                at: offset)
        }
        return .decimal(result)
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
        case (.shown(let left), .shown(let right)): return left.isSame(as: right)
        case (.shown(let shown), .string(let text)), (.string(let text), .shown(let shown)):
            return shown.isSame(as: text)
        case (.enumCase(let left), .enumCase(let right)): return left == right
        case (.object(let left), .object(let right)): return left == right
        default: return try order(left, right, "==", at: offset) == .same
        }
    }

    /// The order of two numbers, two strings, or two dates and the like.
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
            return order(of: left, right)
        case (.decimal, .decimal), (.decimal, .integer), (.integer, .decimal), (.decimal, .double),
            (.double, .decimal):
            guard let left = left.decimal, let right = right.decimal else {
                return order(of: left.number ?? .nan, right.number ?? .nan)
            }
            return left == right ? .same : ExactDecimal.isLess(left, right) ? .less : .greater
        case (.shown(let left), .shown(let right)):
            guard let first = left.order else { throw marked(left.unordered, at: offset) }
            guard let second = right.order else { throw marked(right.unordered, at: offset) }
            guard first.measure == second.measure else { break }
            return order(of: first.seconds, second.seconds)
        case (.shown(let shown), .string(let text)):
            let typed = try typed(text, as: shown, at: offset)
            return order(of: typed.value, typed.text)
        case (.string(let text), .shown(let shown)):
            let typed = try typed(text, as: shown, at: offset)
            return order(of: typed.text, typed.value)
        case (.other(let type), _), (_, .other(let type)):
            throw wrong("a value of type \(type) can't be compared", at: offset)
        case (.none, _), (_, .none):
            throw ExpressionFailure(
                .notFound, "nil has no order, and \(name) needs one", at: offset)
        default: break
        }
        throw wrong("\(left.kind) and \(right.kind) can't be compared by \(name)", at: offset)
    }

    private static func typed(
        _ text: String, as shown: ShownText, at offset: Int?
    ) throws(ExpressionFailure) -> (value: Double, text: Double) {
        do throws(ExpressionFailure) {
            let typed = try shown.order(typed: text)
            return (shown.order?.seconds ?? 0, typed.seconds)
        } catch {
            throw marked(error, at: offset)
        }
    }

    private static func marked(_ failure: ExpressionFailure, at offset: Int?) -> ExpressionFailure {
        ExpressionFailure(failure.code, failure.message, at: offset)
    }

    private static func order<Value: Comparable>(of left: Value, _ right: Value) -> Order {
        left == right ? .same : left < right ? .less : .greater
    }

    private static func order(of left: Double, _ right: Double) -> Order {
        if left.isNaN || right.isNaN { return .apart }
        return left == right ? .same : left < right ? .less : .greater
    }

    /// Exact also where a Double can't tell two integers apart.
    private static func order(of whole: Int128, _ number: Double) -> Order {
        guard !number.isNaN else { return .apart }
        let floor = number.rounded(.down)
        guard let bound = Int128(exactly: floor) else { return number > 0 ? .less : .greater }
        let order = order(of: whole, bound)
        return order == .same && floor < number ? .less : order
    }
}

extension ExpressionValue {
    /// As a Double, where it is a number.
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): Double(number.description)
        default: nil
        }
    }

    fileprivate var isDecimal: Bool {
        if case .decimal = self { return true }
        return false
    }

    /// As a decimal, where it is a number that has so few digits.
    fileprivate var decimal: ExactDecimal? {
        switch self {
        case .integer(let number): ExactDecimal(number)
        case .double(let number): ExactDecimal(number)
        case .decimal(let number): number
        default: nil
        }
    }

    /// Indicates that several of them have a sum: numbers, and durations.
    package var canBeAdded: Bool {
        if case .shown(let shown) = self { return shown.isLength }
        return number != nil
    }

    /// Returns whether it precedes another in their order; values that are not a number (NaN) go
    /// last.
    ///
    /// - Throws: `.wrongType` or `.notFound` for values without an order.
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
