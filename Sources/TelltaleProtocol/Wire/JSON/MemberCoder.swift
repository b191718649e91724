#if TELLTALE_COMPILED
/// A value whose members are listed once, for reading and for writing.
///
/// For values that every client reads at its start, and for those an answer has thousands of. The
/// generic types of `Codable`'s containers, which the runtime makes when they are first used, cost
/// a client that runs one command a sixth of its own time; and `Codable` took two thirds of the
/// time of an answer with thousands of entries, ten times as long in an agent that is not optimised
/// (measured).
public protocol MemberCoded: JSONCodable {
    /// Makes an empty value, to be read into.
    init()

    /// Names each member to the coder, in the order in which they are written.
    ///
    /// - Parameter coder: Reads them or writes them.
    mutating func code(_ coder: inout MemberCoder)
}

extension MemberCoded {
    /// Reads a value, as `Codable` would.
    public init(json: JSONValue) throws {
        var coder = try MemberCoder(reading: json)
        self.init()
        code(&coder)
        try coder.check()
    }

    /// Writes the value, as `Codable` would.
    public func json() throws -> JSONValue {
        var coder = MemberCoder()
        var copy = self
        copy.code(&coder)
        try coder.check()
        return coder.json
    }

    /// Reads a value within one that `Codable` reads.
    ///
    /// - Parameter decoder: Where from.
    /// - Throws: Errors of the decoder, and `DecodingError` for a part that does not fit.
    public init(from decoder: any Decoder) throws {
        do {
            let json = try (decoder as? ValueDecoder)?.value ?? JSONValue(from: decoder)
            self = try Self(json: json)
        } catch let error as DecodingError {
            throw error.below(decoder.codingPath)
        }
    }

    /// Writes the value within one that `Codable` writes.
    ///
    /// - Parameter encoder: Where to.
    /// - Throws: What the encoder throws, and `EncodingError` for a number that JSON can't say.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? ValueEncoder {
            encoder.node.set(try json())
        } else {
            try json().encode(to: encoder)
        }
    }
}

/// A member's description, for a schema.
package struct MemberDescription {
    package var key: String
    package var type: any JSONCodable.Type
    /// Indicates an array of these.
    package var isArray: Bool
    /// Indicates that the member is always present.
    package var isNeeded: Bool
}

/// Reads the members of an object, or writes them: a `nil` is left out.
///
/// After the first failure nothing is read or written any more.
public struct MemberCoder {
    private let isReading: Bool
    /// Receives each member's type instead of its value.
    private var describe: ((MemberDescription) -> Void)?
    private var members: [JSONMember]
    private var failure: (any Error)?

    init() {
        isReading = false
        members = []
        members.reserveCapacity(8)
    }

    init(reading json: JSONValue) throws {
        guard case .object(let members) = json else {
            throw ValueDecoder(json).mismatch([String: JSONValue].self, "an object")
        }
        isReading = true
        self.members = members
    }

    /// A coder that reads and writes nothing, and describes the members to be read and written.
    package init(describing describe: @escaping (MemberDescription) -> Void) {
        self.init()
        self.describe = describe
    }

    /// Describes the member if descriptions are asked for. Returns whether they were.
    private func tells(
        _ key: String, _ type: any JSONCodable.Type, isArray: Bool = false, isNeeded: Bool
    ) -> Bool {
        guard let describe else { return false }
        describe(MemberDescription(key: key, type: type, isArray: isArray, isNeeded: isNeeded))
        return true
    }

    var json: JSONValue { .object(members) }

    func check() throws {
        if let failure { throw failure }
    }

    /// Codes a text. Not generic, as unspecialised code is what makes `Codable` slow without optimisation.
    public mutating func member(_ key: String, _ text: inout String) {
        if tells(key, String.self, isNeeded: true) { return }
        guard isReading else { return members.append(JSONMember(key, .string(text))) }
        if let read = need(key, { try $0.string() }) { text = read }
    }

    /// Codes a text that may be missing.
    public mutating func member(_ key: String, _ text: inout String?) {
        if tells(key, String.self, isNeeded: false) { return }
        if isReading {
            text = read(key) { try $0.string() }
        } else if let text {
            members.append(JSONMember(key, .string(text)))
        }
    }

    /// Codes a value.
    public mutating func member<Value: JSONCodable>(_ key: String, _ value: inout Value) {
        if tells(key, Value.self, isNeeded: true) { return }
        guard isReading else { return write(key) { try value.json() } }
        if let read = need(key, { try Value(json: $0.value) }) { value = read }
    }

    /// Codes a value that may be missing.
    public mutating func member<Value: JSONCodable>(_ key: String, _ value: inout Value?) {
        if tells(key, Value.self, isNeeded: false) { return }
        if isReading {
            value = read(key) { try Value(json: $0.value) }
        } else if let value {
            write(key) { try value.json() }
        }
    }

    /// Codes values.
    public mutating func member<Value: JSONCodable>(_ key: String, _ values: inout [Value]) {
        if tells(key, Value.self, isArray: true, isNeeded: true) { return }
        guard isReading else { return write(key) { .array(try values.map { try $0.json() }) } }
        if let read = need(key, { try $0.elements(Value.self) }) { values = read }
    }

    /// Codes values that may be missing.
    public mutating func member<Value: JSONCodable>(_ key: String, _ values: inout [Value]?) {
        if tells(key, Value.self, isArray: true, isNeeded: false) { return }
        if isReading {
            values = read(key) { try $0.elements(Value.self) }
        } else if let values {
            write(key) { .array(try values.map { try $0.json() }) }
        }
    }

    private mutating func write(_ key: String, _ json: () throws -> JSONValue) {
        guard failure == nil else { return }
        do {
            members.append(JSONMember(key, try json()))
        } catch {
            failure = error
        }
    }

    /// A member that must be there; of several of one name the last counts.
    private mutating func need<Value>(
        _ key: String, _ decode: (ValueDecoder) throws -> Value
    ) -> Value? {
        if let member = members.last(where: { $0.key == key }) { return decoded(member, decode) }
        let missing = DecodingError.Context(codingPath: [], debugDescription: "it is missing")
        failure = failure ?? DecodingError.keyNotFound(JSONCodingKey(key), missing)
        return nil
    }

    /// A member that may be missing or null.
    private mutating func read<Value>(
        _ key: String, _ decode: (ValueDecoder) throws -> Value
    ) -> Value? {
        guard let member = members.last(where: { $0.key == key }), member.value != .null else {
            return nil
        }
        return decoded(member, decode)
    }

    private mutating func decoded<Value>(
        _ member: JSONMember, _ decode: (ValueDecoder) throws -> Value
    ) -> Value? {
        guard failure == nil else { return nil }
        do {
            return try decode(ValueDecoder(member.value))
        } catch {
            failure = (error as? DecodingError)?.below([JSONCodingKey(member.key)]) ?? error
            return nil
        }
    }
}
#endif
