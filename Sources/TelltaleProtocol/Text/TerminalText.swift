#if TELLTALE_COMPILED
/// Text that may be written to a terminal or a pipe: nothing in it that others wrote can steer either.
///
/// Only the escaper makes one, so a function that takes only this type gets nothing unsafe.
package struct TerminalText: Sendable, Equatable {
    /// The text, with its line ends.
    package private(set) var text: String

    private init(text: String) { self.text = text }

    /// An answer, with a line's end; empty where it has no lines.
    package init(_ answer: any CommandAnswer, _ style: TextStyle) {
        let text = answer.rendered(style)
        self.init(text: text.isEmpty || text.hasSuffix("\n") ? text : text + "\n")
    }

    /// A failure, with a line's end.
    package init(_ failure: CommandFailure, _ style: TextStyle) {
        self.init(text: failure.rendered(style) + "\n")
    }

    /// Untrusted lines; each becomes one line that ends with a newline.
    package init(lines: [String]) {
        self.init(text: lines.map { TerminalEscape.line($0) + "\n" }.joined())
    }

    /// A table, with a line's end behind each row.
    package init(table: TextTable, _ style: TextStyle) {
        self.init(lines: table.rendered(style))
    }

    /// One untrusted line, without a line end.
    package init(line: String) { self.init(text: TerminalEscape.line(line)) }

    /// A JSON document on one line, without a line end; scalars that a terminal would obey are
    /// `\u…`.
    package init(json: JSONValue) { self.init(text: json.serialized()) }

    /// A text of the program's own source.
    package init(own text: StaticString) { self.init(text: text.description) }

    package static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        TerminalText(text: left.text + right.text)
    }

    package var isEmpty: Bool { text.isEmpty }
}
#endif
