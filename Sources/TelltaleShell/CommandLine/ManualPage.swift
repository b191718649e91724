import TelltaleProtocol

/// `--man`: the manual page, made of the commands' own descriptions.
enum ManualPage {
    static var text: String {
        let head = ".TH TELLTALE 1 \"\" \"telltale \(ProductVersion.current)\" \"User Commands\""
        // No word is broken, and no line is stretched.
        let lines =
            [head, ".nh", ".ad l"] + opening + options + commands + statuses + environment + files
            + examples + related
        return lines.joined(separator: "\n")
    }

    private static var opening: [String] {
        [
            ".SH NAME",
            "telltale \\- inspect and change Swift services that run with TelltaleAgent",
            ".SH SYNOPSIS", ".B telltale", Roff.text("[OPTIONS] [TARGET [COMMAND ARG...]]"),
            ".SH DESCRIPTION",
            Roff.text(
                """
                TARGET is a pid, a name or a socket's path; a name is a service of yours, USER/NAME \
                another user's (root). It may be left out where exactly one agent can be reached. \
                Without a command there is a session at the terminal; without anything the agents are \
                listed. TARGET - reads the commands from standard input. wait [TARGET] [--for 30s] \
                waits until an agent can be reached.
                """),
        ]
    }

    private static var options: [String] {
        [".SH OPTIONS"] + Options.table.flatMap { Roff.item($0.syntax, [Roff.text($0.text)]) }
    }

    private static var commands: [String] {
        [".SH COMMANDS"]
            + CommandTable.all.flatMap { command in
                let summary = command.summary
                let aliases = command.aliases.joined(separator: ", ")
                return Roff.item(
                    command.syntax,
                    [Roff.text(summary.prefix(1).uppercased() + summary.dropFirst() + ".")]
                        + Roff.detail(command.detail)
                        + (aliases.isEmpty ? [] : [".br", Roff.text("Also: \(aliases)")])
                        + [".br", Roff.text("For example: `\(command.example)`")])
            }
    }

    private static var statuses: [String] {
        [".SH EXIT STATUS"]
            + Pages.statuses.flatMap { Roff.item("\($0.0.rawValue)", [Roff.text($0.1)]) }
    }

    /// The variables that the client reads.
    static let ownVariables: [(head: String, body: String)] = [
        (
            "TELLTALE_DIRECTORY",
            "a directory in which agents are searched for, besides the usual ones"
        ),
        ("XDG_RUNTIME_DIR", "agents are searched for in its directory `telltale`"),
        ("XDG_STATE_HOME", "where the history is; default: `~/.local/state`"),
        ("XDG_CONFIG_HOME", "where `rc` is; default: `~/.config`"),
        ("PAGER", "shows long output; default: `less -FRX`. Empty or `cat`: no pager"),
        ("NO_COLOR", "no colour, unless empty; the same if `TERM` is `dumb`"),
        ("INPUTRC", "the file with the settings of readline; default: `~/.inputrc`"),
    ]

    private static var environment: [String] {
        [".SH ENVIRONMENT", Roff.text("`telltale` reads:")] + Roff.list(ownVariables)
            + [".PP", Roff.text("A service reads these when its agent starts:")]
            + Roff.list(
                ServiceVariable.all.map { (head: $0.name, body: "(\($0.values)) \($0.effect)") })
    }

    private static var files: [String] {
        [".SH FILES"]
            + Roff.list([
                ("$XDG_RUNTIME_DIR/telltale/PID-START.sock", "the socket of an agent; else"),
                ("/tmp/telltale-UID/PID-START.sock", "if that is not set; else"),
                ("/dev/shm/telltale-UID/PID-START.sock", "if neither can be used"),
                ("$XDG_STATE_HOME/telltale/history", "the lines of earlier sessions, mode 0600"),
                ("$XDG_CONFIG_HOME/telltale/rc", "lines that each session begins with"),
                ("~/.inputrc", "how lines are edited; `$if telltale` is for this program"),
            ])
    }

    /// Shell commands, with a service named `photos`.
    static let lines: [(head: String, body: String)] = [
        ("telltale", "List the agents that can be reached."),
        ("telltale photos", "Open a session with the service `photos`."),
        ("telltale photos stuck", "What makes no progress, who holds it, and where."),
        ("telltale photos alive || echo stuck", "A liveness probe for a script."),
        ("telltale photos get library.items.count", "Print a value alone."),
        (
            "telltale photos 'library.title = \"Holidays\"'",
            "Change a value on the queue that guards it; `undo` puts it back."
        ),
        ("telltale photos dump --output hang.txt", "Everything at once, into a file."),
        ("telltale photos --json queues | jq .", "An answer for programs."),
        ("printf 'queues\\nstuck\\n' | telltale photos -", "Several commands, as a script."),
        ("kill -USR1 4242", "Have a service write a dump to its standard error, without a client."),
    ]

    private static var examples: [String] {
        [".SH EXAMPLES"] + lines.flatMap { Roff.item($0.head, [Roff.text($0.body)]) }
    }

    private static var related: [String] {
        [
            ".SH SEE ALSO", ".BR kill (1),", ".BR nc (1),", ".BR readline (3),", ".BR unix (7)",
            ".PP",
            Roff.text("The pages in `Docs` beside the sources; `help COMMAND` in a session."),
        ]
    }
}
