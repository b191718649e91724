#if TELLTALE_AGENT
package import TelltaleProtocol

/// The verdict of the standard names of secrets on a property or a case. It depends on the name and the type
/// alone, so it is looked up once for each. The host's rules are applied where a value is read.
package enum SecretProperty {
    /// Returns whether the standard names make a secret of a value with this name and of this type.
    package static func isSecret(name: String, of type: Any.Type) -> Bool {
        SecretNames.standard.matches(plainName(name), value: sort(type))
    }

    /// A property's name without the prefix the compiler adds for wrappers and lazy properties.
    package static func plainName(_ name: String) -> String {
        for prefix in ["$__lazy_storage_$_", "_"] where name.hasPrefix(prefix) {
            return String(name.dropFirst(prefix.count))
        }
        return name
    }

    /// Returns whether values of a type are truth values, which reveal nothing of a secret.
    package static func isTruth(_ type: Any.Type) -> Bool {
        truths.contains(ObjectIdentifier(type))
    }

    /// The sort of a type's values, by which a name is judged.
    package static func sort(_ type: Any.Type) -> SecretNames.Value {
        let key = ObjectIdentifier(type)
        return truths.contains(key) ? .truth : numbers.contains(key) ? .number : .other
    }

    private static let truths: Set<ObjectIdentifier> = [
        ObjectIdentifier(Bool.self), ObjectIdentifier(Bool?.self),
    ]
    private static let numbers = Set(
        ([
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
            UInt16.self, UInt32.self, UInt64.self, Double.self, Float.self, Duration.self,
            Int?.self, Int64?.self, UInt?.self, UInt64?.self, Double?.self, Duration?.self,
        ] as [Any.Type]).map { ObjectIdentifier($0) })
}
#endif
