#if TELLTALE_COMPILED
/// An unkeyed container that writes into a node.
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
