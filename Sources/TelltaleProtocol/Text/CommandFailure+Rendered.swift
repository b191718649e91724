#if TELLTALE_COMPILED
    extension CommandFailure {
        /// The failure as text: `error: ` and the sentence, and the hint on lines of its own.
        ///
        /// - Parameter style: The colour to use.
        /// - Returns: The text, without a newline at its end.
        public func rendered(_ style: TextStyle = .init()) -> String {
            // A host's own error may have lines; indented, none of them can pass for another message.
            let sentence = Self.safeLines(message).joined(separator: "\n  ")
            var text = style.painted("error:", .red) + " " + sentence
            for line in hint.map(Self.safeLines) ?? [] { text += "\n  " + line }
            return text
        }

        private static func safeLines(_ text: String) -> [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map(\.terminalSafe)
        }
    }
#endif
