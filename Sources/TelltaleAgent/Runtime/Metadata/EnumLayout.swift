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

/// The cases of an enumeration, and making a value of one.
///
/// The value is made by the type's own value witness, after the payload was put where every
/// payload stands: at the value's first byte.
struct EnumerationCases {
    let type: Any.Type
    let cases: [EnumLayout.Case]

    init(_ type: Any.Type) {
        self.type = type
        cases = EnumLayout(of: type).cases
    }

    /// How the cases are typed: `.idle, .failed(code: Int)`.
    var spelled: String {
        let shown = cases.prefix(12).map { entry in
            guard let payload = entry.payload else { return ".\(entry.name)" }
            let name = TypeNames.name(of: payload)
            return ".\(entry.name)"
                + (TypeMetadata(payload).kind == .tuple ? name : "(\(name))")
        }
        return shown.joined(separator: ", ") + (cases.count > shown.count ? ", …" : "")
    }

    /// Whether a case can't be made: its payload is boxed, or of a type the runtime can't name.
    static func isOutOfReach(_ entry: EnumLayout.Case) -> Bool {
        entry.hasPayload && (entry.isIndirect || entry.payload == nil)
    }

    /// A value of a case.
    ///
    /// - Returns: nil if there is no such case, or the payload is not of its type.
    func value(of name: String, payload: Any?) -> Any? {
        guard let tag = cases.firstIndex(where: { $0.name == name }) else { return nil }
        let entry = cases[tag]
        guard !Self.isOutOfReach(entry), let inject = injectTag else { return nil }
        return TypedMemory.withMemory(for: type) { memory -> Any? in
            if let payloadType = entry.payload {
                guard let payload,
                    TypedMemory.initialize(memory, to: payload, as: payloadType)
                else { return nil }
            }
            inject(memory, UInt32(clamping: tag), TypeMetadata(type).pointer)
            return .some(TypedMemory.take(type, at: memory))
        }
    }

    private typealias InjectTag =
        @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    /// Witness 13 of an enumeration's value witness table (`destructiveInjectEnumTag`); flag
    /// 0x20_0000 says that the table has the enumeration's own witnesses. Checked against
    /// swift-6.3.1.
    private var injectTag: InjectTag? {
        guard TypeMetadata(type).kind == .enumeration,
            let table = UnsafeRawPointer(bitPattern: TypeMetadata(type).word(-1)),
            table.load(fromByteOffset: 80, as: UInt32.self) & 0x20_0000 != 0,
            let witness = table.load(fromByteOffset: 104, as: UnsafeRawPointer?.self)
        else { return nil }
        return unsafeBitCast(witness, to: InjectTag.self)
    }
}
#endif
