import TelltaleProtocol

/// The members that a type asked for.
final class RecordedType {
    private var members: [(key: String, schema: JSONValue, isNeeded: Bool)] = []
    /// Set where it is one value.
    var single: JSONValue?
    /// The members that were asked for only if they are there: their presence is checked first.
    var optional: Set<String> = []

    func add(_ key: String, _ schema: JSONValue, isNeeded: Bool) {
        members.removeAll { $0.key == key }
        members.append((key, schema, isNeeded))
    }

    func schema(_ text: (String) -> String?) -> JSONValue {
        if let single { return single }
        return SchemaText.object(
            members.map { ($0.key, SchemaText.described($0.schema, text($0.key))) },
            needed: members.filter(\.isNeeded).map(\.key))
    }
}

/// A decoder without a value: it records the members asked for.
struct TypeRecorder: Decoder {
    let types: TypeSchemas
    let record: RecordedType
    /// The case that an enumeration is to have.
    let only: String?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ types: TypeSchemas, _ record: RecordedType, only: String? = nil) {
        self.types = types
        self.record = record
        self.only = only
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedRecorder<Key>(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "a list of its own is not foreseen here"))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleRecorder(recorder: self)
    }
}

private struct KeyedRecorder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: TypeRecorder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { recorder.only.flatMap(Key.init(stringValue:)).map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool {
        recorder.record.optional.insert(key.stringValue)
        return true
    }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        recorder.record.add(
            key.stringValue, try recorder.types.schema(of: type),
            isNeeded: !recorder.record.optional.contains(key.stringValue))
        return try recorder.types.value(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        recorder.record.add(key.stringValue, try recorder.types.schema(of: type), isNeeded: false)
        return nil
    }

    /// The payload of a case.
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        let nested = LazyRecord(recorder.types, recorder.record, key.stringValue)
        return KeyedDecodingContainer(PayloadRecorder<Nested>(record: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try recorder.unkeyedContainer()
    }
    func superDecoder() -> any Decoder { recorder }
    func superDecoder(forKey key: Key) -> any Decoder { recorder }
}

/// A part that is written again into the whole whenever it grows.
private final class LazyRecord {
    let types: TypeSchemas
    private let whole: RecordedType
    private let key: String
    let part = RecordedType()

    init(_ types: TypeSchemas, _ whole: RecordedType, _ key: String) {
        self.types = types
        self.whole = whole
        self.key = key
        whole.add(key, part.schema { _ in nil }, isNeeded: true)
    }

    func add(_ member: String, _ schema: JSONValue, isNeeded: Bool) {
        part.add(member, schema, isNeeded: isNeeded)
        whole.add(key, part.schema { _ in nil }, isNeeded: true)
    }
}

private struct PayloadRecorder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: LazyRecord
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        record.part.optional.insert(key.stringValue)
        return true
    }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        record.add(
            key.stringValue, try record.types.schema(of: type),
            isNeeded: !record.part.optional.contains(key.stringValue))
        return try record.types.value(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        record.add(key.stringValue, try record.types.schema(of: type), isNeeded: false)
        return nil
    }

    private var isNotForeseen: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "not foreseen in a payload"))
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw isNotForeseen }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw isNotForeseen
    }
    func superDecoder() throws -> any Decoder { throw isNotForeseen }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw isNotForeseen }
}

private struct SingleRecorder: SingleValueDecodingContainer {
    let recorder: TypeRecorder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        recorder.record.single = try recorder.types.schema(of: type)
        if let only = recorder.only as? T { return only }
        return try recorder.types.value(type)
    }
}
