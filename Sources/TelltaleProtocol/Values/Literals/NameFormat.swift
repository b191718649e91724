#if TELLTALE_COMPILED
/// The spelling of names of objects, properties, cases and labels: as they are, or in backquotes.
package enum NameFormat {
    /// Returns whether a name can begin with a character without backquotes.
    static func canBegin(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "-" && canContinue(scalar)
    }

    /// Returns whether a name can contain a character without backquotes.
    static func canContinue(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "-": true
        default: scalar.value >= 0x80 && scalar.properties.isXIDContinue
        }
    }

    /// A name as it is typed: itself, or in backquotes with Swift's escapes.
    package static func typed(_ name: String) -> String {
        guard let first = name.unicodeScalars.first, canBegin(first),
            name.unicodeScalars.allSatisfy(canContinue)
        else { return Literal.escaped(name, quote: "`") }
        return name
    }
}
#endif
