#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// What sort of type a metatype stands for: the first word of its metadata.
    ///
    /// `MetadataKind.def` of Swift 6.3; part of the stable ABI. A word above 0x7FF is a class's
    /// isa pointer.
    enum TypeKind {
        case object, structure, enumeration, optional, tuple, function, existential, metatype
        case other

        init(_ type: Any.Type) {
            let word = unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
            self =
                switch word {
                case 0, 0x203, 0x800...: .object
                case 0x200: .structure
                case 0x201: .enumeration
                case 0x202: .optional
                case 0x301: .tuple
                case 0x302: .function
                case 0x303: .existential
                case 0x304, 0x306: .metatype
                default: .other
                }
        }

        /// Whether a value of the type can't be read into a generic one: the field holds a function
        /// in its natural calling convention, which `Any` would take for another (a crash, measured).
        static func holdsFunction(_ type: Any.Type) -> Bool {
            switch TypeKind(type) {
            case .function: return true
            case .optional:
                guard let optional = type as? any OptionalAccess.Type else { return true }
                return holdsFunction(optional.wrapped)
            case .tuple: return WritableFields.of(type).contains { holdsFunction($0.type) }
            default: return false
            }
        }
    }
#endif
