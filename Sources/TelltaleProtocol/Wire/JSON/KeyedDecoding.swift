#if TELLTALE_COMPILED
/// A keyed container that reads an object.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: DecodingMembers
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func below(_ key: Key) throws -> ValueDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "it is missing"))
        }
        return decoder.below(key, value)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try below(key).isNull }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try below(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { try below(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try below(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder.below(JSONCodingKey("super"), members["super"] ?? .null)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.below(key, members[key.stringValue] ?? .null)
    }
}
#endif
