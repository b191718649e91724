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

    /// The member of an object; `nil` for another name and for a value that is not an object.
    ///
    /// The last of several members with one name counts.
    /// - Parameter key: The member's name.
    /// - Complexity: O(*n*) in the number of members.
    public subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The kind of value, for a sentence: `a string`, `an object`.
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

/// A member of a JSON object.
public struct JSONMember: Sendable, Equatable {
    /// Its name.
    public var key: String
    /// Its value.
    public var value: JSONValue

    /// Makes a member.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - value: Its value.
    public init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension JSONValue {
    /// The value as JSON text.
    ///
    /// Control characters, C1 and bidirectional controls included, are written as escapes, so that
    /// the text is one line and can be shown on a terminal. A `Double` that JSON can't say
    /// (infinite, not a number) is written as `null`.
    /// - Parameter pretty: Whether every member and element gets its own line.
    /// - Returns: The text, without a line end.
    public func serialized(pretty: Bool = false) -> String {
        String(decoding: serializedBytes(pretty: pretty), as: UTF8.self)
    }

    /// The value as JSON text in UTF-8; see ``serialized(pretty:)``.
    ///
    /// - Parameter pretty: Whether every member and element gets its own line.
    /// - Returns: The bytes, without a line end.
    public func serializedBytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return writer.bytes
    }
}

extension JSONValue: Codable {
    /// Reads any value. Telltale's own decoder keeps the order of members; another may not.
    ///
    /// - Parameter decoder: Where from.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: JSONCodingKey.self) {
            self = .object(
                try object.allKeys.map { key in
                    JSONMember(key.stringValue, try object.decode(JSONValue.self, forKey: key))
                })
            return
        }
        if var array = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !array.isAtEnd { elements.append(try array.decode(JSONValue.self)) }
            self = .array(elements)
            return
        }
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let bool = try? single.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? single.decode(Int64.self) {
            self = .integer(integer)
        } else if let unsigned = try? single.decode(UInt64.self) {
            self = .unsigned(unsigned)
        } else if let double = try? single.decode(Double.self) {
            self = .double(double)
        } else {
            self = .string(try single.decode(String.self))
        }
    }

    /// Writes the value.
    ///
    /// - Parameter encoder: Where to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: JSONCodingKey.self)
            for member in members {
                try container.encode(member.value, forKey: JSONCodingKey(member.key))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let bool): try container.encode(bool)
            case .integer(let integer): try container.encode(integer)
            case .unsigned(let unsigned): try container.encode(unsigned)
            case .double(let double): try container.encode(double)
            case .string(let string): try container.encode(string)
            default: try container.encodeNil()
            }
        }
    }
}
#endif
