#if TELLTALE_COMPILED
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode
    let step: CodingStep?

    var codingPath: [any CodingKey] { CodingStep.path(step) }

    private func below(_ key: any CodingKey) -> CodingStep { CodingStep(key, after: step) }

    func encodeNil(forKey key: Key) { node.set(.value(.null), for: key.stringValue) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let value = try EncodingNode.encode(value, path: below(key))
        node.set(.value(value), for: key.stringValue)
    }

    private func nested(_ key: any CodingKey) -> ValueEncoder {
        let encoder = ValueEncoder(node: EncodingNode(), step: below(key))
        node.set(.node(encoder.node), for: key.stringValue)
        return encoder
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { nested(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested(JSONCodingKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}

struct UnkeyedEncoding: UnkeyedEncodingContainer {
    let node: EncodingNode
    let step: CodingStep?

    var codingPath: [any CodingKey] { CodingStep.path(step) }
    var count: Int { node.elements.count }

    private var below: CodingStep { CodingStep(JSONCodingKey(index: count), after: step) }

    func encodeNil() { node.append(.value(.null)) }

    func encode(_ value: some Encodable) throws {
        node.append(.value(try EncodingNode.encode(value, path: below)))
    }

    private func nested() -> ValueEncoder {
        let encoder = ValueEncoder(node: EncodingNode(), step: below)
        node.append(.node(encoder.node))
        return encoder
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { nested().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested() }
}
#endif
