#if TELLTALE_COMPILED
extension SecretURL {
    /// The syntax around a parameter, which determines the end of its value.
    private enum Form {
        /// In the query of a URL: `?token=…&`.
        case query
        /// In a URL that is itself a parameter: `%3Ftoken%3D…%26`.
        case encoded
        /// In a connection string: `;Password=…;`, with any character but the `;`.
        case list
        case anywhere
    }

    /// Finds `name=value`, as in URLs, connection strings, cookies and environments.
    mutating func findParameters() {
        var index = 0
        while index < bytes.count {
            let isEncoded = bytes[index] == UInt8(ascii: "%") && has("%3d", at: index)
            guard isEncoded || bytes[index] == UInt8(ascii: "=") else {
                index += 1
                continue
            }
            let equals = index
            index += isEncoded ? 3 : 1
            // Only if nothing but a space is between: `Password = x`.
            let end = isEncoded ? equals : skippingSpaces(before: equals)
            guard let start = startOfName(before: end, isEncoded: isEncoded) else { continue }
            let form = form(start, isEncoded: isEncoded)
            let isQuery = form == .query || form == .encoded
            guard
                end - start > Self.longestName
                    || names.matches(
                        Self.decoded(bytes[start..<end]), in: isQuery ? .query : .anywhere)
            else { continue }
            let value = value(from: end < equals ? skippingSpaces(after: index) : index, form)
            add(value)
            index = max(index, value.upperBound)
        }
    }

    private func skippingSpaces(before index: Int) -> Int {
        var index = index
        while index > 0, bytes[index - 1] == 32 || bytes[index - 1] == 9 { index -= 1 }
        return index
    }

    private func skippingSpaces(after index: Int) -> Int {
        first(from: index) { $0 != 32 && $0 != 9 }
    }

    private func startOfName(before end: Int, isEncoded: Bool) -> Int? {
        var start = end
        while start > 0, end - start <= Self.longestName, Self.isName(bytes[start - 1]) {
            if isEncoded, start >= 3, endsEncoded(at: start - 3) { break }
            start -= 1
        }
        return start < end ? start : nil
    }

    private func form(_ start: Int, isEncoded: Bool) -> Form {
        if isEncoded { return .encoded }
        if start > 0, "?&#".utf8.contains(bytes[start - 1]) { return .query }
        let before = skippingSpaces(before: start)
        guard before == 0 || bytes[before - 1] == UInt8(ascii: ";") else { return .anywhere }
        // Behind a `;` it is one of a list for certain, and the first of one where another follows.
        if before > 0 { return .list }
        let end = first(from: start) { $0 == UInt8(ascii: ";") || $0 == 10 }
        return end < bytes.count && bytes[end] != 10 && beginsParameter(at: end + 1)
            ? .list : .anywhere
    }

    private func value(from start: Int, _ form: Form) -> Range<Int> {
        guard start < bytes.count else { return start..<start }
        switch bytes[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let quote = bytes[start]
            return start + 1..<first(from: start + 1) { $0 == quote }
        case UInt8(ascii: "{") where form == .list || form == .anywhere:
            return start + 1..<first(from: start + 1) { $0 == UInt8(ascii: "}") }
        default: break
        }
        var end = start
        while end < bytes.count, !ends(at: end, form) { end += 1 }
        return start..<end
    }

    private func ends(at index: Int, _ form: Form) -> Bool {
        let byte = bytes[index]
        switch form {
        case .list: return byte == UInt8(ascii: ";") || byte == 10 || byte == 13
        case .query: return "&;#,".utf8.contains(byte) || Self.endsURL(byte)
        case .encoded:
            return endsEncoded(at: index) || "&;#,".utf8.contains(byte) || Self.endsURL(byte)
        case .anywhere:
            if Self.endsURL(byte) { return true }
            // Each of these can be part of a password, if no other parameter follows.
            return "&;#,".utf8.contains(byte)
                && (index + 1 >= bytes.count || bytes[index + 1] <= 32
                    || byte == UInt8(ascii: ";") || beginsParameter(at: index + 1))
        }
    }

    /// Returns whether one of `?&#;` is at an index, in hexadecimal.
    private func endsEncoded(at index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "%") else { return false }
        return has("%26", at: index) || has("%3f", at: index) || has("%23", at: index)
            || has("%3b", at: index)
    }

    /// Returns whether `name=` is at an index.
    private func beginsParameter(at index: Int) -> Bool {
        var index = skippingSpaces(after: index)
        let start = index
        while index < bytes.count, index - start <= Self.longestName, Self.isName(bytes[index]) {
            index += 1
        }
        index = index == start ? index : skippingSpaces(after: index)
        return index > start && index < bytes.count && bytes[index] == UInt8(ascii: "=")
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 0x80...0xFF: true
        default: "_-.%[]+$".utf8.contains(byte)
        }
    }

    /// `to%6ben` is `token`.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else { return text(bytes) }
        var out: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let value = UInt8(text(bytes[index + 1...index + 2]), radix: 16)
            {
                out.append(value)
                index += 3
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return text(out[...])
    }
}
#endif
