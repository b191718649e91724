#if TELLTALE_AGENT
import TelltaleProtocol

/// Matches types against a name typed by the user: `Photo`, `Album.Cover`, `Photos.Photo`, `Cache<Int>`.
/// `Cache` matches every `Cache<…>`.
package struct TypeMatch {
    let typed: String
    private var known: [ObjectIdentifier: Bool] = [:]

    package init(_ typed: String) { self.typed = typed }

    /// Returns true if a class has the name, or is a subclass of one that has it.
    package mutating func fits(_ type: Any.Type) -> Bool {
        let key = ObjectIdentifier(type)
        if let known = known[key] { return known }
        // Ends the recursion if a chain of superclasses is a cycle.
        known[key] = false
        let isOne = isNamedSo(type) || (TypeMetadata(type).superclass.map { fits($0) } ?? false)
        known[key] = isOne
        return isOne
    }

    private func isNamedSo(_ type: Any.Type) -> Bool {
        let short = TypeNames.name(of: type)
        if short == typed { return true }
        let long = Self.withoutFiles(_typeName(type, qualified: true))
        if long == typed { return true }
        let bases = [short, long].map { $0.prefix { $0 != "<" } }
        if bases.contains(where: { $0 == typed }) { return true }
        return typed.isEmpty
            ? false : long.endsWithPart(typed) || bases[1].endsWithPart(typed)
    }

    /// Removes the discriminators of file-private types: `App.(Cache in _0F3A)` becomes `App.Cache`.
    package static func withoutFiles(_ name: String) -> String {
        guard name.contains(" in _") || name.contains(" in $") else { return name }
        var text = ""
        var rest = name[...]
        while let start = rest.firstIndex(of: "(") {
            text += rest[..<start]
            let inside = rest[rest.index(after: start)...]
            guard let end = inside.firstIndex(of: ")"), let space = inside.firstIndex(of: " "),
                space < end, inside[space...].hasPrefix(" in ")
            else {
                text.append("(")
                rest = inside
                continue
            }
            text += inside[..<space]
            rest = inside[inside.index(after: end)...]
        }
        return text + rest
    }
}
#endif
