#if TELLTALE_COMPILED
/// Reads the members of an object, or writes them: what is nil is left out.
///
/// After the first failure nothing is read or written any more.
public struct MemberCoder {
    private let isReading: Bool
    private var members: [JSONMember]
    private var failure: (any Error)?

    /// Writes.
    init() {
        isReading = false
        members = []
        members.reserveCapacity(8)
    }

    /// Reads the members of an object.
    init(reading json: JSONValue) throws {
        guard case .object(let members) = json else {
            throw ValueDecoder(json).mismatch([String: JSONValue].self, "an object")
        }
        isReading = true
        self.members = members
    }

    var json: JSONValue { .object(members) }

    func check() throws {
        if let failure { throw failure }
    }

    /// Codes a text. Not generic, as unspecialised code is what makes `Codable` slow without optimisation.
    public mutating func member(_ key: String, _ text: inout String) {
        guard isReading else { return members.append(JSONMember(key, .string(text))) }
        if let read = need(key, { try $0.string() }) { text = read }
    }

    /// Codes a text that may be missing.
    public mutating func member(_ key: String, _ text: inout String?) {
        if isReading {
            text = read(key) { try $0.string() }
        } else if let text {
            members.append(JSONMember(key, .string(text)))
        }
    }

    /// Codes a value.
    public mutating func member<Value: JSONCodable>(_ key: String, _ value: inout Value) {
        guard isReading else { return write(key) { try value.json() } }
        if let read = need(key, { try Value(json: $0.value) }) { value = read }
    }

    /// Codes a value that may be missing.
    public mutating func member<Value: JSONCodable>(_ key: String, _ value: inout Value?) {
        if isReading {
            value = read(key) { try Value(json: $0.value) }
        } else if let value {
            write(key) { try value.json() }
        }
    }

    /// Codes values.
    public mutating func member<Value: JSONCodable>(_ key: String, _ values: inout [Value]) {
        guard isReading else { return write(key) { .array(try values.map { try $0.json() }) } }
        if let read = need(key, { try $0.elements(Value.self) }) { values = read }
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
