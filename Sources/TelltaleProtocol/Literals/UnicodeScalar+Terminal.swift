extension Unicode.Scalar {
    /// Whether a terminal obeys the character instead of showing it, or lets it reorder the line.
    ///
    /// Control characters, DEL, C1 (among them the one-byte CSI), the bidirectional marks,
    /// embeddings, overrides and isolates, and the line and paragraph separators. Other invisible
    /// characters stay: emoji are joined by one.
    package var isUnsafeOnTerminal: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F: true
        case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
