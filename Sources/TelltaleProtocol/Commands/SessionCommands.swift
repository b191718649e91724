#if TELLTALE_COMPILED
// The commands of a session.
extension CommandDescription {
    static let help = CommandDescription(
        "help", aliases: ["?"], syntax: "help [COMMAND]",
        summary: "the commands, or one of them",
        detail: "With a command: all that it takes, and an example.", example: "help show"
    ) { (arguments) throws(CommandFailure) in
        let command = arguments.optionalWord()
        try arguments.end()
        return HelpParameters(command: command)
    }

    static let quit = CommandDescription(
        "quit", aliases: ["exit"], syntax: "quit", summary: "end the session",
        detail: "Nothing changes in the service.", example: "quit")
}
#endif
