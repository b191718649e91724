#if TELLTALE_AGENT
extension MangledType {
    /// Returns the type of a variable, from its symbol: `$s4Host6photosAA12PhotoManagerCvp` consists of the
    /// context, the name, the type and the kind. Nil if it isn't understood, or if the type is generic.
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
