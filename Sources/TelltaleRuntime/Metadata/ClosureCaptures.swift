#if TELLTALE_AGENT
import TelltaleSystem

/// The captures of a closure, as the compiler records them beside the metadata of the closure's context
/// (`HeapLocalVariableMetadata` and `CaptureDescriptor` of swift-6.3.1).
package struct ClosureCaptures {
    /// The types of the captures, in order; nil for an unknown type, such as the box of a variable.
    let types: [Any.Type?]
    /// The ownership of each capture, in the same order.
    private let ownerships: [StoredField.Ownership]
    /// The offset of the first capture in the context; 0 if the offset is known only at run time, because a
    /// capture's type is from another library, which may change its size.
    private let first: UInt

    /// Reads the captures of contexts with this metadata. Nil for other metadata, for a generic function
    /// (its types depend on the captured values), and if nothing is recorded.
    package init?(metadata: UInt) {
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

    /// The ownership of a capture, by the end of its mangled name (`ReferenceStorage` in Mangling.rst of
    /// swift-6.3.1).
    private static func ownership(_ name: UnsafeRawBufferPointer) -> StoredField.Ownership {
        switch String(decoding: name.suffix(2), as: UTF8.self) {
        case "Xw": .weak
        case "Xo": .unowned
        case "Xu": .unmanaged
        default: .strong
        }
    }

    /// Returns the ownership of the capture at an offset in the context; strong if unknown.
    package func ownership(at offset: UInt) -> StoredField.Ownership {
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

    /// The offset of the end of the last capture; nil if a type or the offsets are unknown.
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
