#if TELLTALE_COMPILED
/// A keyed container that writes into a node.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode
    let step: CodingStep?

    var codingPath: [any CodingKey] { CodingStep.path(step) }

    private func put(_ value: JSONValue, _ key: Key) {
        node.set(.value(value), for: key.stringValue)
    }

    private func below(_ key: any CodingKey) -> CodingStep { CodingStep(key, after: step) }

    func encodeNil(forKey key: Key) throws { put(.null, key) }
    func encode(_ value: Bool, forKey key: Key) throws { put(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) throws { put(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) throws {
        put(try EncodingNode.json(value, value, path: below(key)), key)
    }
    func encode(_ value: Float, forKey key: Key) throws {
        // By its digits: 0.1 as a Float is not to become 0.10000000149011612.
        let double = value.isFinite ? Double(value.description) ?? Double(value) : Double(value)
        put(try EncodingNode.json(double, value, path: below(key)), key)
    }
    func encode(_ value: Int, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: Int8, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: Int16, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: Int32, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: Int64, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: UInt, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: UInt8, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: UInt16, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: UInt32, forKey key: Key) throws { put(.number(value), key) }
    func encode(_ value: UInt64, forKey key: Key) throws { put(.number(value), key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        put(try EncodingNode.encode(value, path: below(key)), key)
    }

    private func nested(_ key: any CodingKey) -> EncodingNode {
        let nested = EncodingNode()
        node.set(.node(nested), for: key.stringValue)
        return nested
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        ValueEncoder(node: nested(key), step: below(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ValueEncoder(node: nested(key), step: below(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        let key = JSONCodingKey("super")
        return ValueEncoder(node: nested(key), step: below(key))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        ValueEncoder(node: nested(key), step: below(key))
    }
}
#endif
