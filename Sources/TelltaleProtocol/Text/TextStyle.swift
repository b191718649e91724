#if TELLTALE_COMPILED
/// The layout of an answer as text: for a terminal, a pipe or a log.
public struct TextStyle: Sendable, Equatable {
    /// Indicates that escape sequences for colour may be written; sparingly even then.
    public var color: Bool
    /// The number of columns; tables and the status line are fitted to it. `nil` cuts nothing.
    ///
    /// Single values are never cut to it, since they were asked for, and trees only in long texts.
    public var width: Int?
    /// The words before a command in the shell, `telltale photo-manager`; `nil` in a session, where a
    /// command is typed alone.
    package var invocation: String?

    /// Makes a style.
    ///
    /// - Parameters:
    ///   - color: Whether escape sequences for colour may be written.
    ///   - width: How many columns there are; nil for no bound.
    public init(color: Bool = false, width: Int? = nil) {
        self.color = color
        self.width = width
    }

    /// Sentences in as many lines as the width needs.
    package func wrapped(_ lines: [String], indent: Int) -> [String] {
        guard let width else { return lines }
        return lines.flatMap { $0.wrapped(to: width, indent: indent) }
    }

    /// Lines that fit are unchanged; others are broken at spaces where the terminal would break
    /// them in the middle of a word, and continue with a small indentation.
    package func fitted(_ lines: [String]) -> [String] {
        guard let width else { return lines }
        return lines.flatMap { line in
            // A byte takes a column at most, so that most lines need not be measured.
            guard line.utf8.count > width, line.columnsWithoutColor > width else { return [line] }
            return line.wrapped(to: width, indent: line.prefix { $0 == " " }.count + 2)
        }
    }

    /// The next commands to type, the first of them as the shell needs it.
    func next(_ commands: [String]) -> String {
        (invocation.map { $0 + " " } ?? "") + commands.joined(separator: " · ")
    }

    enum Paint: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case yellow = "33"
    }

    /// Paints text that is already safe for a terminal, with marks of which ``TerminalEscape``
    /// makes escape sequences.
    func painted(_ text: String, _ paint: Paint?) -> String {
        guard color, let paint, !text.isEmpty else { return text }
        let opening = PaintMark.opening
        return "\(opening)\(paint.rawValue)m\(text)\(opening)\(PaintMark.end)m"
    }
}
#endif
