#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// The compiler's own record of a stored property or of an enumeration's case.
    ///
    /// A type's metadata leads to its context descriptor, that to its field descriptor, and that to
    /// the records (`TargetTypeContextDescriptor`, `FieldDescriptor` and `FieldRecord` in
    /// swift/ABI/Metadata.h and swift/RemoteInspection/Records.h of Swift 6.3, stable ABI). All of
    /// it is constant data of the loaded image, so that plain reads of it are safe.
    struct FieldRecord {
        let name: String
        let isIndirect: Bool
        private let mangledType: UnsafeRawPointer?
        private let descriptor: UnsafeRawPointer
        private let genericArguments: UnsafeRawPointer

        /// Whether a case has no payload.
        var hasNoType: Bool { mangledType == nil }

        /// The type of the property, or of the case's payload; nil where the runtime can't tell.
        var type: Any.Type? {
            guard let mangledType else { return nil }
            return _getTypeByMangledNameInContext(
                mangledType.assumingMemoryBound(to: UInt8.self),
                UInt(Self.length(ofMangled: mangledType)), genericContext: descriptor,
                genericArguments: genericArguments)
        }

        /// The records of an enumeration in the order of its tags, of a struct or of a class without
        /// its superclass in the order of declaration; none where they were left out of the build.
        static func of(_ type: Any.Type) -> [FieldRecord] {
            let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            let (descriptorAt, argumentsAt): (Int, Int)
            switch TypeKind(type) {
            case .structure, .enumeration, .optional: (descriptorAt, argumentsAt) = (8, 16)
            case .object: (descriptorAt, argumentsAt) = (ClassLayout.descriptor, 0)
            default: return []
            }
            guard
                let descriptor = metadata.load(
                    fromByteOffset: descriptorAt, as: UnsafeRawPointer?.self),
                let fields = target(of: descriptor + 16)
            else { return [] }
            let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
            let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
            guard size >= 12, count <= 65_536 else { return [] }
            return (0..<count).map { index in
                let record = fields + 16 + index * size
                return FieldRecord(
                    name: target(of: record + 8).map {
                        String(cString: $0.assumingMemoryBound(to: CChar.self))
                    } ?? "",
                    isIndirect: record.load(as: UInt32.self) & 1 != 0,
                    mangledType: target(of: record + 4), descriptor: descriptor,
                    genericArguments: metadata + argumentsAt)
            }
        }

        /// Whether a class's field that is not strong is `weak`: its mangled type ends in `Xw`,
        /// where `unowned` has `Xo` and `unowned(unsafe)` has `Xu`.
        static func isWeak(_ name: String, in type: Any.Type) -> Bool {
            var next: Any.Type? = type
            while let type = next {
                for record in of(type) where record.name == name {
                    guard let mangled = record.mangledType else { return false }
                    let length = length(ofMangled: mangled)
                    guard length >= 2 else { return false }
                    return mangled.load(fromByteOffset: length - 2, as: UInt8.self)
                        == UInt8(ascii: "X")
                        && mangled.load(fromByteOffset: length - 1, as: UInt8.self)
                            == UInt8(ascii: "w")
                }
                guard TypeKind(type) == .object, let object = type as? AnyClass else { break }
                next = _getSuperclass(object)
            }
            return false
        }

        private static func target(of relative: UnsafeRawPointer) -> UnsafeRawPointer? {
            let offset = relative.loadUnaligned(as: Int32.self)
            return offset == 0 ? nil : relative + Int(offset)
        }

        /// A symbolic reference is a byte of 0x01 to 0x17 with 4 bytes after it, or of 0x18 to 0x1F
        /// with 8, any of which may be zero.
        private static func length(ofMangled name: UnsafeRawPointer) -> Int {
            var length = 0
            while length < 1 << 20 {
                switch (name + length).load(as: UInt8.self) {
                case 0: return length
                case 0x01...0x17: length += 5
                case 0x18...0x1F: length += 9
                default: length += 1
                }
            }
            return 0
        }
    }

    /// Where a class's metadata has its descriptor (`TargetClassMetadata`).
    private enum ClassLayout {
        #if _runtime(_ObjC)
            static let descriptor = 64
        #else
            static let descriptor = 40
        #endif
    }
#endif
