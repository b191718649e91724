#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// The cases of an enumeration, and making a value of one.
    ///
    /// The value is made by the type's own value witness `destructiveInjectEnumTag`, after the
    /// payload was put where every payload stands: at the value's first byte.
    struct EnumerationCases {
        /// One case.
        struct Case {
            let name: String
            let tag: UInt32
            /// nil where it has none.
            let payload: Any.Type?
            /// Whether it can't be made: its payload is boxed, or of a type the runtime can't name.
            let isOutOfReach: Bool
        }

        let type: Any.Type
        let cases: [Case]

        init(_ type: Any.Type) {
            self.type = type
            cases = FieldRecord.of(type).enumerated().map { tag, record in
                let payload = record.type
                return Case(
                    name: record.name, tag: UInt32(clamping: tag), payload: payload,
                    isOutOfReach: !record.hasNoType && (record.isIndirect || payload == nil))
            }
        }

        /// How the cases are typed: `.idle, .failed(code: Int)`.
        var spelled: String {
            let shown = cases.prefix(12).map { entry in
                guard let payload = entry.payload else { return ".\(entry.name)" }
                let name = TypeSpelling.name(payload)
                return ".\(entry.name)" + (TypeKind(payload) == .tuple ? name : "(\(name))")
            }
            return shown.joined(separator: ", ") + (cases.count > shown.count ? ", …" : "")
        }

        /// A value of a case.
        ///
        /// - Returns: nil if the payload is not of the case's type.
        func value(of entry: Case, payload: Any?) -> Any? {
            guard !entry.isOutOfReach, let inject = injectTag else { return nil }
            return TypedMemory.withMemory(for: type) { memory -> Any? in
                if let payloadType = entry.payload {
                    guard let payload,
                        TypedMemory.initialize(memory, to: payload, as: payloadType)
                    else { return nil }
                }
                inject(memory, entry.tag, unsafeBitCast(type, to: UnsafeRawPointer.self))
                return .some(TypedMemory.take(type, at: memory))
            }
        }

        private typealias InjectTag =
            @convention(c) (
                UnsafeMutableRawPointer, UInt32, UnsafeRawPointer
            ) -> Void

        /// Witness 13 of an enumeration's value witness table (`EnumValueWitnessTable`, stable ABI);
        /// flag 0x0020_0000 says that the table has the enumeration's witnesses.
        private var injectTag: InjectTag? {
            let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            let word = MemoryLayout<UnsafeRawPointer>.size
            guard TypeKind(type) == .enumeration,
                let table = metadata.load(fromByteOffset: -word, as: UnsafeRawPointer?.self),
                table.load(fromByteOffset: 10 * word, as: UInt32.self) & 0x0020_0000 != 0,
                let witness = table.load(fromByteOffset: 13 * word, as: UnsafeRawPointer?.self)
            else { return nil }
            return unsafeBitCast(witness, to: InjectTag.self)
        }
    }
#endif
