import TelltaleProtocol

/// The pages that the client shows without an agent.
enum Pages {
    /// `--help`
    static var help: String {
        let commands = (try? CommandTable.help(for: nil))?.lines ?? []
        return """
            telltale [OPTIONS] [TARGET [COMMAND ARG…]]
              Inspect Swift services that run with TelltaleAgent, and change them.

              telltale                      list the agents; with --all Swift processes without one too
              telltale TARGET               a session; TARGET is a pid, a name or a socket's path;
                                            a name is a service of yours, USER/NAME another user's (root)
              telltale TARGET COMMAND ARG…  one command
              telltale TARGET -             the commands on standard input, # begins a comment
              telltale COMMAND ARG…         if exactly one agent can be reached
              telltale wait [TARGET] [--for 30s]   wait until an agent can be reached

            Options (before the command; --json may also follow it):
            \(options.map { "  \($0)" }.joined(separator: "\n"))

            Commands:
            \(commands.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n"))

            Exit status: 0 done, 1 the command failed, 2 wrong usage, 3 no such agent or
            it can't be reached, 4 denied, 5 no answer in time, 6 something asked for by
            name is missing, 7 `stuck` found something stuck.
            """
    }

    /// The options, with their texts under each other.
    private static var options: [String] {
        let width = Options.table.reduce(0) { max($0, $1.syntax.count) }
        return Options.table.map { entry in
            entry.syntax.filled(to: width + 2) + entry.text
        }
    }

    /// The meaning of each exit status.
    static let statuses: [(ExitStatus, String)] = [
        (.done, "done"), (.failed, "the command failed"), (.usage, "wrong usage"),
        (.unreachable, "no such agent, or it can't be reached"), (.denied, "denied"),
        (.late, "no answer in time"), (.missing, "something asked for by name is missing"),
        (.stuck, "`stuck` found something stuck"),
    ]

    /// `--version`
    static func version(editor: String) -> String {
        """
        telltale \(ProductVersion.current) (protocol \(ProtocolVersion.oldest) to \
        \(ProtocolVersion.current))
        This program is linked with \(editor)\(editor.contains("GNU") ? readlineLicence : ".")
        The libraries that services link (TelltaleAgent, TelltaleFoundation,
        TelltaleProtocol, TelltaleClient) contain none of it and are licensed under
        the Apache License 2.0.
        """
    }

    private static let readlineLicence = """
        , which is licensed
        under the GNU General Public License, version 3 or later. So this program as a
        whole may be copied and passed on only under the terms of that licence
        (GPL-3.0-or-later): with its source, and without any warranty.
        <https://www.gnu.org/licenses/gpl-3.0.html>
        """
}
