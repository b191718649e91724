package import TelltaleClient
package import TelltaleProtocol

/// The request that the words of the command line stand for.
package enum Invocation: Equatable {
    /// Nothing: the agents are listed.
    case list
    /// One command, as the words that the shell made of it.
    case command(Target?, [String])
    /// The commands on standard input.
    case script(Target?)
    /// A session at the terminal, or a script where there is no terminal.
    case session(Target)
    /// `wait`: until an agent can be reached, for so long.
    case wait(Target?, Duration)
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
        } else if first == Self.wait {
            self = try Self.waiting(Array(words.dropFirst()))
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

    /// A word of the client's: no agent is asked for it.
    static let wait = "wait"
    private static let usualWait = Duration.seconds(30)

    /// `wait [NAME] [--for 30s]`
    private static func waiting(_ words: [String]) throws(CommandFailure) -> Invocation {
        var rest = words[...]
        var target: Target?
        var time = usualWait
        while let word = rest.popFirst() {
            if word == "--for" || word.hasPrefix("--for=") {
                let text =
                    word == "--for" ? rest.popFirst() ?? "" : String(word.dropFirst("--for=".count))
                guard let duration = Options.duration(text) else {
                    throw CommandFailure(
                        .usage, "'\(text)' is not a time between 1ms and 1h",
                        hint: "for example `telltale wait photo-manager --for 30s`")
                }
                time = duration
            } else if target == nil, !word.hasPrefix("-") {
                target = try Target(parsing: word)
            } else {
                throw CommandFailure(
                    .usage, "unexpected argument '\(word)'",
                    hint: "telltale wait [TARGET] [--for 30s]")
            }
        }
        return .wait(target, time)
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
