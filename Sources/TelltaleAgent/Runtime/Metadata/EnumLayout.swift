#if TELLTALE_AGENT
/// The cases of an enum in the order of their tags.
///
/// Checked against swift-6.3.1.
struct EnumLayout: Sendable {
    /// One case.
    struct Case: Sendable {
        let name: String
        /// nil for a case without payload, and for one whose payload has no known type.
        let payload: Any.Type?
        let hasPayload: Bool
        /// Whether the payload stands in a box of its own.
        let isIndirect: Bool
        /// Whether the usual names have it for a secret's.
        let isSecretByName: Bool
    }

    let cases: [Case]

    /// Looks the cases of a type up.
    ///
    /// - Parameter type: An enum.
    init(of type: Any.Type) {
        let metadata = TypeMetadata(type)
        guard let descriptor = metadata.descriptor else {
            cases = []
            return
        }
        cases = descriptor.records.map { record in
            let payload = record.mangled.flatMap { name in
                name.baseAddress.flatMap {
                    _getTypeByMangledNameInContext(
                        $0.assumingMemoryBound(to: UInt8.self), UInt(name.count),
                        genericContext: descriptor.pointer,
                        genericArguments: metadata.genericArguments)
                }
            }
            return Case(
                name: record.name, payload: payload, hasPayload: record.mangled != nil,
                isIndirect: record.isIndirect,
                isSecretByName: MaskPolicy.isSecret(name: record.name, of: payload ?? Any.self))
        }
    }

    /// Which case a value has.
    ///
    /// - Parameter view: A value of the enum.
    /// - Returns: The case; nil if the bytes are no such value.
    func currentCase(of view: ValueView) -> Case? {
        guard let scratch = Self.scratch(view), let pointer = scratch.pointer(at: 0),
            let tag = TypeMetadata(view.type).enumTag(of: pointer), cases.indices.contains(tag)
        else { return nil }
        return cases[tag]
    }

    /// What a value carries.
    ///
    /// - Parameters:
    ///   - view: A value of the enum.
    ///   - current: Its case.
    /// - Returns: nil if it carries nothing, or nothing that can be read.
    func payload(of view: ValueView, case current: Case) -> ValueView? {
        guard let type = current.payload, let scratch = Self.scratch(view),
            let pointer = scratch.pointer(at: 0)
        else { return nil }
        TypeMetadata(view.type).projectPayload(of: pointer)
        guard current.isIndirect else {
            return ValueView(block: scratch, offset: 0, type: type, isStable: view.isStable)
        }
        // The box never changes once it is made.
        guard let box = scratch.load(UInt.self, at: 0) else { return nil }
        let mask = TypeMetadata(type).alignmentMask
        return ValueView(
            of: type, at: box &+ ((16 &+ mask) & ~mask), in: view.source,
            isStable: view.isStable)
    }

    private static func scratch(_ view: ValueView) -> MemoryBlock? {
        MemoryBlock(
            copying: view.block, offset: view.offset, count: TypeMetadata(view.type).size)
    }
}
#endif
