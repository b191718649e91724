import TelltaleProtocol

/// `--man`: the manual page, made of the commands' own descriptions.
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH TELLTALE 1 \"\" \"telltale \(ProductVersion.current)\" \"User Commands\"",
            ".SH NAME", "telltale \\- look into Swift services that run with TelltaleAgent",
            ".SH SYNOPSIS", ".B telltale", "[OPTIONS] [TARGET [COMMAND ARG...]]", ".SH DESCRIPTION",
        ]
        lines += escaped(
            """
            TARGET is a pid, a name or a socket's path; a name is a service of yours, USER/NAME another \
            user's (root). It may be left out where exactly one agent can be reached. Without a command \
            there is a session at the terminal; without anything the agents are listed. TARGET - reads \
            the commands from standard input. wait [TARGET] [--for 30s] waits until an agent can be \
            reached.
            """)
        lines.append(".SH OPTIONS")
        for entry in Options.table { lines += item(entry.syntax, [entry.text]) }
        lines.append(".SH COMMANDS")
        for command in CommandTable.all {
            let more =
                command.aliases.isEmpty ? [] : ["Also: " + command.aliases.joined(separator: ", ")]
            lines += item(
                command.syntax,
                [command.summary + "."] + command.detail.split(separator: "\n").map(String.init)
                    + more
                    + ["For example: " + command.example])
        }
        lines.append(".SH EXIT STATUS")
        for (status, text) in Pages.statuses { lines += item("\(status.rawValue)", [text]) }
        lines += [".SH FILES"]
        lines += item(
            "$XDG_STATE_HOME/telltale/history", ["the lines of earlier sessions, mode 0600"])
        lines += item("$XDG_CONFIG_HOME/telltale/rc", ["lines that each session begins with"])
        lines += item("~/.inputrc", ["how lines are edited; $if telltale is for this program"])
        return lines.joined(separator: "\n")
    }

    private static func item(_ head: String, _ text: [String]) -> [String] {
        [".TP"] + escaped(head).map { ".B " + $0 }
            // Adjacent lines stay so.
            + text.enumerated().flatMap { ($0.offset > 0 ? [".br"] : []) + escaped($0.element) }
    }

    /// A text that roff prints unchanged.
    private static func escaped(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var out = ""
            for character in line {
                switch character {
                case "\\": out += "\\e"
                case "-": out += "\\-"
                default: out.append(character)
                }
            }
            return out.hasPrefix(".") || out.hasPrefix("'") ? "\\&" + out : out
        }
    }
}
