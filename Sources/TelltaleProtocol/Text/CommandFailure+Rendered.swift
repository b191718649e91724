#if TELLTALE_COMPILED
extension CommandFailure {
    /// The failure as text: `error: ` and the sentence, and the hint on lines of its own.
    ///
    /// - Parameter style: The colour to use.
    /// - Returns: The text, without a newline at its end.
    public func rendered(_ style: TextStyle = .init()) -> String {
        // A host's own error may have lines; indented, none of them can pass for another message.
        var lines = Self.lines(of: message)
        lines[0] = style.painted("error:", .red) + " " + lines[0]
        lines += hint.map(Self.lines) ?? []
        return lines.map(TerminalEscape.line).joined(separator: "\n  ")
    }

    // Never empty.
    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
#endif
