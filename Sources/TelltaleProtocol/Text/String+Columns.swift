#if TELLTALE_COMPILED
extension StringProtocol {
    /// The number of terminal columns of the text.
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The same, where the text may have escape sequences for colour, which take none.
    package var columnsWithoutColor: Int {
        var isInSequence = false
        return reduce(0) { sum, character in
            if character == "\u{1B}" { isInSequence = true }
            defer { if character == "m" { isInSequence = false } }
            return isInSequence ? sum : sum + character.columns
        }
    }

    /// The text with spaces behind it, up to a number of columns.
    package func filled(to columns: Int) -> String {
        String(self) + String(repeating: " ", count: Swift.max(0, columns - self.columns))
    }

    /// The text cut to a number of columns, with `…` as its last where something was cut. A limit
    /// below 1 is taken as 1.
    package func clipped(to limit: Int) -> String {
        guard columns > limit else { return String(self) }
        var clipped = ""
        var used = 1
        for character in self {
            used += character.columns
            if used > limit { break }
            clipped.append(character)
        }
        return clipped + "…"
    }

    /// The text cut to a number of columns at its start, with `…` as its first where something was
    /// cut. A limit below 1 is taken as 1.
    package func clippedAtStart(to limit: Int) -> String {
        guard columns > limit else { return String(self) }
        var used = 1
        let end = reversed().prefix { character in
            used += character.columns
            return used <= limit
        }
        return "…" + String(end.reversed())
    }
}

extension Character {
    /// The number of columns of the character: 2 for East Asian wide ones and emoji, 0 for marks.
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.value {
        case 0..<0x300: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: break
        }
        if first.properties.isEmojiPresentation { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}
#endif
