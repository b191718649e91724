#if TELLTALE_AGENT
/// The record that a compiler writes for a nominal type, and its list of fields or cases.
///
/// Layout checked against swift-6.3.1. Descriptors are constants of an image.
struct TypeDescriptor: Hashable, @unchecked Sendable {  // what it points to is constant
    let pointer: UnsafeRawPointer

    init?(address: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
        self.pointer = pointer
    }

    /// One stored property or one case.
    struct Record {
        let name: String
        /// The mangled type; nil for a case without payload.
        let mangled: UnsafeRawBufferPointer?
        let isIndirect: Bool
    }

    /// More records than this are not read: something else stands there.
    static let mostRecords = 65_536

    /// Whether the compiler was told to leave the records out.
    var lacksRecords: Bool {
        pointer.load(fromByteOffset: 16, as: Int32.self) == 0
    }

    /// The records in the order of declaration; an enum's cases in the order of their tags.
    var records: [Record] {
        guard let fields = Self.target(of: pointer + 16) else { return [] }
        let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        guard size >= 12, count <= Self.mostRecords else { return [] }
        return (0..<count).map { Self.record(at: fields + 16 + $0 * size) }
    }

    private static func record(at pointer: UnsafeRawPointer) -> Record {
        let name = target(of: pointer + 8).map {
            String(cString: $0.assumingMemoryBound(to: CChar.self))
        }
        return Record(
            name: name ?? "", mangled: target(of: pointer + 4).map(mangledName),
            isIndirect: pointer.load(as: UInt32.self) & 1 != 0)
    }

    /// What a relative pointer points to.
    private static func target(of pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.load(as: Int32.self)
        return distance == 0 ? nil : pointer + Int(distance)
    }

    /// A mangled name up to its zero; references of four or eight bytes stand in it.
    private static func mangledName(at start: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        var end = start
        while case let byte = end.load(as: UInt8.self), byte != 0 {
            switch byte {
            case 0x01...0x17: end += 5
            case 0x18...0x1F: end += 9
            default: end += 1
            }
        }
        return UnsafeRawBufferPointer(start: start, count: end - start)
    }
}
#endif
