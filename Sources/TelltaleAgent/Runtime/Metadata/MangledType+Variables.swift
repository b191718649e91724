#if TELLTALE_AGENT
extension MangledType {
    /// The type of a variable, by its symbol: `$s4Host6photosAA12PhotoManagerCvp` is where it is declared, its
    /// name, its type, and what it is. Nil where that isn't understood, or the type is generic.
    static func type(ofVariable symbol: String) -> Any.Type? {
        let end = symbol.hasSuffix("vpZ") ? 3 : 2
        guard symbol.hasPrefix("$s"), symbol.utf8.count > 4 else { return nil }
        let body = String(symbol.dropFirst(2).dropLast(end))
        for refersToAll in [false, true] {
            guard let (type, references) = parseLast(body, refersToAll: refersToAll) else {
                return nil
            }
            let found = self.type(of: type.text, references, in: nil, arguments: nil)
            if let found { return found }
        }
        return nil
    }
}
#endif
