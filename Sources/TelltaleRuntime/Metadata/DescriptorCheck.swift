#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// Checks if a word points to a context descriptor: the compiler's description of a type.
///
/// Words that look like a descriptor by their first word alone occur in every large heap. Pointers in freed
/// blocks were once taken for a class and its descriptor, and the runtime was asked for that class's name.
/// So a descriptor must be in an image, must have a name there, and its parents must lead to a module.
/// Layout checked against swift-6.3.1 (`swift/ABI/Metadata.h`).
enum DescriptorCheck {
    /// The kind of a descriptor, with the runtime's numbers.
    enum Kind: UInt32 {
        case module = 0
        case `extension` = 1
        case anonymous = 2
        case `protocol` = 3
        case opaqueType = 4
        case classType = 16
        case structure = 17
        case enumeration = 18

        var hasName: Bool {
            switch self {
            case .module, .protocol, .classType, .structure, .enumeration: true
            case .extension, .anonymous, .opaqueType: false
            }
        }
    }

    private static let known = Locked<Set<UInt>>([])
    private static let capacity = 65_536
    /// The maximum number of contexts that contain a type.
    private static let depth = 64

    /// Returns true if there is a descriptor of a type or a protocol at an address.
    static func isDescriptor(_ address: UInt, _ kind: Kind) -> Bool {
        guard let found = Self.kind(at: address), found == kind else { return false }
        if known.withLock({ $0.contains(address) }) { return true }
        guard isInModule(address, found) else { return false }
        known.withLock { if $0.count < capacity { $0.insert(address) } }
        return true
    }

    /// Clears the cache, so that every descriptor is checked again.
    static func forget() { known.withLock { $0 = [] } }

    private static func kind(at address: UInt) -> Kind? {
        guard address > 0xFFFF, address & 3 == 0,
            let flags = GuardedMemory.load(UInt32.self, at: address)
        else { return nil }
        return Kind(rawValue: flags & 0x1F)
    }

    private static func isInModule(_ address: UInt, _ kind: Kind) -> Bool {
        var (address, kind) = (address, kind)
        for _ in 0..<depth {
            guard isInImage(address), !kind.hasName || hasName(address) else { return false }
            if kind == .module { return true }
            guard let parent = parent(of: address), let next = Self.kind(at: parent) else {
                return false
            }
            (address, kind) = (parent, next)
        }
        return false
    }

    /// Returns true if an address is in an image. If the system can't tell, every address may be in one.
    static func isInImage(_ address: UInt) -> Bool {
        ctelltale_image_start(address) != 0 || !canTellImages
    }

    private static let canTellImages =
        ctelltale_image_start(UInt(bitPattern: TypeMetadata(Sample.self).pointer)) != 0

    private final class Sample {}

    private static func parent(of address: UInt) -> UInt? {
        let field = address &+ 4
        guard let offset = GuardedMemory.load(Int32.self, at: field), offset != 0 else {
            return nil
        }
        let target = field &+ UInt(bitPattern: Int(offset & ~1))
        // The lowest bit marks an indirect pointer: the target contains the address, which is in another
        // image.
        return offset & 1 == 0 ? target : GuardedMemory.load(UInt.self, at: target)
    }

    private static func hasName(_ address: UInt) -> Bool {
        let field = address &+ 8
        guard let offset = GuardedMemory.load(Int32.self, at: field), offset != 0,
            let first = GuardedMemory.load(
                UInt8.self, at: field &+ UInt(bitPattern: Int(offset)))
        else { return false }
        // A letter, an underscore, or the first byte of a non-ASCII character.
        return first >= 0x80 || first == UInt8(ascii: "_")
            || (first | 0x20) &- UInt8(ascii: "a") < 26
    }
}
#endif
