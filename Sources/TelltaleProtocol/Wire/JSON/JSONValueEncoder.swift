#if TELLTALE_COMPILED
/// Turns `Encodable` values into JSON values.
///
/// Members keep the order in which they are encoded. Several keyed containers of one encoder share
/// one object; a member that is encoded again replaces the earlier one. A value that encodes
/// nothing is an empty object.
public enum JSONValueEncoder {
    /// Encodes a value.
    ///
    /// - Parameter value: Any value.
    /// - Returns: The value as JSON.
    /// - Throws: `EncodingError` for a number that JSON can't express (infinite, not a number), and
    ///   errors of the value's own code.
    public static func encode(_ value: some Encodable) throws -> JSONValue {
        try EncodingNode.encode(value, path: nil)
    }
}

/// The values given to one encoder so far.
///
/// A class, because nested containers write into it after they have been handed out.
final class EncodingNode {
    /// A finished value, or one that a nested container still writes.
    enum Slot {
        case value(JSONValue)
        case node(EncodingNode)

        var value: JSONValue {
            switch self {
            case .value(let value): value
            case .node(let node): node.value
            }
        }
    }

    private enum Shape { case none, single, array, object }

    private var shape = Shape.none
    private var single = JSONValue.null
    private(set) var elements: [Slot] = []
    private var keys: [String] = []
    private var places: [String: Int] = [:]

    var value: JSONValue {
        switch shape {
        case .none: .object([])
        case .single: single
        case .array: .array(elements.map(\.value))
        case .object: .object(zip(keys, elements).map { JSONMember($0, $1.value) })
        }
    }

    func becomeObject() {
        if shape != .object { reset(.object) }
    }

    func becomeArray() {
        if shape != .array { reset(.array) }
    }

    func set(_ value: JSONValue) {
        reset(.single)
        single = value
    }

    func append(_ slot: Slot) { elements.append(slot) }

    /// Sets a member; linear in few members, by a table in many.
    func set(_ slot: Slot, for key: String) {
        let place: Int?
        if keys.count < 16 {
            place = keys.firstIndex(of: key)
        } else {
            if places.isEmpty {
                for (index, key) in keys.enumerated() { places[key] = index }
            }
            place = places[key]
        }
        if let place {
            elements[place] = slot
        } else {
            if !places.isEmpty { places[key] = keys.count }
            keys.append(key)
            elements.append(slot)
        }
    }

    private func reset(_ shape: Shape) {
        self.shape = shape
        elements = []
        keys = []
        places = [:]
    }

    static func encode<T: Encodable>(_ value: T, path: CodingStep?) throws -> JSONValue {
        if T.self == JSONValue.self, let value = value as? JSONValue { return value }
        let node = EncodingNode()
        try value.encode(to: ValueEncoder(node: node, step: path))
        return node.value
    }
}

/// The encoder of one value, and the container of one.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
    let node: EncodingNode
    let step: CodingStep?

    var codingPath: [any CodingKey] { CodingStep.path(step) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(KeyedEncoding<Key>(node: node, step: step))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return UnkeyedEncoding(node: node, step: step)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // MARK: Values

    // The generic methods implement those of each numeric type that the protocol asks for.
    func encodeNil() { node.set(.null) }
    func encode(_ value: Bool) { node.set(.bool(value)) }
    func encode(_ value: String) { node.set(.string(value)) }
    func encode(_ value: some FixedWidthInteger & Encodable) { node.set(.number(value)) }

    func encode<T: BinaryFloatingPoint & LosslessStringConvertible & Encodable>(
        _ value: T
    ) throws {
        // By its digits: 0.1 as a Float is not to become 0.10000000149011612.
        let double = Double(value.description) ?? Double(value)
        guard double.isFinite else {
            throw EncodingError.invalidValue(
                value,
                .init(
                    codingPath: codingPath,
                    debugDescription: "\(value) is not a number that JSON can express"))
        }
        node.set(.double(double))
    }

    func encode(_ value: some Encodable) throws {
        node.set(try EncodingNode.encode(value, path: step))
    }
}
#endif
