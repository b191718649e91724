#if TELLTALE_AGENT
import TelltaleProtocol

/// The kinds of bytes in a text.
struct TextScan {
    /// True if all bytes are visible ASCII, without `"` and `\`: the same in JSON, in quotes and unquoted.
    let isSimple: Bool
    /// True if the text contains `=` or `%`.
    private let hasMark: Bool
    private let hasColon: Bool
    private let hasAt: Bool
    private let hasBracket: Bool
    private let hasHyphen: Bool
    private let text: UnsafeRawBufferPointer

    // Without branches, so that the compiler makes a loop over many bytes at a time.
    @inline(__always)
    init(_ text: UnsafeRawBufferPointer) {
        var (special, mark, colon, at) = (UInt8(0), UInt8(0), UInt8(0), UInt8(0))
        var (bracket, hyphen) = (UInt8(0), UInt8(0))
        if let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) {
            for index in 0..<text.count {
                let byte = start[index]
                special |= byte &- 0x20 > 0x5E ? 1 : 0
                special |= (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
                mark |= (byte == 0x3D ? 1 : 0) | (byte == 0x25 ? 1 : 0)
                colon |= byte == 0x3A ? 1 : 0
                at |= byte == 0x40 ? 1 : 0
                bracket |= byte == 0x3C ? 1 : 0
                hyphen |= byte == 0x2D ? 1 : 0
            }
        }
        (isSimple, hasMark, hasColon, hasAt) = (special == 0, mark != 0, colon != 0, at != 0)
        (hasBracket, hasHyphen) = (bracket != 0, hyphen != 0)
        self.text = text
    }

    /// True if the text is UTF-8 in which nothing needs an escape, neither in quotes nor on a terminal.
    var isShownAsItIs: Bool {
        if isSimple { return true }
        guard let text = String(validating: text, as: UTF8.self) else { return false }
        return !text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" || $0.steersTerminal }
    }

    /// The JSON of a text without quotes.
    static func json(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        let json = JSONValue.string(String(decoding: text, as: UTF8.self)).serializedBytes()
        return Array(json.dropFirst().dropLast())
    }

    // MARK: Secrets

    /// True if `SecretURL.masking` must be called to find secrets in the text; false only if it would find
    /// none.
    ///
    /// Without `@`, `=`, `%`, `<` and an option's hyphen a secret can only follow a colon: in JSON after a quote; after a name; and between `//` and a path, if the colon is not a scheme's.
    var mayHoldSecret: Bool {
        if hasBracket || hasHyphen && mayBeOption { return true }
        guard hasMark || hasColon else { return false }
        // A single quote stands around names and values too: `'token':'x'`.
        if !isSimple || hasAt || hasMark || text.contains(0x27) { return true }
        let hasSlashes = zip(text, text.dropFirst()).contains { $0 == 0x2F && $1 == 0x2F }
        for (index, byte) in text.enumerated() where byte == 0x3A {
            let isScheme = text.dropFirst(index + 1).starts(with: [0x2F, 0x2F])
            if !isScheme, !isPort(index),
                hasSlashes || mayBeHeader(text.prefix(index)) || mayBeNamed(index)
            {
                return true
            }
        }
        return false
    }

    // A hyphen of an option, or of the line before a key, begins a word.
    private var mayBeOption: Bool {
        for index in 0..<text.count where text[index] == 0x2D {
            guard index + 1 < text.count, text[index + 1] > 32 else { continue }
            if index == 0 || !Self.isOfName(text[index - 1]) { return true }
        }
        return false
    }

    // The name of a header that matters on one line has a hyphen, or is `authorization` or `cookie`.
    private func mayBeHeader(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = name.first, name.allSatisfy(Self.isOfName) else { return false }
        return name.contains(0x2D) || first | 0x20 == 0x61 || first | 0x20 == 0x63
    }

    /// Returns whether the text before a colon ends with a name, which has a letter. After a space a word without
    /// a digit or a sign is none of a secret.
    private func mayBeNamed(_ colon: Int) -> Bool {
        let rest = text.dropFirst(colon + 1)
        if rest.first == 0x20 {
            let word = rest.drop { $0 == 0x20 }.prefix { $0 > 0x20 }
            guard word.contains(where: { $0 < 0x41 || !Self.isOfName($0) }) else { return false }
        }
        for byte in text.prefix(colon).reversed() {
            guard Self.isOfName(byte) else { return false }
            if byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A { return true }
        }
        return false
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte <= 32 || [0x2F, 0x3F, 0x23, 0x22, 0x3C, 0x3E, 0x60].contains(byte)
    }

    /// Returns whether a colon is between a host and its port: `//127.0.0.1:8000/`.
    private func isPort(_ colon: Int) -> Bool {
        let before = text.prefix(colon)
        guard let start = before.lastIndex(where: { $0 == 0x3A || Self.endsAuthority($0) }),
            start > 0, text[start] == 0x2F, text[start - 1] == 0x2F,
            // Behind a sign a name may begin: `//,Cookie:80`.
            before.dropFirst(start + 1).allSatisfy({ Self.isOfName($0) || $0 == 0x2E })
        else { return false }
        let after = text.dropFirst(colon + 1).drop { $0 >= 0x30 && $0 <= 0x39 }
        return after.first.map(Self.endsAuthority) ?? true
    }
}
#endif
