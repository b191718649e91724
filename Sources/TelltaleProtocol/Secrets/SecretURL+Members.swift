#if TELLTALE_COMPILED
extension SecretURL {
    /// Finds the members of JSON, `"password": "…"`, and lines of headers, `Authorization: …`.
    mutating func findMembers() {
        var index = 0
        var line = 0
        while index < bytes.count {
            switch bytes[index] {
            case 10, 13: line = index + 1
            case UInt8(ascii: ":"):
                if let value = member(at: index) ?? labelled(at: index)
                    ?? header(from: line, to: index) ?? word(after: index)
                {
                    add(value)
                    index = max(index, value.upperBound - 1)
                }
            default: break
            }
            index += 1
        }
    }

    /// The value of a member of JSON; its quotes may be escaped, where JSON is part of JSON.
    private func member(at colon: Int) -> Range<Int>? {
        var end = colon
        while end > 0, bytes[end - 1] == 32 { end -= 1 }
        guard end > 0, bytes[end - 1] == Self.quote else { return nil }
        end -= 1
        let escapes = self.escapes(before: end)
        let last = end - escapes
        var start = last
        while start > 0, last - start <= Self.longestName, bytes[start - 1] != Self.quote {
            start -= 1
        }
        guard start > 0, bytes[start - 1] == Self.quote, start < last,
            names.matches(Self.text(bytes[start..<last]))
        else { return nil }
        let from = first(from: colon + 1) { $0 > 32 }
        guard from < bytes.count else { return nil }
        let isQuoted = from + escapes < bytes.count && bytes[from + escapes] == Self.quote
        if isQuoted, bytes[from..<from + escapes].allSatisfy({ $0 == Self.backslash }) {
            return from + escapes + 1..<endOfText(from: from + escapes + 1, escapes: escapes)
        }
        if "{[".utf8.contains(bytes[from]) { return from..<endOfNest(from: from) }
        // nil and a Bool tell nothing of a secret.
        if has("true", at: from) || has("false", at: from) || has("null", at: from) {
            return nil
        }
        return from..<first(from: from) { $0 <= 32 || ",}]".utf8.contains($0) }
    }

    /// The quoted text after a name without quotes, or in single ones: `Connection(password: "…")`, as Swift
    /// describes a value, `password: Optional("…")`, `{'password': '…'}`. A sentence has no quotes there.
    private func labelled(at colon: Int) -> Range<Int>? {
        let isQuoted = colon > 0 && bytes[colon - 1] == Self.singleQuote
        let end = isQuoted ? colon - 1 : colon
        var start = end
        while start > 0, end - start <= Self.longestName, Self.isHeader(bytes[start - 1]) {
            start -= 1
        }
        // `no such key: "title"` is a sentence.
        guard start < end, !(end - start == 3 && has("key", at: start)),
            names.matches(Self.text(bytes[start..<end]))
        else { return nil }
        var from = first(from: colon + 1) { $0 != 32 }
        while has("optional(", at: from) { from += 9 }
        let before = from
        while from < bytes.count, bytes[from] == Self.backslash { from += 1 }
        guard from < bytes.count, bytes[from] == Self.quote || bytes[from] == Self.singleQuote
        else {
            return nil
        }
        let (quote, escapes) = (bytes[from], from - before)
        return from + 1..<endOfText(from: from + 1, escapes: escapes, quote: quote)
    }

    private func escapes(before index: Int) -> Int {
        var count = 0
        while count < index, bytes[index - 1 - count] == Self.backslash { count += 1 }
        return count
    }

    /// Returns the index of the next quote that is escaped as often as the first one.
    private func endOfText(from start: Int, escapes: Int, quote: UInt8 = Self.quote) -> Int {
        var index = start
        var run = 0
        while index < bytes.count {
            if bytes[index] == Self.backslash {
                run += 1
            } else {
                if bytes[index] == quote, run <= escapes { return index - run }
                run = 0
            }
            index += 1
        }
        return bytes.count
    }

    /// Returns the index after the bracket that closes the one here; brackets in texts count too.
    private func endOfNest(from start: Int) -> Int {
        var depth = 0
        for index in start..<bytes.count {
            if "{[".utf8.contains(bytes[index]) { depth += 1 }
            if "}]".utf8.contains(bytes[index]) { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return bytes.count
    }

    /// The rest of a line that begins with the name of a header. One word is one only among other lines,
    /// since sentences begin so too: `Password: at least eight characters`.
    private func header(from start: Int, to colon: Int) -> Range<Int>? {
        let name = bytes[start..<colon]
        guard !name.isEmpty, name.count <= Self.longestName, !has("://", at: colon),
            name.allSatisfy({ Self.isHeader($0) })
        else { return nil }
        let from = first(from: colon + 1) { $0 != 32 && $0 != 9 }
        let end = first(from: from) { $0 == 10 || $0 == 13 }
        let isCertain =
            start > 0 || end < bytes.count || name.contains(UInt8(ascii: "-"))
            || has("authorization:", at: start) || has("cookie:", at: start)
        guard isCertain, names.matches(Self.text(name)) else { return nil }
        return from..<end
    }

    private static func isHeader(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let singleQuote = UInt8(ascii: "'")
    private static let backslash = UInt8(ascii: "\\")
}
#endif
