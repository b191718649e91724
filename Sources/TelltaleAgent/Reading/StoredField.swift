#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// One stored property of a class or a struct, or one element of a tuple.
    struct StoredField: Sendable {
        /// How a reference is held.
        enum Ownership: Sendable {
            case strong, weak, unowned, unmanaged
        }

        /// The name in the runtime's records.
        let name: String
        /// The name as the source has it: without the prefix of a lazy or wrapped property.
        let shownName: String
        let type: Any.Type
        /// Where it stands in the object or the value.
        let offset: Int
        let isVariable: Bool
        let ownership: Ownership
        let isLazy: Bool
        /// Whether its type can't be copied; the runtime then tells no type.
        let isNoncopyable: Bool

        static let lazyPrefix = "$__lazy_storage_$_"
        /// Storage that the compiler or a macro adds.
        static let hidden: Set<String> = ["$defaultActor", "_$observationRegistrar"]
    }
#endif
