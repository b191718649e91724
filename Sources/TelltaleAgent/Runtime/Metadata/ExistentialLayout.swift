#if TELLTALE_AGENT
import TelltaleSystem

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

    /// The value in an existential that is no class-bound one, as its own type; nil if there is none that
    /// can be read.
    func content(of view: ValueView) -> ValueView? {
        switch self {
        case .object: return nil
        case .opaque:
            guard let word = view.word(at: 24), let type = MetadataCheck.type(at: word) else {
                return nil
            }
            if TypeMetadata(type).isInline { return view.part(type: type) }
            return view.word().flatMap { view.boxed(type, at: $0) }
        case .error:
            // Header, type, conformance, value; a box never changes.
            guard let box = view.word(), box > 0xFFFF,
                let word = view.source.load(UInt.self, at: box &+ 16),
                let type = MetadataCheck.type(at: word)
            else { return nil }
            return view.boxed(type, at: box, behind: 32)
        }
    }
}
#endif
