#if TELLTALE_COMPILED
/// A JSON value. Objects keep the order of their members, integers their 64 bits.
public enum JSONValue: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An integer that fits `Int64`.
    case integer(Int64)
    /// An integer above `Int64.max`. Use ``number(_:)`` to get the right one of the two.
    case unsigned(UInt64)
    /// Any other number.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, its members in their order.
    case object([JSONMember])

    /// An integer in the form in which the parser gives it, so that equal numbers are equal values.
    ///
    /// - Parameter number: Any 64-bit integer.
    /// - Returns: ``integer(_:)`` where it fits, otherwise ``unsigned(_:)``; a wider one is
    ///   ``double(_:)``.
    public static func number(_ number: some BinaryInteger) -> JSONValue {
        if let integer = Int64(exactly: number) { return .integer(integer) }
        if let unsigned = UInt64(exactly: number) { return .unsigned(unsigned) }
        return .double(Double(number))
    }

    /// The member of an object; nil for another name and for a value that is no object.
    ///
    /// Of several members of one name the last counts.
    /// - Parameter key: The member's name.
    /// - Complexity: O(*n*) in the number of members.
    public subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// What it is, for a sentence: `a string`, `an object`.
    package var kindDescription: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer, .unsigned, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
#endif
