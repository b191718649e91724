#if TELLTALE_AGENT
import TelltaleSystem

/// What a closure has captured, as the compiler notes it beside the metadata of the closure's context
/// (`HeapLocalVariableMetadata` and `CaptureDescriptor` of swift-6.3.1).
struct ClosureCaptures {
    /// In their order; nil for one that can't be told, such as a box of a variable's.
    let types: [Any.Type?]
    /// The ownership of each, in the same order.
    private let ownerships: [StoredField.Ownership]
    /// How far into the context the first one stands; 0 where that is known at run time only, since one is of
    /// a type whose size another library may change.
    private let first: UInt

    /// Of the contexts with this metadata; nil for other metadata, for a generic function's, which takes its
    /// types from what was captured, and where nothing is noted.
    init?(metadata: UInt) {
        guard GuardedMemory.load(UInt.self, at: metadata) == Self.kind,
            let first = GuardedMemory.load(UInt32.self, at: metadata &+ 8),
            let address = GuardedMemory.load(UInt.self, at: metadata &+ 16), address & 3 == 0,
            let record = UnsafeRawPointer(bitPattern: address),
            GuardedMemory.load(UInt64.self, at: address) != nil
        else { return nil }
        let count = Int(record.load(as: UInt32.self))
        let isGeneric = record.load(fromByteOffset: 8, as: UInt32.self) != 0
        guard !isGeneric, count > 0, count < 64 else { return nil }
        self.first = UInt(first)
        let texts = (0..<count).map { index -> UnsafeRawBufferPointer? in
            let place = record + 12 + index * 4
            let distance = Int(place.load(as: Int32.self))
            return distance == 0 ? nil : TypeDescriptor.mangledName(at: place + distance)
        }
        types = texts.map { text in
            guard let text, let start = text.baseAddress else { return nil }
            return _getTypeByMangledNameInContext(
                start.assumingMemoryBound(to: UInt8.self), UInt(text.count),
                genericContext: nil, genericArguments: nil)
        }
        ownerships = texts.map { $0.map(Self.ownership) ?? .strong }
    }

    /// By the end of its mangled name (`ReferenceStorage` in Mangling.rst of swift-6.3.1).
    private static func ownership(_ name: UnsafeRawBufferPointer) -> StoredField.Ownership {
        switch String(decoding: name.suffix(2), as: UTF8.self) {
        case "Xw": .weak
        case "Xo": .unowned
        case "Xu": .unmanaged
        default: .strong
        }
    }

    /// Returns the ownership of the capture at an offset into the context; strong if it can't be told.
    func ownership(at offset: UInt) -> StoredField.Ownership {
        var place = first
        for (type, ownership) in zip(types, ownerships) {
            guard first > 0, let type, place <= offset else { return .strong }
            let metadata = TypeMetadata(type)
            let start = metadata.offset(behind: place)
            place = start &+ UInt(metadata.size)
            if (start..<place).contains(offset) { return ownership }
        }
        return .strong
    }

    /// Where the last one ends; nil where one of them can't be told, or where they stand.
    var end: UInt? {
        guard first > 0 else { return nil }
        var end = first
        for type in types {
            guard let type else { return nil }
            let metadata = TypeMetadata(type)
            end = metadata.offset(behind: end) &+ UInt(metadata.size)
        }
        return end
    }

    private static let kind: UInt = 0x400
}
#endif
