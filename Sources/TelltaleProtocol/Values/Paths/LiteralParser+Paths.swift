#if TELLTALE_COMPILED
extension LiteralParser {
    /// The path that begins here, after spaces; it ends before the first text that is not a step.
    mutating func path() throws(CommandFailure) -> ValuePath {
        scanner.skipSpace()
        var path = ValuePath(root: try root())
        while let component = try component() {
            guard path.components.count < ValuePath.maximumComponents else {
                throw scanner.failure(
                    "more than the \(ValuePath.maximumComponents) steps that are allowed",
                    hint: "Show a part first, and go on from its handle: #7.next")
            }
            path.components.append(component)
        }
        return path
    }

    private mutating func root() throws(CommandFailure) -> ValuePath.Root {
        guard scanner.skip("#") else {
            guard let name = try scanner.name() else {
                throw scanner.failure(
                    "\(scanner.found) instead of a name", hint: ValuePath.example)
            }
            return .name(name)
        }
        let start = scanner.offset
        guard let text = try scanner.name(), let number = Int(text), number >= 0 else {
            throw scanner.failure(
                "a handle is # and a number", at: start - 1, hint: ValuePath.example)
        }
        return .handle(number)
    }

    /// The next step; `nil` if none begins.
    mutating func component() throws(CommandFailure) -> ValuePath.Component? {
        let start = scanner.offset
        if scanner.skip(".") {
            guard let name = try scanner.name() else {
                throw scanner.failure(
                    "\(scanner.found) instead of a property's name", hint: ValuePath.example)
            }
            return .property(name)
        }
        guard scanner.skip("[") else { return nil }
        let component = try subscripted()
        scanner.skipSpace()
        guard scanner.skip("]") else {
            if scanner.isAtEnd { throw scanner.failure("no ']' closes this", at: start) }
            throw scanner.failure("\(scanner.found) instead of ']'")
        }
        return component
    }

    private mutating func subscripted() throws(CommandFailure) -> ValuePath.Component {
        scanner.skipSpace()
        if scanner.isAtEnd || scanner.peek() == "]" {
            throw scanner.failure(
                "an index or a key is missing", hint: "[0], [10..<20] or [\"key\"]")
        }
        let start = scanner.offset
        let literal = try value(depth: 0)
        guard case .integer(let text) = literal else { return .key(literal) }
        scanner.skipSpace()
        let isClosed = scanner.skip("...")
        guard isClosed || scanner.skip("..<") else {
            guard let index = Int(text), index >= 0 else { return .key(literal) }
            return .index(index)
        }
        scanner.skipSpace()
        guard case .integer(let endText) = try value(depth: 0) else {
            throw scanner.failure("a range ends with a number", at: start, hint: "[10..<20]")
        }
        guard let lower = Int(text), let end = Int(endText), lower >= 0,
            let upper = isClosed ? (end < Int.max ? end + 1 : nil) : end, upper >= lower
        else {
            throw scanner.failure(
                "a range goes from 0 or more up to as much or more", at: start,
                hint: "[10..<20] has the ten elements from number 10.")
        }
        return .range(lower..<upper)
    }
}
#endif
