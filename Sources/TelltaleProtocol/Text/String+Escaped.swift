#if TELLTALE_COMPILED
extension StringProtocol {
    /// The text with every control character as its Swift escape, so that nothing that a host
    /// named or stored reaches a terminal or a log raw. Always one line.
    package var escaped: String {
        guard unicodeScalars.contains(where: \.steersTerminal) else { return String(self) }
        return TerminalEscape.text(self)
    }

    /// At most `limit` code points of the beginning of the text, escaped; what a sentence repeats
    /// of a request may be a megabyte.
    package func escaped(limit: Int) -> String {
        var start = String.UnicodeScalarView()
        start.append(contentsOf: unicodeScalars.prefix(limit))
        return String(start).escaped
    }
}

extension Unicode.Scalar {
    /// Whether the scalar would steer a terminal or a reader's eye instead of being seen.
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

    /// Whether the scalar can stand beside the joiner of an emoji: `👩‍👩‍👧`, `❤️‍🔥`.
    var isEmojiPart: Bool { value > 0xFF && properties.isEmoji }
}
#endif
