#if TELLTALE_COMPILED
/// An unkeyed container that writes into a node.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    let node: EncodingNode
    let step: CodingStep?

    var codingPath: [any CodingKey] { CodingStep.path(step) }
    var count: Int { node.elements.count }

    private func put(_ value: JSONValue) { node.append(.value(value)) }

    private var below: CodingStep { CodingStep(JSONCodingKey(index: count), after: step) }

    func encodeNil() throws { put(.null) }
    func encode(_ value: Bool) throws { put(.bool(value)) }
    func encode(_ value: String) throws { put(.string(value)) }
    func encode(_ value: Double) throws {
        put(try EncodingNode.json(value, value, path: below))
    }
    func encode(_ value: Float) throws {
        // By its digits: 0.1 as a Float is not to become 0.10000000149011612.
        let double = value.isFinite ? Double(value.description) ?? Double(value) : Double(value)
        put(try EncodingNode.json(double, value, path: below))
    }
    func encode(_ value: Int) throws { put(.number(value)) }
    func encode(_ value: Int8) throws { put(.number(value)) }
    func encode(_ value: Int16) throws { put(.number(value)) }
    func encode(_ value: Int32) throws { put(.number(value)) }
    func encode(_ value: Int64) throws { put(.number(value)) }
    func encode(_ value: UInt) throws { put(.number(value)) }
    func encode(_ value: UInt8) throws { put(.number(value)) }
    func encode(_ value: UInt16) throws { put(.number(value)) }
    func encode(_ value: UInt32) throws { put(.number(value)) }
    func encode(_ value: UInt64) throws { put(.number(value)) }
    func encode<T: Encodable>(_ value: T) throws {
        put(try EncodingNode.encode(value, path: below))
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
