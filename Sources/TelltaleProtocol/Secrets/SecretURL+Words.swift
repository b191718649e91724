#if TELLTALE_COMPILED
/// Secrets that other syntaxes than a URL's or JSON's mark: options of a command line, elements of XML, labels,
/// private keys.
extension SecretURL {
    /// Finds `--password x`, `-storepass x`, `"--token", "x"`, and the credentials of `curl -u user:x`.
    mutating func findOptions() {
        var index = 0
        var isCurl = false
        while index < bytes.count {
            defer { index += 1 }
            if !isCurl, has("curl", at: index) { isCurl = true }
            guard bytes[index] == Self.hyphen, index == 0 || Self.precedesWord(bytes[index - 1])
            else { continue }
            if has("-----begin ", at: index) {
                let end = findPrivateKey(at: index)
                index = max(index, end - 1)
                continue
            }
            let start = first(from: index) { $0 != Self.hyphen }
            let end = first(from: start) { !Self.isOfName($0) }
            guard start - index <= 2, start < end else { continue }
            if isCurl, let value = credentials(start..<end) {
                add(value)
                index = max(index, value.upperBound - 1)
            } else if end - start <= Self.longestName, names.matches(Self.text(bytes[start..<end])),
                let value = argument(after: end)
            {
                add(value)
                index = max(index, value.upperBound - 1)
            }
        }
    }

    /// The word after an option; nothing for another option.
    private func argument(after end: Int) -> Range<Int>? {
        guard end < bytes.count else { return nil }
        var from = end
        if Self.isQuote(bytes[end]) {
            from = first(from: end + 1) { $0 > 32 && $0 != UInt8(ascii: ",") }
            guard from < bytes.count, from > end + 1, Self.isQuote(bytes[from]) else { return nil }
        } else {
            guard bytes[end] == 32 || bytes[end] == 9 else { return nil }
            from = first(from: end) { $0 != 32 && $0 != 9 }
        }
        guard from < bytes.count else { return nil }
        if Self.isQuote(bytes[from]) {
            let quote = bytes[from]
            return from + 1..<first(from: from + 1) { $0 == quote }
        }
        guard !has("--", at: from) else { return nil }
        let word = from..<first(from: from) { $0 <= 32 || Self.isQuote($0) }
        return Self.tellsNothing(Self.text(bytes[word])) ? nil : word
    }

    /// The password of `-u user:password`, `--user` and `--proxy-user`.
    private func credentials(_ name: Range<Int>) -> Range<Int>? {
        var from = name.upperBound
        if bytes[name.lowerBound] == UInt8(ascii: "u"), bytes[name.lowerBound - 1] == Self.hyphen,
            name.lowerBound < 2 || bytes[name.lowerBound - 2] != Self.hyphen
        {
            // `-uname:password` too.
            from = name.lowerBound + 1
        } else {
            guard ["user", "proxy-user", "U"].contains(Self.text(bytes[name])) else { return nil }
        }
        from = first(from: from) { $0 != 32 && $0 != 9 && $0 != UInt8(ascii: "=") }
        guard from < bytes.count else { return nil }
        let quote = Self.isQuote(bytes[from]) ? bytes[from] : nil
        if quote != nil { from += 1 }
        let end = first(from: from) { byte in
            quote.map { byte == $0 } ?? (byte <= 32 || Self.isQuote(byte))
        }
        guard let colon = bytes[from..<end].firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return colon + 1..<end
    }

    /// Finds what is between the lines of `-----BEGIN PRIVATE KEY-----`; returns the index after it.
    private mutating func findPrivateKey(at start: Int) -> Int {
        let label = start + 11
        let dashes = first(from: min(label, bytes.count)) { $0 == Self.hyphen || $0 < 32 }
        guard dashes - label <= Self.longestName, has("-----", at: dashes) else { return label }
        let words = Self.text(bytes[label..<dashes])
        guard words.hasSuffix("PRIVATE KEY") || words.hasSuffix("PRIVATE KEY BLOCK") else {
            return dashes
        }
        var end = dashes + 5
        while end < bytes.count, !has("-----end ", at: end) { end += 1 }
        add(dashes + 5..<end)
        return end
    }

    /// Finds `<password>x</password>`, with or without attributes.
    mutating func findElements() {
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            let start = index + 1
            let end = first(from: min(start, bytes.count)) {
                !Self.isOfName($0) && $0 != 0x3A && $0 != 0x2E
            }
            index = max(end, start)
            guard start < end, end < bytes.count, end - start <= Self.longestName else { continue }
            let close = first(from: end) { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
            guard close < bytes.count, bytes[close] == UInt8(ascii: ">"),
                close == end || bytes[end] <= 32, bytes[close - 1] != UInt8(ascii: "/")
            else { continue }
            // `wsse:Password`
            let colon = bytes[start..<end].lastIndex(of: 0x3A).map { $0 + 1 } ?? start
            guard names.matches(Self.text(bytes[colon..<end])) else { continue }
            let value = content(from: close + 1)
            add(value)
            index = max(index, value.upperBound)
        }
    }

    /// The text of an element, which ends before a tag that closes one.
    private func content(from start: Int) -> Range<Int> {
        if has("<![cdata[", at: start) {
            var end = start + 9
            while end < bytes.count, !has("]]>", at: end) { end += 1 }
            return start + 9..<end
        }
        let end = first(from: start) { $0 == UInt8(ascii: "<") }
        let isText = end == bytes.count ? !isWhole : has("</", at: end)
        guard isText, !Self.tellsNothing(Self.text(bytes[start..<end])) else {
            return start..<start
        }
        return start..<end
    }

    /// The word after a name and a colon: `password:x`; after a space only one that is built like a password, since
    /// sentences go on so: `token: expired`.
    func word(after colon: Int) -> Range<Int>? {
        var start = colon
        while start > 0, colon - start <= Self.longestName, Self.isOfName(bytes[start - 1]) {
            start -= 1
        }
        guard start < colon, start == 0 || Self.precedesWord(bytes[start - 1]),
            !(colon - start == 3 && has("key", at: start))
        else { return nil }
        let from = first(from: colon + 1) { $0 != 32 && $0 != 9 }
        guard from < bytes.count, bytes[from] > 32, !":\"'[{(<".utf8.contains(bytes[from]),
            !has("//", at: from)
        else { return nil }
        let isBeside = from == colon + 1
        let value: SecretNames.Value = (48...57).contains(bytes[from]) ? .number : .other
        guard names.matches(Self.text(bytes[start..<colon]), value: value) else { return nil }
        let end = first(from: from) { $0 <= 32 || ",;)]}\"'<>&".utf8.contains($0) }
        guard end - from <= Self.longestWord else { return from..<end }
        let text = Self.text(bytes[from..<end])
        // `login(password:token:)` names parameters.
        guard from < end, bytes[end - 1] != 0x3A, !Self.tellsNothing(text),
            isBeside || Self.isBuilt(text)
        else { return nil }
        return from..<end
    }

    /// Returns true for a word with a digit or a sign in it that no sentence has there.
    private static func isBuilt(_ text: String) -> Bool {
        var bytes = text.utf8[...]
        while let last = bytes.last, ".!?:".utf8.contains(last) { bytes.removeLast() }
        return bytes.count >= 4
            && bytes.contains { (48...57).contains($0) || "!@#$%^*_+=~|".utf8.contains($0) }
    }

    private static func tellsNothing(_ text: String) -> Bool {
        ["true", "false", "nil", "null", "none", ""].contains(
            text.trimmingEnds.lowercased()) || text.hasPrefix("<masked>")
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: byte == hyphen || byte == UInt8(ascii: "_")
        }
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private static func precedesWord(_ byte: UInt8) -> Bool {
        byte <= 32 || "\"'({[,;<>&|`".utf8.contains(byte)
    }

    /// A longer word after a label is a secret without a look at it.
    private static let longestWord = 256
    private static let hyphen = UInt8(ascii: "-")
}

extension String {
    fileprivate var trimmingEnds: Substring {
        var text = self[...]
        while let last = text.last, last.isWhitespace || ".,!?".contains(last) { text.removeLast() }
        return text.drop { $0.isWhitespace }
    }
}
#endif
