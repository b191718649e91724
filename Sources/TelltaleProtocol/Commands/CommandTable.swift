#if TELLTALE_COMPILED
/// All commands, the same in a shell, in the REPL and over the socket.
package enum CommandTable {
    /// The commands in the order in which an incident needs them: status, hang, contents, change,
    /// undo.
    package static let commands: [any Command.Type] = [
        StatusCommand.self, DoctorCommand.self, StuckCommand.self, AliveCommand.self,
        QueuesCommand.self,
        QueueCommand.self,
        ThreadsCommand.self, StackCommand.self, TasksCommand.self, ActorsCommand.self,
        OperationsCommand.self, GroupsCommand.self, SemaphoresCommand.self, TimersCommand.self,
        ProfileCommand.self, DumpCommand.self, HeapCommand.self, InstancesCommand.self,
        HoldersCommand.self,
        CycleCommand.self, RootsCommand.self, TypesCommand.self, MethodsCommand.self,
        ObjectsCommand.self,
        ShowCommand.self,
        GetCommand.self, SetCommand.self, ActionsCommand.self, CallCommand.self, EvalCommand.self,
        JobsCommand.self,
        ChangesCommand.self,
        UndoCommand.self, RedoCommand.self, BeginCommand.self, CommitCommand.self,
        RollbackCommand.self, SuspendCommand.self, ResumeCommand.self, CancelCommand.self,
        SignalCommand.self, LeaveCommand.self, FireCommand.self,
        WatchCommand.self, LimitsCommand.self, InfoCommand.self, HelpCommand.self, QuitCommand.self,
    ]

    /// The methods of the wire: the commands, and the methods that are never typed.
    package static let methods: [any Command.Type] =
        commands + [HelloCommand.self, CompleteCommand.self]

    /// For the agent, which finds one at each request.
    private static let byName: [String: any Command.Type] = methods.reduce(into: [:]) {
        $0[$1.description.name] = $1
    }

    /// The description of each command, in the same order.
    package static let all: [CommandDescription] = commands.map { $0.description }

    /// The names of the commands, without their other names.
    package static var names: [String] { all.map(\.name) }

    /// The names of those that only look.
    package static var readingNames: [String] {
        all.filter { $0.effect == .reads && !$0.endsSession && !$0.isStreamed }.map(\.name)
    }

    package static func command(named name: String) -> (any Command.Type)? {
        zip(all, commands).first {
            $0.0.name == name || $0.0.aliases.contains { $0 == name }
        }?.1
    }

    /// Returns the command of a method of the wire; an alias is not a method.
    package static func method(named name: String) -> (any Command.Type)? {
        byName[name]
    }

    /// Returns whether a name is not allowed for a service or an object because it would be read as
    /// something else when typed: a command, a pid, an option, a handle or a literal. The empty
    /// name is reserved too.
    package static func isReserved(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return true }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "#"): return true
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return name.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
        default: return reserved.contains(name)
        }
    }

    /// A service asks at each registration.
    private static let reserved: Set<String> = {
        // `wait` is a word of the client's.
        var names: Set<String> = ["nil", "null", "true", "false", "wait"]
        for method in methods { names.insert(method.description.name) }
        for command in all { names.formUnion(command.aliases) }
        return names
    }()

    /// All commands, or one of them with an example; a better one may be known.
    package static func help(
        for name: String?, example: String? = nil
    ) throws(CommandFailure) -> HelpAnswer {
        guard let name else { return HelpAnswer(lines: overview) }
        guard let command = command(named: name)?.description else { throw unknown(name) }
        var lines = [command.syntax, "  \(command.summary)", ""]
        lines += command.detail.split(separator: "\n").map { "  \($0)" }
        if command.effect == .changes { lines.append("  Refused in read-only mode.") }
        lines += ["", "for example:", "  \(example ?? command.example)"]
        return HelpAnswer(lines: lines)
    }

    private static var overview: [String] {
        var lines: [String] = []
        let width = all.reduce(0) { max($0, $1.shortSyntax.columns) }
        for command in all {
            lines.append("\(command.shortSyntax.filled(to: width))  \(command.summary)")
        }
        lines += [
            "",
            "A path: photos.items[2].title, cache[\"a b\"], photos.items[100..<200], #7.title",
            "`help COMMAND` tells more, with an example.",
        ]
        return lines
    }

    /// A failure for an unknown command, with the nearest names in its hint.
    static func unknown(_ word: some StringProtocol) -> CommandFailure {
        let names = NearestNames.of(word, among: all.flatMap { [$0.name] + $0.aliases })
        let meant = names.map { "`\($0)`" }.joined(separator: " or ")
        if CommandLineParser.clauses.contains(String(word)) {
            return CommandFailure(
                .unknownCommand, "'\(word)' is not a command but a clause behind a path",
                hint: "photos.items where state == .ready count; `help show` has all clauses")
        }
        return CommandFailure(
            .unknownCommand, "unknown command '\(word)'",
            hint: (meant.isEmpty ? "" : "did you mean \(meant)? ") + "`help` lists all commands"
        )
    }
}

extension CommandDescription {
    /// The syntax without its `[--options]`, which the overview has no room for.
    fileprivate var shortSyntax: String {
        var short = ""
        var rest = syntax[...]
        while let opening = rest.firstIndex(of: "[") {
            guard let closing = rest[opening...].firstIndex(of: "]") else { break }
            let end = rest.index(after: closing)
            let isOption = rest[opening..<end].hasPrefix("[-")
            // Without the space before it.
            short += isOption ? rest[..<opening].dropLast() : rest[..<end]
            rest = rest[end...]
        }
        return short + rest
    }
}
#endif
