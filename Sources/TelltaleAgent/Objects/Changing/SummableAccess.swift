#if TELLTALE_AGENT
/// The standard library's types with `+=`, some of which have `-=` too.
protocol SummableAccess {
    static var hasDifference: Bool { get }
    /// The sum or the difference; `nil` if it is out of the type's range, or an operand is of another type.
    static func combine(_ left: Any, _ right: Any, isSum: Bool) -> Any?
}

extension SummableAccess {
    static var hasDifference: Bool { true }
}

extension SummableAccess where Self: FixedWidthInteger {
    static func combine(_ left: Any, _ right: Any, isSum: Bool) -> Any? {
        guard let left = left as? Self, let right = right as? Self else { return nil }
        let (value, isOverflow) =
            isSum
            ? left.addingReportingOverflow(right) : left.subtractingReportingOverflow(right)
        return isOverflow ? nil : value
    }
}

extension SummableAccess where Self: BinaryFloatingPoint {
    static func combine(_ left: Any, _ right: Any, isSum: Bool) -> Any? {
        guard let left = left as? Self, let right = right as? Self else { return nil }
        let value = isSum ? left + right : left - right
        // The sum of two finite numbers must not become infinite.
        return left.isFinite && right.isFinite && !value.isFinite ? nil : value
    }
}

extension Duration: SummableAccess {
    static func combine(_ left: Any, _ right: Any, isSum: Bool) -> Any? {
        guard let left = left as? Duration, let right = right as? Duration else { return nil }
        let (value, isOverflow) =
            isSum
            ? left.attoseconds.addingReportingOverflow(right.attoseconds)
            : left.attoseconds.subtractingReportingOverflow(right.attoseconds)
        return isOverflow ? nil : Duration(attoseconds: value)
    }
}

extension String: SummableAccess {
    static var hasDifference: Bool { false }

    static func combine(_ left: Any, _ right: Any, isSum: Bool) -> Any? {
        guard isSum, let left = left as? String, let right = right as? String else { return nil }
        return left + right
    }
}

extension SummableAccess where Self: RangeReplaceableCollection {
    static var hasDifference: Bool { false }

    static func combine(_ left: Any, _ right: Any, isSum: Bool) -> Any? {
        guard isSum, let left = left as? Self, let right = right as? Self else { return nil }
        return left + right
    }
}

extension Array: SummableAccess {}
extension ContiguousArray: SummableAccess {}
extension ArraySlice: SummableAccess {}
#endif
