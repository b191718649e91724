#if TELLTALE_COMPILED
/// Removes the secrets of a URL from a text: the password before the host, and the parameters that
/// are named like secrets; also members of JSON, lines of headers, options of a command line, elements of
/// XML and labels that are, and private keys in PEM.
///
/// Works on any text, since a message or a connection string may contain a URL as well; if one is
/// cut off in the middle, its end is taken for the secret.
package struct SecretURL {
    package static let mask = "<masked>"

    /// A longer name of a parameter is taken for a secret's.
    static let longestName = 128
    /// The maximum distance of the `@` after a password that contains a slash.
    private static let longestPassword = 1024

    let bytes: [UInt8]
    let isWhole: Bool
    let names: SecretNames
    private var secrets: [Range<Int>] = []

    /// A text without the secrets of the URLs in it.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - isWhole: Whether none of it was cut off at its end.
    ///   - names: What is a secret.
    /// - Returns: The text with `<masked>` in the place of each; nil if it holds none.
    /// - Complexity: Linear in the length of the text.
    package static func masking(
        _ text: String, isWhole: Bool = true, names: SecretNames = .standard
    ) -> String? {
        var text = text
        let marks = text.withUTF8 { Self.marks(of: UnsafeRawBufferPointer($0)) }
        guard !marks.isEmpty else { return nil }
        var scan = SecretURL(bytes: Array(text.utf8), isWhole: isWhole, names: names)
        if marks.contains(.value) {
            scan.findPasswords()
            scan.findParameters()
            scan.findMembers()
        }
        if marks.contains(.hyphen) { scan.findOptions() }
        if marks.contains(.bracket) { scan.findElements() }
        return scan.masked
    }

    /// The signs by which a secret is known that a text has.
    private struct Marks: OptionSet {
        let rawValue: UInt8
        /// A `=`, a `:` or a `%`.
        static let value = Marks(rawValue: 1)
        static let hyphen = Marks(rawValue: 2)
        static let bracket = Marks(rawValue: 4)
    }

    /// The marks of a text, eight bytes at a time: most texts of a host have none.
    private static func marks(of bytes: UnsafeRawBufferPointer) -> Marks {
        var offset = 0
        var found: (UInt64, UInt64, UInt64) = (0, 0, 0)
        while offset + 8 <= bytes.count {
            mark(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), &found)
            offset += 8
        }
        // As one more word: a closure for each byte took a name of a task longer than all else, in debug.
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        mark(rest, &found)
        var marks: Marks = found.0 != 0 ? .value : []
        if found.1 != 0 { marks.insert(.hyphen) }
        if found.2 != 0 { marks.insert(.bracket) }
        return marks
    }

    /// Notes the marks among eight bytes.
    private static func mark(_ word: UInt64, _ found: inout (UInt64, UInt64, UInt64)) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A byte of the difference that is zero borrows from its highest bit.
        let equals = word ^ (ones &* 0x3D)
        let colons = word ^ (ones &* 0x3A)
        let percents = word ^ (ones &* 0x25)
        let hyphens = word ^ (ones &* 0x2D)
        let brackets = word ^ (ones &* 0x3C)
        let high = ones &* 0x80
        found.0 |=
            ((equals &- ones) & ~equals | (colons &- ones) & ~colons | (percents &- ones)
                & ~percents)
            & high
        found.1 |= (hyphens &- ones) & ~hyphens & high
        found.2 |= (brackets &- ones) & ~brackets & high
    }

    private init(bytes: [UInt8], isWhole: Bool, names: SecretNames) {
        self.bytes = bytes
        self.isWhole = isWhole
        self.names = names
    }

    private var masked: String? {
        guard !secrets.isEmpty else { return nil }
        var out: [UInt8] = []
        var end = 0
        for secret in secrets.sorted(by: { $0.lowerBound < $1.lowerBound })
        where secret.upperBound > end {
            // Two can overlap: a password with a `=` in it.
            if secret.lowerBound >= end {
                out += bytes[end..<secret.lowerBound]
                out += Self.mask.utf8
            }
            end = secret.upperBound
        }
        out += bytes[end...]
        return String(decoding: out, as: UTF8.self)
    }

    mutating func add(_ range: Range<Int>) {
        if !range.isEmpty { secrets.append(range) }
    }

    func first(from start: Int, where isWanted: (UInt8) -> Bool) -> Int {
        bytes[start...].firstIndex(where: isWanted) ?? bytes.count
    }

    // MARK: Before the host

    private mutating func findPasswords() {
        var index = 0
        while index + 1 < bytes.count {
            if let length = authorityMark(at: index) {
                index += length
                findPassword(in: index)
            } else if let length = encodedMark(at: index) {
                index += length
                findEncodedPassword(in: index)
            } else {
                findDriverPassword(at: index)
                index += 1
            }
        }
    }

    /// The length of the mark before an authority: `://`, in JSON also `:\/\/`, or `//` at the
    /// start of a word.
    private func authorityMark(at index: Int) -> Int? {
        switch bytes[index] {
        case UInt8(ascii: ":"):
            if has("://", at: index) { return 3 }
            return has(#":\/\/"#, at: index) ? 5 : nil
        case UInt8(ascii: "/"):
            guard has("//", at: index), index == 0 || Self.beginsWord(after: bytes[index - 1])
            else { return nil }
            // `// a comment: of some code`
            return index + 2 < bytes.count && bytes[index + 2] > 32 ? 2 : nil
        default: return nil
        }
    }

    private static func beginsWord(after byte: UInt8) -> Bool {
        byte <= 32 || "\"'<(=,".utf8.contains(byte)
    }

    private func encodedMark(at index: Int) -> Int? {
        bytes[index] == UInt8(ascii: "%") && has("%3a%2f%2f", at: index) ? 9 : nil
    }

    /// Returns whether a lower-case text is at an index, ignoring case.
    func has(_ text: StaticString, at index: Int) -> Bool {
        guard index >= 0, index + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy {
                let byte = bytes[index + $0]
                return (65...90).contains(byte)
                    ? byte | 0x20 == wanted[$0] : byte == wanted[$0]
            }
        }
    }

    /// In a URL that is the parameter of another: `next=https%3A%2F%2Fu%3Ap%40h`.
    private mutating func findEncodedPassword(in start: Int) {
        var end = start
        var colon: Int?
        var at: Int?
        while end < bytes.count, !"/?#&".utf8.contains(bytes[end]), !Self.endsURL(bytes[end]),
            !has("%2f", at: end), !has("%3f", at: end), !has("%23", at: end),
            !has("%26", at: end)
        {
            if colon == nil, has("%3a", at: end) { colon = end + 3 }
            if has("%40", at: end) || bytes[end] == UInt8(ascii: "@") { at = end }
            end += 1
        }
        let isCut = end == bytes.count && !isWhole
        guard let colon, let stop = isCut ? end : at, colon < stop else { return }
        add(colon..<stop)
    }

    /// Before the address of a database as some drivers want it: `user:password@tcp(host:3306)/name`.
    private mutating func findDriverPassword(at index: Int) {
        guard bytes[index] == UInt8(ascii: "@"),
            has("@tcp(", at: index) || has("@unix(", at: index)
        else { return }
        var start = index
        while start > 0, index - start < Self.longestPassword,
            !Self.endsURL(bytes[start - 1]), bytes[start - 1] != UInt8(ascii: "/")
        {
            start -= 1
        }
        guard let colon = bytes[start..<index].firstIndex(of: UInt8(ascii: ":")) else { return }
        add(colon + 1..<index)
    }

    private mutating func findPassword(in start: Int) {
        let end = first(from: start) { "/?#".utf8.contains($0) || Self.endsURL($0) }
        let authority = start..<end
        if let at = bytes[authority].lastIndex(of: UInt8(ascii: "@")) {
            if let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":")) {
                add(colon + 1..<at)
            } else if SecretLooks.isSecret(Self.text(bytes[start..<at])) {
                // https://TOKEN@host
                add(start..<at)
            }
            return
        }
        // The text after the host's colon is a port, unless a password contains a slash.
        guard bytes.indices.contains(start), bytes[start] != UInt8(ascii: "["),
            let colon = bytes[authority].firstIndex(of: UInt8(ascii: ":"))
        else { return }
        let port = bytes[colon + 1..<end]
        let isCut = end == bytes.count && !isWhole
        if port.allSatisfy({ (48...57).contains($0) }), !isCut { return }
        let farthest = min(bytes.count, max(end, colon + 1 + Self.longestPassword))
        let stop =
            bytes[colon + 1..<farthest].firstIndex {
                $0 == UInt8(ascii: "@") || Self.endsURL($0)
            } ?? farthest
        let isAt = stop < bytes.count && bytes[stop] == UInt8(ascii: "@")
        let isCutHere = stop == bytes.count && !isWhole
        add(colon + 1..<(isAt || isCutHere ? stop : end))
    }

    static func endsURL(_ byte: UInt8) -> Bool {
        byte <= 32 || "\"<>`".utf8.contains(byte)
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
#endif
