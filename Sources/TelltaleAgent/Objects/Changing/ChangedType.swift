#if TELLTALE_AGENT
import TelltaleRuntime

enum ChangedType {
    /// Returns whether values of the type can't be loaded into an `Any`: the field holds a function in its
    /// natural calling convention, which `Any` would take for another (a crash, measured).
    static func holdsFunction(_ type: Any.Type) -> Bool {
        let metadata = TypeMetadata(type)
        switch metadata.kind {
        case .function: return true
        case .optional: return metadata.argument(0).map(holdsFunction) ?? true
        case .tuple:
            return FieldCache.fields(of: type).contains { holdsFunction($0.type) }
        default: return false
        }
    }

    /// Returns whether the type is an existential type.
    static func isExistential(_ type: Any.Type) -> Bool {
        switch TypeMetadata(type).kind {
        case .existential, .extendedExistential: true
        default: false
        }
    }

    /// Returns whether values of the type are objects.
    static func isClass(_ type: Any.Type) -> Bool {
        switch TypeMetadata(type).kind {
        case .classType, .foreignClass: true
        default: false
        }
    }

    /// Returns whether a struct may be made from its properties. The properties of the standard library's and
    /// of Foundation's structs have to fit each other, which only their own initializers ensure.
    static func isMadeOfProperties(_ type: Any.Type) -> Bool {
        TypeMetadata(type).kind == .structure && !TypeMetadata(type).isNoncopyable
            && !(type is any TypedScalar.Type) && !isOfSystem(type)
    }

    /// Returns whether a type belongs to the standard library or to Foundation.
    static func isOfSystem(_ type: Any.Type) -> Bool {
        systemModules.contains(String(_typeName(type, qualified: true).prefix { $0 != "." }))
    }

    private static let systemModules: Set<String> = [
        "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Dispatch",
        "Distributed", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "CoreFoundation", "Builtin", "System",
    ]

    /// Returns whether a macro made the class `@Observable`.
    static func isObservable(_ type: Any.Type) -> Bool {
        TypeMetadata(type).descriptor?.records.contains { $0.name == "_$observationRegistrar" }
            ?? false
    }

    /// The type behind all optionals of a value at an address; nil if one of them is `nil`. The payload of an
    /// optional starts at its first byte, and its bits are unchanged.
    static func payload(of declared: Any.Type, at address: UnsafeMutableRawPointer) -> Any.Type? {
        var type = declared
        while let optional = type as? any OptionalAccess.Type {
            guard !optional.isNone(at: address) else { return nil }
            type = optional.wrapped
        }
        return type
    }

    /// The type's name with its article: `an Int`, `a [Photo]`.
    static func withArticle(_ type: Any.Type) -> String {
        let name = TypeNames.name(of: type)
        // "a URL", "a UInt8", "a User": a leading U is usually pronounced as a consonant.
        let isVowel = name.first.map { "AEIOaeio".contains($0) } ?? false
        return (isVowel ? "an " : "a ") + name
    }
}
#endif
