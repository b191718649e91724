#if TELLTALE_AGENT
// Parsing a text.
extension MangledType {
    /// Returns the type in a text, and the descriptors that its spelling refers to: each as 2 and an index
    /// of four bytes. Nil if the text isn't understood.
    static func parse(
        _ text: String, refersToAll: Bool = false
    ) -> (type: Item, references: [TypeDescriptor])? {
        var parser = MangledType(bytes: Array(text.utf8), refersToAll: refersToAll)
        guard (try? parser.run()) != nil, parser.stack.count == 1, let type = parser.stack.first,
            type.kind == .type
        else { return nil }
        return (type, parser.references)
    }

    /// Returns all items of a text, such as the parts of a function.
    static func parseAll(
        _ text: String, refersToAll: Bool = false
    ) -> (items: [Item], references: [TypeDescriptor])? {
        var parser = MangledType(bytes: Array(text.utf8), refersToAll: refersToAll)
        guard (try? parser.run()) != nil, !parser.stack.isEmpty else { return nil }
        return (parser.stack, parser.references)
    }

    /// Returns the type at the end of a longer text, such as the type of a variable after its context and
    /// name.
    static func parseLast(
        _ text: String, refersToAll: Bool = false
    ) -> (type: Item, references: [TypeDescriptor])? {
        var parser = MangledType(bytes: Array(text.utf8), refersToAll: refersToAll)
        guard (try? parser.run()) != nil, parser.stack.count > 1, let type = parser.stack.last,
            type.kind == .type
        else { return nil }
        return (type, parser.references)
    }
}
#endif
