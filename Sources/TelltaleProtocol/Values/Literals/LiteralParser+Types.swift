#if TELLTALE_COMPILED
// Parsing for a known type, whose values may be spelled as they are shown.
extension LiteralParser {
    /// A value, or one inside of another. If parsing for a type, also spellings that only a type
    /// understands.
    mutating func element(depth: Int) throws(CommandFailure) -> Literal {
        guard isForType else { return try value(depth: depth) }
        scanner.skipSpace()
        let mark = starts.count
        starts.append(scanner.offset)
        if let isClosed = rangeOperator() {
            return .range(nil, try bound(depth: try below(depth)), isClosed: isClosed)
        }
        let lower = try spelling(depth: depth)
        let end = scanner.offset
        scanner.skipSpace()
        guard let isClosed = rangeOperator() else {
            scanner.rewind(to: end)
            return lower
        }
        starts.insert(starts[mark], at: mark)
        scanner.skipSpace()
        if let next = scanner.peek(), !",])}".unicodeScalars.contains(next) {
            return .range(lower, try bound(depth: try below(depth)), isClosed: isClosed)
        }
        return .range(lower, nil, isClosed: isClosed)
    }

    private mutating func bound(depth: Int) throws(CommandFailure) -> Literal {
        scanner.skipSpace()
        starts.append(scanner.offset)
        return try spelling(depth: depth)
    }

    /// Skips a range operator. Returns whether it is the closed one; `nil` if there is none.
    private mutating func rangeOperator() -> Bool? {
        if scanner.skip("..<") { return false }
        return scanner.skip("...") ? true : nil
    }

    private mutating func spelling(depth: Int) throws(CommandFailure) -> Literal {
        switch scanner.peek() {
        case "#": return .path(try path())
        case "`": return try named(depth: depth)
        case "-", "+": return numberOrSpelling()
        case let scalar? where ("0"..."9").contains(scalar): return numberOrSpelling()
        case let scalar? where NameFormat.canBegin(scalar): return try named(depth: depth)
        default: return try value(depth: depth)
        }
    }

    /// A number, one with a unit, or a moment or an address that begins like one.
    private mutating func numberOrSpelling() -> Literal {
        let start = scanner.offset
        if let number = try? number() {
            let end = scanner.offset
            scanner.skipSpace()
            let hasUnit = scanner.peek().map { $0.properties.isAlphabetic } ?? false
            if !hasUnit {
                scanner.rewind(to: end)
                return number
            }
        }
        scanner.rewind(to: start)
        while let scalar = scanner.peek(), !",])}".unicodeScalars.contains(scalar),
            scalar != ":" || !isKeyEnd(scanner.peek(1))
        {
            _ = scanner.next()
        }
        return .spelled(scanner.text(from: start).trimmed)
    }

    /// Returns whether a colon before this scalar ends a key, and is not part of a time.
    private func isKeyEnd(_ next: Unicode.Scalar?) -> Bool {
        next.map { !("0"..."9").contains($0) } ?? true
    }

    /// `nil`, `true`; `Point(x: 1)`, `Wrapped<Int>(value: 2)`, `Mood.busy(1)`; or a path.
    private mutating func named(depth: Int) throws(CommandFailure) -> Literal {
        let start = scanner.offset
        if let name = try scanner.name(), Self.words.contains(name) {
            scanner.rewind(to: start)
            return try value(depth: depth)
        }
        scanner.rewind(to: start)
        if skipTypeName() {
            let name = scanner.text(from: start)
            let open = scanner.offset
            if scanner.skip("(") {
                return .made(name, try arguments(until: ")", depth: try below(depth), from: open))
            }
        }
        scanner.rewind(to: start)
        return .path(try path())
    }

    private static let words: Set<String> = [
        "nil", "null", "true", "false", "inf", "infinity", "nan",
    ]

    /// Skips `Outer.Wrapped<[Int: String]>`; false if there is none.
    private mutating func skipTypeName() -> Bool {
        repeat {
            guard let name = try? scanner.name(), Int(name) == nil else { return false }
            guard scanner.skip("<") else { continue }
            var open = 1
            while open > 0, let scalar = scanner.next() {
                if scalar == "<" { open += 1 }
                if scalar == ">" { open -= 1 }
                if "\"();{}".unicodeScalars.contains(scalar) { return false }
            }
            guard open == 0 else { return false }
        } while scanner.skip(".")
        return true
    }
}
#endif
