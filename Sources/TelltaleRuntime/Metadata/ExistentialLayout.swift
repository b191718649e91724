#if TELLTALE_AGENT
package import TelltaleSystem

/// The layout of an existential (`Any`, `any P`, `AnyObject`, `any Error`) in memory.
///
/// Checked against swift-6.3.1, without Objective-C.
package enum ExistentialLayout: Sendable {
    /// Three words for the value or its box, followed by its type and its conformances.
    case opaque
    /// A reference, followed by its conformances.
    case object
    /// A reference to a box that contains the value.
    case error

    /// The layout of an existential type; nil for an unknown shape of a later runtime.
    init?(of type: Any.Type) {
        let metadata = TypeMetadata(type)
        if metadata.kind == .existential {
            let flags = UInt32(truncatingIfNeeded: metadata.word(1))
            if (flags >> 24) & 0x3F == 1 {
                self = .error
            } else {
                self = flags & 0x8000_0000 != 0 ? .opaque : .object
            }
            return
        }
        guard let shape = UnsafeRawPointer(bitPattern: metadata.word(1)) else { return nil }
        switch shape.load(as: UInt32.self) & 0xFF {
        case 0: self = .opaque
        case 1: self = .object
        default: return nil
        }
    }

    /// Returns the value in an existential that is not class-bound, with its own type; nil if it can't be
    /// read.
    package func content(of view: ValueView) -> ValueView? {
        switch self {
        case .object: return nil
        case .opaque:
            guard let word = view.word(at: 24), let type = MetadataCheck.type(at: word) else {
                return nil
            }
            if TypeMetadata(type).isInline { return view.part(type: type) }
            return view.word().flatMap { view.boxed(type, at: $0) }
        case .error:
            // Header, type, conformance, value. A box never changes.
            guard let box = view.word(), box > 0xFFFF,
                let word = view.source.load(UInt.self, at: box &+ 16),
                let type = MetadataCheck.type(at: word)
            else { return nil }
            return view.boxed(type, at: box, behind: 32)
        }
    }
}

/// Follows weak and unowned references, and detects objects that are being destroyed, by their reference
/// counts.
///
/// Layout of 64-bit platforms without Objective-C, checked against swift-6.3.1. Nothing is retained: a weak
/// reference is followed without loading it.
package enum ReferenceStorage {
    /// The target of a reference.
    package enum Target {
        case none
        case object(UInt)
        /// The object is being destroyed, or is destroyed and its memory is kept only for unowned
        /// references.
        case gone
    }

    /// Returns the target of a weak reference; nil if the word is not one. A weak reference is the address
    /// of a side table, which begins with the object's address and has the counts in its third word.
    package static func weakTarget(_ word: UInt, in source: MemorySource) -> Target? {
        let table = word & ~3
        guard table != 0 else { return Target.none }
        guard let block = MemoryBlock(reading: table, count: 24, in: source),
            let object = block.load(UInt.self, at: 0),
            let counts = block.load(UInt.self, at: 16)
        else { return nil }
        return object == 0 || isDeiniting(counts) ? .gone : .object(object)
    }

    package static func unownedTarget(_ word: UInt, in source: MemorySource) -> Target? {
        guard word != 0 else { return Target.none }
        guard let counts = source.load(UInt.self, at: word &+ 8) else { return nil }
        guard let table = sideTable(counts) else {
            return isDeiniting(counts) ? .gone : .object(word)
        }
        guard let moved = source.load(UInt.self, at: table &+ 16) else { return nil }
        return isDeiniting(moved) ? .gone : .object(word)
    }

    // The side table to which an object's counts have moved; nil if they have not.
    private static func sideTable(_ counts: UInt) -> UInt? {
        guard counts >> 62 == 0b11, counts & 0xFFFF_FFFF != 0xFFFF_FFFF else { return nil }
        return (counts & ~(0b11 << 62)) << 3
    }

    private static func isDeiniting(_ counts: UInt) -> Bool { counts & (1 << 32) != 0 }
}
#endif
