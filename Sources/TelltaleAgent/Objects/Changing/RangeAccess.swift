#if TELLTALE_AGENT
/// Type-erased access to the standard library's ranges. The order of the bounds is checked with their type's
/// own `<`, because a reversed range traps.
protocol RangeAccess {
    static var bound: Any.Type { get }
    static var isClosed: Bool { get }
    /// An example of a typed range.
    static var example: String { get }
    /// Makes a range; `nil` if a bound is missing, superfluous, of another type, or if the bounds are
    /// reversed.
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
        // A NaN is not equal to itself, and would trap.
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
