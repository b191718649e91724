#if TELLTALE_COMPILED
/// The only escaper of text that could steer a terminal: of a host, of another user's process, of a
/// file's name.
///
/// Renderers escape each text of others where they put it into a line, so that columns are counted
/// as they are shown; every line passes here once more as the last thing before it is written, so
/// that one that was forgotten does no harm. Only the style's own marks become escape sequences.
enum TerminalEscape {
    /// A text with Swift's escapes for scalars that must not reach a terminal; always one line.
    /// `special` has the escapes of further scalars.
    static func text(
        _ text: some StringProtocol, special: (Unicode.Scalar) -> String? = { _ in nil }
    ) -> String {
        var out = ""
        let scalars = text.unicodeScalars
        var before: Unicode.Scalar?
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            scalars.formIndex(after: &index)
            if let escape = special(scalar) {
                out += escape
            } else if scalar.steersTerminal {
                let joins =
                    scalar == joiner && before?.isEmojiPart == true
                    && index < scalars.endIndex && scalars[index].isEmojiPart
                out += joins ? String(Character(scalar)) : escape(of: scalar)
            } else {
                out.unicodeScalars.append(scalar)
            }
            // A selector or a skin tone may be between an emoji and its joiner.
            switch scalar.value {
            case 0xFE0F, 0x1F3FB...0x1F3FF: break
            default: before = scalar
            }
        }
        return out
    }

    /// A rendered line as it is written: marks of the style as escape sequences, and all else as
    /// ``text(_:special:)`` has it.
    static func line(_ line: String) -> String {
        guard line.maySteerTerminal, line.unicodeScalars.contains(where: \.steersTerminal) else {
            return line
        }
        var out = ""
        var rest = line[...]
        while let mark = rest.firstRange(of: PaintMark.opening) {
            out += text(rest[..<mark.lowerBound])
            let after = rest[mark.upperBound...]
            let code = after.prefix { $0 != "m" }
            if TextStyle.Paint(rawValue: String(code)) != nil || code == PaintMark.end,
                code.endIndex < after.endIndex
            {
                out += "\u{1B}[\(code)m"
                rest = after[after.index(after: code.endIndex)...]
            } else {
                out += text(PaintMark.opening)
                rest = after
            }
        }
        return out + text(rest)
    }

    private static let joiner: Unicode.Scalar = "\u{200D}"

    private static func escape(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0": "\\0"
        default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }
}

/// The marker with which a renderer marks painted text, until the line is written.
///
/// No other process can forge one: it contains a number that is drawn at the process's start.
enum PaintMark {
    // Digits alone: a letter would end the sequence for a program that counts columns.
    static let opening = "\u{1B}[\(UInt64.random(in: .min ... .max));"
    /// The code that ends painted text.
    static let end = "0"
}

extension StringProtocol {
    /// False if it is seen at once that nothing in the text can steer a terminal: most texts are ASCII.
    fileprivate var maySteerTerminal: Bool {
        let isSeen = utf8.withContiguousStorageIfAvailable {
            ByteScan.isSeen(UnsafeRawBufferPointer($0))
        }
        return isSeen != true
    }

    /// Returns whether the text evidently needs no escape between quotes of a kind: visible ASCII
    /// without such a quote, `"` or a backslash.
    func isPlain(between quote: Unicode.Scalar) -> Bool {
        guard quote.isASCII else { return false }
        let isPlain = utf8.withContiguousStorageIfAvailable { text in
            let bytes = UnsafeRawBufferPointer(text)
            return ByteScan.endOfPlain(in: bytes, from: 0, asciiOnly: true) == bytes.count
                && (quote == "\""
                    || ByteScan.firstIndex(of: UInt8(ascii: quote), in: bytes, from: 0) == nil)
        }
        return isPlain ?? false
    }

    /// The text with every control character as its Swift escape, so that nothing that a host
    /// named or stored reaches a terminal or a log raw. Always one line.
    package var escaped: String {
        guard maySteerTerminal, unicodeScalars.contains(where: \.steersTerminal) else {
            return String(self)
        }
        return TerminalEscape.text(self)
    }

    /// At most `limit` code points of the beginning of the text, escaped; a request repeated in a
    /// sentence may be a megabyte.
    package func escaped(limit: Int) -> String {
        // No more code points than bytes: 50,000 names of tasks are escaped for each probe.
        if utf8.count <= limit { return escaped }
        var start = String.UnicodeScalarView()
        start.append(contentsOf: unicodeScalars.prefix(limit))
        return String(start).escaped
    }
}

extension Unicode.Scalar {
    /// Indicates that the scalar would control a terminal, or mislead a reader's eye, instead of
    /// being visible.
    ///
    /// Control characters, among them C1 with its one-byte CSI; line and paragraph separators,
    /// which end a line for many readers of logs; the marks and overrides of bidirectional text,
    /// which reorder what stands beside them ("Trojan Source"); invisible spaces and joiners, and
    /// the tags, which are invisible copies of ASCII. Between two emoji ``TerminalEscape`` lets the
    /// joiner stand.
    package var steersTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }

    /// Indicates that the scalar can stand beside the joiner of an emoji: `👩‍👩‍👧`, `❤️‍🔥`.
    var isEmojiPart: Bool { value > 0xFF && properties.isEmoji }
}
#endif
