#if TELLTALE_AGENT
// What is read as what.
extension MangledType {
    /// What the text is, and the descriptors that stand in its spelling as 2 and a number of four bytes;
    /// nil where it isn't understood.
    static func parse(
        _ text: String, refersToAll: Bool = false
    ) -> (type: Item, references: [TypeDescriptor])? {
        var parser = MangledType(bytes: Array(text.utf8), refersToAll: refersToAll)
        guard (try? parser.run()) != nil, parser.stack.count == 1, let type = parser.stack.first,
            type.kind == .type
        else { return nil }
        return (type, parser.references)
    }

    /// All that a text has one after the other, such as the parts of a function.
    static func parseAll(
        _ text: String, refersToAll: Bool = false
    ) -> (items: [Item], references: [TypeDescriptor])? {
        var parser = MangledType(bytes: Array(text.utf8), refersToAll: refersToAll)
        guard (try? parser.run()) != nil, !parser.stack.isEmpty else { return nil }
        return (parser.stack, parser.references)
    }

    /// The type at the end of a text that has more before it, such as where a variable is declared.
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
