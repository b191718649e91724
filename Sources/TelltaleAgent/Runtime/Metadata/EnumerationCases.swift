#if TELLTALE_AGENT
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
