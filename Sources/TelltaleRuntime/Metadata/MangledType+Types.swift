#if TELLTALE_AGENT
// Types composed of the types before them.
extension MangledType {
    mutating func boundGeneric() throws(NotUnderstood) {
        var text: [UInt8] = [UInt8(ascii: "G")]
        var arguments: [[UInt8]] = []
        while true {
            while stack.last?.kind == .type {
                let type = try pop()
                text = type.text + text
                arguments.insert(type.text, at: 0)
            }
            let end = try pop()
            text = end.text + text
            if end.kind == .empty { break }
            guard end.kind == .first else { throw NotUnderstood() }
        }
        let generic = try pop(.type)
        pushNew(
            Item(
                kind: .type, text: generic.text + text, path: generic.path, arguments: arguments))
    }

    mutating func tuple() throws(NotUnderstood) {
        var text: [UInt8] = [UInt8(ascii: "t")]
        if stack.last?.kind == .empty {
            return push(.type, try pop().text + text)
        }
        var elements: [Item] = []
        while true {
            let isFirst = has(.first)
            if isFirst { text = [UInt8(ascii: "_")] + text }
            if stack.last?.kind == .identifier { text = try pop().text + text }
            let element = try pop(.type)
            text = element.text + text
            elements.insert(element, at: 0)
            if isFirst { break }
        }
        stack.append(Item(kind: .type, text: text, elements: elements))
    }

    mutating func existential(_ end: [UInt8]) throws(NotUnderstood) {
        var text = end
        if stack.last?.kind == .empty { return push(.type, try pop().text + text) }
        while true {
            let isFirst = has(.first)
            if isFirst { text = [UInt8(ascii: "_")] + text }
            let name = try pop()
            // A file-private protocol can't be named.
            guard name.path.allSatisfy({ $0.file == nil }) else { throw NotUnderstood() }
            text = name.text + text
            if name.kind == .identifier { text = try pop().text + text }
            if isFirst { break }
        }
        push(.type, text)
    }

    mutating func function() throws(NotUnderstood) {
        var text: [UInt8] = [UInt8(ascii: "c")]
        while stack.last?.kind == .attribute { text = try pop().text + text }
        for _ in 0..<2 {
            let part = try pop()
            guard part.kind == .type || part.kind == .empty else { throw NotUnderstood() }
            text = part.text + text
        }
        push(.type, text)
    }
}

extension MangledType {
    /// Returns the type of a spelling in a generic context; nil if the runtime finds none.
    static func type(
        of spelling: [UInt8], _ references: [TypeDescriptor], in context: UnsafeRawPointer?,
        arguments: UnsafeRawPointer?
    ) -> Any.Type? {
        // The runtime may keep a pointer to the text, so the text is never freed. It is allocated once for
        // each such type.
        let slots = UnsafeMutablePointer<UInt>.allocate(
            capacity: references.count + (spelling.count + 8) / 8 + 1)
        let text = UnsafeMutableRawPointer(slots + references.count)
        for (index, reference) in references.enumerated() {
            slots[index] = UInt(bitPattern: reference.pointer)
        }
        text.copyMemory(from: spelling, byteCount: spelling.count)
        text.storeBytes(of: 0, toByteOffset: spelling.count, as: UInt8.self)
        var offset = 0
        while offset + 4 < spelling.count {
            guard spelling[offset] == 2 else {
                offset += 1
                continue
            }
            let place = text + offset + 1
            let index = Int(place.loadUnaligned(as: UInt32.self))
            guard references.indices.contains(index) else { return nil }
            let distance = UnsafeRawPointer(slots + index) - UnsafeRawPointer(place)
            place.storeBytes(of: Int32(truncatingIfNeeded: distance), as: Int32.self)
            offset += 5
        }
        return _getTypeByMangledNameInContext(
            text.assumingMemoryBound(to: UInt8.self), UInt(spelling.count),
            genericContext: context, genericArguments: arguments)
    }
}

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
