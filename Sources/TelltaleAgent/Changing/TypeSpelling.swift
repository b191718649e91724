#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// Types as Swift spells them, without modules: `[Photo]`, `String?`, `(Int, x: String)`.
    enum TypeSpelling {
        /// A type's name.
        static func name(_ type: Any.Type, depth: Int = 0) -> String {
            func inner(_ type: Any.Type) -> String { name(type, depth: depth + 1) }
            guard depth < 16 else { return "…" }
            if let type = type as? any OptionalAccess.Type {
                let wrapped = inner(type.wrapped)
                let needsParentheses =
                    wrapped.contains(" & ") || wrapped.contains(" -> ")
                    || wrapped.hasPrefix("any ")
                return needsParentheses ? "(\(wrapped))?" : wrapped + "?"
            }
            if let type = type as? any ArrayAccess.Type {
                let element = inner(type.element)
                return type.isContiguousArray ? "ContiguousArray<\(element)>" : "[\(element)]"
            }
            if let type = type as? any DictionaryAccess.Type {
                return "[\(inner(type.key)): \(inner(type.value))]"
            }
            if let type = type as? any SetAccess.Type { return "Set<\(inner(type.element))>" }
            if TypeKind(type) == .tuple {
                let parts = WritableFields.of(type).map { field in
                    field.name.hasPrefix(".")
                        ? inner(field.type) : "\(field.name): \(inner(field.type))"
                }
                return "(\(parts.joined(separator: ", ")))"
            }
            return _typeName(type, qualified: false)
        }

        /// With its article: `an Int`, `a [Photo]`.
        static func withArticle(_ type: Any.Type) -> String {
            let name = name(type)
            // "a URL", "a UInt8", "a User": a leading U is mostly spoken as a consonant.
            let isVowel = name.first.map { "AEIOaeio".contains($0) } ?? false
            return (isVowel ? "an " : "a ") + name
        }
    }
#endif
