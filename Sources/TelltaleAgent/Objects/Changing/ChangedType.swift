#if TELLTALE_AGENT
enum ChangedType {
    /// Whether a value of the type can't be read into a generic one: the field holds a function
    /// in its natural calling convention, which `Any` would take for another (a crash, measured).
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

    /// Whether the runtime knows the inside of the type's existentials.
    static func isExistential(_ type: Any.Type) -> Bool {
        switch TypeMetadata(type).kind {
        case .existential, .extendedExistential: true
        default: false
        }
    }

    /// Whether values of the type are objects.
    static func isClass(_ type: Any.Type) -> Bool {
        switch TypeMetadata(type).kind {
        case .classType, .foreignClass: true
        default: false
        }
    }

    /// Whether a struct may be made from its properties: those of the standard library and of Foundation have
    /// to fit each other, and only their own initializers see to that.
    static func isMadeOfProperties(_ type: Any.Type) -> Bool {
        TypeMetadata(type).kind == .structure && !TypeMetadata(type).isNoncopyable
            && !(type is any TypedScalar.Type) && !isOfSystem(type)
    }

    /// Whether a type is the standard library's or Foundation's.
    static func isOfSystem(_ type: Any.Type) -> Bool {
        systemModules.contains(String(_typeName(type, qualified: true).prefix { $0 != "." }))
    }

    private static let systemModules: Set<String> = [
        "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Dispatch",
        "Distributed", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "CoreFoundation", "Builtin", "System",
    ]

    /// Whether a macro made the class `@Observable`.
    static func isObservable(_ type: Any.Type) -> Bool {
        TypeMetadata(type).descriptor?.records.contains { $0.name == "_$observationRegistrar" }
            ?? false
    }

    /// The type's name with its article: `an Int`, `a [Photo]`.
    static func withArticle(_ type: Any.Type) -> String {
        let name = TypeNames.name(of: type)
        // "a URL", "a UInt8", "a User": a leading U is mostly spoken as a consonant.
        let isVowel = name.first.map { "AEIOaeio".contains($0) } ?? false
        return (isVowel ? "an " : "a ") + name
    }
}
#endif
