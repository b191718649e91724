#if TELLTALE_COMPILED
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: DecodingMembers
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] {
        let keys = members.keys.compactMap { Key(stringValue: $0) }
        for key in keys { decoder.asked?.ask(key.stringValue) }
        return keys
    }

    func contains(_ key: Key) -> Bool {
        decoder.asked?.ask(key.stringValue)
        return members[key.stringValue] != nil
    }

    private func below(_ key: Key) throws -> ValueDecoder {
        decoder.asked?.ask(key.stringValue)
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
        decoder.asked?.ask("super")
        return decoder.below(JSONCodingKey("super"), members["super"] ?? .null)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.asked?.ask(key.stringValue)
        return decoder.below(key, members[key.stringValue] ?? .null)
    }
}

struct UnkeyedDecoding: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let decoder: ValueDecoder
    private(set) var currentIndex = 0

    init(elements: [JSONValue], decoder: ValueDecoder) {
        self.elements = elements
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    /// Reads the next element; one that fails stays the next, as `UnkeyedDecodingContainer` asks.
    private mutating func next<T>(_ read: (ValueDecoder) throws -> T) throws -> T {
        let key = JSONCodingKey(index: currentIndex)
        guard currentIndex < elements.count else {
            throw DecodingError.valueNotFound(
                T.self,
                .init(
                    codingPath: codingPath + [key],
                    debugDescription: "the array has only \(elements.count) elements"))
        }
        let result = try read(decoder.below(key, elements[currentIndex]))
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard currentIndex < elements.count else { return try next { $0.isNull } }
        guard elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try next { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}

/// The members of an object by name; of several of one name the last counts.
///
/// Few are searched, many get a table: a request of 1 MiB has room for 100,000 of them.
struct DecodingMembers {
    private let members: [JSONMember]
    private let table: [String: JSONValue]?

    init(_ members: [JSONMember]) {
        self.members = members
        table =
            members.count > 24
            ? Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }) : nil
    }

    subscript(_ key: String) -> JSONValue? {
        if let table { return table[key] }
        return members.last { $0.key == key }?.value
    }

    /// The names, each once, in their order.
    var keys: [String] {
        var seen: Set<String> = []
        return members.map(\.key).filter { seen.insert($0).inserted }
    }
}
#endif
