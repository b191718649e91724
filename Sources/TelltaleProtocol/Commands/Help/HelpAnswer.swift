#if TELLTALE_COMPILED
/// What `help` answers.
public struct HelpAnswer: CommandAnswer {
    package static let kind = "help"

    /// The text, one element a line.
    public var lines: [String]

    package init(lines: [String]) { self.lines = lines }

    package func lines(_ style: TextStyle) -> [String] { lines }
}
#endif
