#if TELLTALE_AGENT
import TelltaleProtocol

/// Whether a type goes by a name that was typed: `Photo`, `Album.Cover`, `Photos.Photo`, `Cache<Int>`, and
/// `Cache` for each of them.
struct TypeMatch {
    let typed: String
    private var known: [ObjectIdentifier: Bool] = [:]

    init(_ typed: String) { self.typed = typed }

    /// Whether a class is one of the name, or a subclass of one.
    mutating func fits(_ type: Any.Type) -> Bool {
        let key = ObjectIdentifier(type)
        if let known = known[key] { return known }
        // A chain that never ends is none.
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

    /// `App.(Cache in _0F3A)` of one that is private to its file is `App.Cache`.
    static func withoutFiles(_ name: String) -> String {
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
