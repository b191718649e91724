#if TELLTALE_AGENT
/// The standard library's ranges, made from bounds. The order of the bounds is checked by their type's own
/// `<`, since a range that is the wrong way round ends the process.
protocol RangeAccess {
    static var bound: Any.Type { get }
    static var isClosed: Bool { get }
    /// How one is typed.
    static var example: String { get }
    /// nil where a bound is missing, too much, of another type, or the wrong way round.
    static func make(lower: Any?, upper: Any?, isClosed: Bool) -> Any?
}

extension Range: RangeAccess {
    static var bound: Any.Type { Bound.self }
    static var isClosed: Bool { false }
    static var example: String { "1..<10" }
    static func make(lower: Any?, upper: Any?, isClosed: Bool) -> Any? {
        guard !isClosed, let lower = lower as? Bound, let upper = upper as? Bound, lower <= upper
        else { return nil }
        return lower..<upper
    }
}

extension ClosedRange: RangeAccess {
    static var bound: Any.Type { Bound.self }
    static var isClosed: Bool { true }
    static var example: String { "1...10" }
    static func make(lower: Any?, upper: Any?, isClosed: Bool) -> Any? {
        guard isClosed, let lower = lower as? Bound, let upper = upper as? Bound, lower <= upper
        else { return nil }
        return lower...upper
    }
}

extension PartialRangeFrom: RangeAccess {
    static var bound: Any.Type { Bound.self }
    static var isClosed: Bool { true }
    static var example: String { "1..." }
    static func make(lower: Any?, upper: Any?, isClosed: Bool) -> Any? {
        // One that is no number is not equal to itself, and ends the process.
        guard isClosed, upper == nil, let lower = lower as? Bound, lower == lower else {
            return nil
        }
        return lower...
    }
}

extension PartialRangeUpTo: RangeAccess {
    static var bound: Any.Type { Bound.self }
    static var isClosed: Bool { false }
    static var example: String { "..<10" }
    static func make(lower: Any?, upper: Any?, isClosed: Bool) -> Any? {
        guard !isClosed, lower == nil, let upper = upper as? Bound, upper == upper else {
            return nil
        }
        return ..<upper
    }
}

extension PartialRangeThrough: RangeAccess {
    static var bound: Any.Type { Bound.self }
    static var isClosed: Bool { true }
    static var example: String { "...10" }
    static func make(lower: Any?, upper: Any?, isClosed: Bool) -> Any? {
        guard isClosed, lower == nil, let upper = upper as? Bound, upper == upper else {
            return nil
        }
        return ...upper
    }
}
#endif
