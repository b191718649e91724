import TelltaleProtocol

extension SessionWords {
    struct Description {
        var syntax: String
        var summary: String
        var detail: [String] = []
        var example: String

        var name: String { String(syntax.prefix { $0 != " " }) }
    }

    /// The words of the session alone; help and completion are made of it.
    static let table: [Description] = [
        Description(
            syntax: "history [N]", summary: "the lines that were typed, or the last N of them",
            detail: [
                "!12 runs the twelfth again, !! the last one, !word the last that begins so.",
                "Ctrl-R searches.",
            ], example: "history 20"),
        Description(
            syntax: "alias [NAME = LINE]",
            summary: "a word of your own for a line; alone it lists them",
            detail: ["Those of each session stand in ~/.config/telltale/rc."],
            example: "alias items = get photos.items.count"),
        Description(
            syntax: "unalias NAME", summary: "forgets such a word", example: "unalias items"),
        Description(
            syntax: "clear", summary: "clears the screen, as Ctrl-L does", example: "clear"),
    ]

    /// The text below the list of the agent's commands.
    static var overview: [String] {
        let width = table.reduce(0) { max($0, $1.syntax.count) }
        return ["", "Of the session alone:"]
            + table.map { word in
                word.syntax.filled(to: width + 2) + word.summary
            }
            + ["COMMAND | PROGRAM, COMMAND > ./FILE, COMMAND; COMMAND, --json behind a command"]
    }

    /// An answer as the session shows it: the list of commands has the session's own below it.
    static func completed(_ outcome: CommandOutcome, of request: Request) -> CommandOutcome {
        guard case .answer(let answer) = outcome, var help = answer as? HelpAnswer,
            case nil = request.parameters["command"]
        else { return outcome }
        help.lines += overview
        return .answer(help)
    }

    /// Returns the help for a word of the session; `nil` for another word.
    func help(for name: String) -> [String]? {
        if let meaning = aliases[name] { return ["alias \(name) = \(meaning)"] }
        guard let word = Self.table.first(where: { $0.name == name }) else { return nil }
        return [word.syntax, "  \(word.summary)"] + word.detail.map { "  \($0)" }
            + ["", "for example:", "  \(word.example)"]
    }
}
