#if TELLTALE_COMPILED
extension CommandFailure {
    /// The failure as text: `error: ` and the sentence, and the hint on lines of its own.
    ///
    /// - Parameter style: The colour to use, and the width at which sentences are broken.
    /// - Returns: The text, without a newline at its end.
    public func rendered(_ style: TextStyle = .init()) -> String {
        // A host's own error may have lines; indented, none of them can pass for another message.
        var lines = Self.lines(of: message)
        lines[0] = "error: " + lines[0]
        lines += hint.map(Self.lines) ?? []
        // Escaped before it is measured; the colour comes last, and takes no room.
        lines = lines.map(TerminalEscape.line)
        if let width = style.width {
            lines = lines.flatMap { $0.wrapped(to: max(2, width) - 2) }
        }
        lines[0] = TerminalEscape.line(style.painted("error:", .red)) + lines[0].dropFirst(6)
        return lines.joined(separator: "\n  ")
    }

    // Never empty.
    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
#endif
