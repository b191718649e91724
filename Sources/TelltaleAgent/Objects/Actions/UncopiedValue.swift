#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The type of a value that is not copied to look for its methods: methods are called only on trivial (POD)
/// values and on objects, and copying retains whatever the value's words refer to. If the host has damaged
/// them, a retain ends the process.
struct UncopiedValue {
    /// Nil for an optional that is `nil`.
    let type: Any.Type?

    /// Looks through optionals at an address; nil for a type whose values are copied.
    init?(_ declared: Any.Type, at address: UnsafeMutableRawPointer) {
        var type = declared
        // The payload of an optional starts at its first byte, and its bits are unchanged.
        while let optional = type as? any OptionalAccess.Type {
            guard !optional.isNone(at: address) else {
                self.type = nil
                return
            }
            type = optional.wrapped
        }
        let metadata = TypeMetadata(type)
        switch metadata.kind {
        case .structure, .enumeration, .tuple:
            guard !metadata.isTrivial else { return nil }
            self.type = type
        default: return nil
        }
    }
}

/// Checks a value of the host's before its references are retained.
enum CheckedReference {
    /// Structs and enums of the host's own are not looked into.
    ///
    /// - Throws: `.unsupported` if the type is a class, an existential, a string or a collection, and its words
    ///   don't refer to an object or to a type.
    static func check(
        _ declared: Any.Type, at address: UnsafeMutableRawPointer, _ rendered: String
    ) throws(CommandFailure) {
        var type = declared
        while let optional = type as? any OptionalAccess.Type {
            guard !optional.isNone(at: address) else { return }
            type = optional.wrapped
        }
        let place = UInt(bitPattern: address)
        let isCollection =
            type is any ArrayAccess.Type || type is any DictionaryAccess.Type
            || type is any SetAccess.Type
        guard
            isCollection
                ? ReferenceCheck.isObject(at: place) : ReferenceCheck.isSound(type, at: place)
        else {
            throw CommandFailure(
                .unsupported,
                "\(rendered) is not readable: it does not refer to \(ChangedType.withArticle(type))",
                hint: "the service has damaged it, or is using it after its end")
        }
    }
}
#endif
