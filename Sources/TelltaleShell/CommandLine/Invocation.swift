package import TelltaleClient
package import TelltaleProtocol

/// What the words of the command line ask for.
package enum Invocation: Equatable {
    /// Nothing: the agents are listed.
    case list
    /// One command, as the words that the shell made of it.
    case command(Target?, [String])
    /// The commands on standard input.
    case script(Target?)
    /// A session at the terminal, or a script where there is no terminal.
    case session(Target)
    /// `help`, which needs no agent.
    case help(String?)

    /// Tells a target from a command: a word that is a command is one, and the target is left out.
    package init(words: [String], isCommand: (String) -> Bool) throws(CommandFailure) {
        guard let first = words.first else {
            self = .list
            return
        }
        if first == "-" {
            try Self.refuseMore(words.dropFirst(), after: "-")
            self = .script(nil)
        } else if CommandTable.command(named: first) == HelpCommand.self {
            try Self.refuseMore(words.dropFirst(2), after: HelpCommand.description.syntax)
            self = .help(words.count > 1 ? words[1] : nil)
        } else if isCommand(first) {
            self = .command(nil, words)
        } else {
            let target = try Target(parsing: first)
            if words.count == 1 {
                self = .session(target)
            } else if words[1] == "-" {
                try Self.refuseMore(words.dropFirst(2), after: "-")
                self = .script(target)
            } else {
                self = .command(target, Array(words.dropFirst()))
            }
        }
    }

    private static func refuseMore(
        _ words: ArraySlice<String>, after last: String
    ) throws(CommandFailure) {
        guard let word = words.first else { return }
        throw CommandFailure(
            .usage, "nothing is expected after '\(last)', and there is '\(word)'",
            hint: "`telltale --help` shows what is")
    }
}
