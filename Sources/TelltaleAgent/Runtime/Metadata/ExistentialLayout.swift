#if TELLTALE_AGENT
/// How an existential (`Any`, `any P`, `AnyObject`, `any Error`) stands in memory.
///
/// Checked against swift-6.3.1, without Objective-C.
enum ExistentialLayout: Sendable {
    /// Three words for the value or its box, then its type, then conformances.
    case opaque
    /// A reference, then conformances.
    case object
    /// A reference to a box with the value.
    case error

    /// The layout of an existential type; nil for one of a later runtime.
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

    /// The value in an existential, as its own type.
    ///
    /// - Parameter view: An existential that is no class-bound one.
    /// - Returns: nil if there is none that can be read.
    func content(of view: ValueView) -> ValueView? {
        switch self {
        case .object: return nil
        case .opaque:
            guard let word = view.word(at: 24), let type = MetadataCheck.type(at: word) else {
                return nil
            }
            let metadata = TypeMetadata(type)
            if metadata.isInline { return view.part(type: type) }
            guard let box = view.word() else { return nil }
            let mask = metadata.alignmentMask
            return ValueView(
                of: type, at: box &+ ((16 &+ mask) & ~mask), in: view.source,
                isStable: view.isStable)
        case .error:
            // Header, type, conformance, value; a box never changes.
            guard let box = view.word(), box > 0xFFFF,
                let header = MemoryBlock(reading: box, count: 32, in: view.source),
                let word = header.load(UInt.self, at: 16),
                let type = MetadataCheck.type(at: word)
            else { return nil }
            let mask = TypeMetadata(type).alignmentMask
            return ValueView(
                of: type, at: box &+ ((32 &+ mask) & ~mask), in: view.source,
                isStable: view.isStable)
        }
    }
}
#endif
