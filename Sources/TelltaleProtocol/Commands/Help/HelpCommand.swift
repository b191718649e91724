#if TELLTALE_COMPILED
/// `help`: the commands. A client that was started for it alone answers itself.
package enum HelpCommand: Command {
    package struct Parameters: JSONCodable {
        /// The command that help is wanted for; nil for all.
        package var command: String?
    }

    package typealias Answer = HelpAnswer

    package static let description = CommandDescription(
        "help [COMMAND]", "the commands, or one of them",
        detail: "With a command: all that it takes, and an example.", example: "help show",
        aliases: ["?"], completes: .command)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters { Parameters(command: arguments.optionalWord()) }
}

/// The answer to `help`.
public struct HelpAnswer: CommandAnswer {
    package static let kind = "help"

    /// The text, one element a line.
    public var lines: [String]

    package init(lines: [String]) { self.lines = lines }

    package func lines(_ style: TextStyle) -> [String] {
        HelpText.laidOut(HelpText.joined(lines, style), style)
    }
}
#endif
