#if TELLTALE_AGENT
import TelltaleSystem

/// Checks the words of a value for references that can be retained.
package enum ReferenceCheck {
    /// Returns true if the word at an address is that of a Swift object.
    package static func isObject(at place: UInt) -> Bool {
        isObject(GuardedMemory.load(UInt.self, at: place) ?? 0)
    }

    /// The levels of structs in structs that are looked into; `Dictionary` has four.
    private static let deepest = 8

    /// Returns false if a value of a class, an existential or `String`, or one that a struct or a tuple holds,
    /// does not refer to an object or to a type; true for values of other types.
    package static func isSound(_ type: Any.Type, at place: UInt, level: Int = 0) -> Bool {
        func word(_ index: UInt) -> UInt {
            GuardedMemory.load(UInt.self, at: place &+ index * 8) ?? 0
        }
        switch TypeMetadata(type).kind {
        case .classType: return isObject(word(0))
        case .existential, .extendedExistential:
            switch ExistentialLayout(of: type) {
            case .object: return isObject(word(0))
            case .opaque:
                let content = MetadataCheck.type(at: word(3)).map { TypeMetadata($0).kind }
                return content.map { $0 != .classType || isObject(word(0)) } ?? false
            default: return true
            }
        case .structure where type is String.Type:
            // Small and immortal strings, which have bit 63, are not retained (swift-6.3.1, StringObject.swift).
            return word(1) >> 63 == 1 || isObject(word(1) & 0x00FF_FFFF_FFFF_FFFF)
        case .structure, .tuple:
            return level >= deepest
                || FieldCache.fields(of: type).allSatisfy { field in
                    field.ownership != .strong
                        || isSound(field.type, at: place &+ UInt(field.offset), level: level + 1)
                }
        default: return true
        }
    }

    private static func isObject(_ word: UInt) -> Bool {
        MetadataCheck.classOfObject(at: word, in: .process) != nil
    }
}
#endif
