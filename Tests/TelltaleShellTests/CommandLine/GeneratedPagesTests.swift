import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleShell

/// The pages generated from the commands' own descriptions.
struct GeneratedPagesTests {
    /// The manual page with its characters as they are printed, and backticks for bold words.
    private static var manual: String {
        var page = ManualPage.text
        for (sequence, character) in [
            ("\\-", "-"), ("\\fB", "`"), ("\\fR", "`"), ("\\(aq", "'"), ("\\(ga", "`"),
            ("\\(dq", "\""),
            ("\\(ha", "^"), ("\\(ti", "~"), ("\\&", ""), ("\\e", "\\"),
        ] {
            page = page.replacing(sequence, with: character)
        }
        return page.replacing(/\\\[u([0-9A-F]+)\]/) { match in
            UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map(String.init) ?? "?"
        }
    }

    @Test("the manual page has every command, every option of each, and the client's own")
    func manual() {
        let page = Self.manual
        let words = page.split(whereSeparator: \.isWhitespace).filter { $0 != ".TP" && $0 != ".B" }
            .joined(separator: " ")
        for command in CommandTable.all {
            #expect(page.contains("\n.B \(command.syntax)\n"), "\(command.name)")
            for option in command.options { #expect(page.contains(option), "\(option)") }
            for line in command.detail.split(separator: "\n") {
                let line = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(words.contains(line), "\(command.name): \(line)")
            }
        }
        for entry in Options.table {
            #expect(page.contains("\n.B \(entry.syntax)\n\(entry.text)\n"), "\(entry.syntax)")
        }
        for status in ExitStatus.allCases {
            #expect(page.contains("\n.TP\n.B \(status.rawValue)\n"), "\(status)")
        }
        // A line of text that begins with a dot would be obeyed.
        #expect(!ManualPage.text.split(separator: "\n").contains { $0.hasPrefix("'") })
        #expect(ManualPage.text.utf8.allSatisfy { $0 < 128 })
    }

    @Test(
        "the manual page has the variables of the client and of a service, and its usual sections")
    func sections() {
        let page = Self.manual
        for name in ServiceVariable.all.map(\.name) + ManualPage.ownVariables.map(\.head) {
            #expect(page.contains("\n.B \(name)\n"), "\(name)")
        }
        let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }
            .map { String($0.dropFirst(4)) }
        #expect(
            sections == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS",
                "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO",
            ])
    }

    @Test("an example of the manual page names a command and options that there are")
    func examples() throws {
        for (line, _) in ManualPage.lines where line.hasPrefix("telltale photos ") {
            let words = line.split(separator: " ").dropFirst(2).map(String.init)
                .prefix { $0 != "|" && $0 != "||" }
            let options = try Options(parsing: ["photos"] + words, isCommand: Commands.isCommand)
            let word = try #require(options.words.dropFirst().first)
            #expect(word == "-" || word.hasPrefix("'") || Commands.isCommand(word), "\(line)")
        }
    }

    @Test("the manual page fills every width, and gives no warning", arguments: [60, 80, 120])
    func widths(width: Int) throws {
        let path = ProcessIdentity.environment("PATH") ?? "/usr/bin:/bin"
        guard ChildProcess.isInstalled("groff", path: path) else { return }
        let folder = try TemporaryFolder("telltale-manual")
        let file = "\(folder.path)/telltale.1"
        try Data(ManualPage.text.utf8).write(to: URL(fileURLWithPath: file))
        let shell = try StartedProgram(
            "/bin/sh",
            ["-c", "groff -ww -man -Tutf8 -P-c -rLL=\(width)n \(file) 2>&1"])
        let shown = String(
            decoding: shell.readToEnd(until: .now.advanced(by: .seconds(30))) ?? [], as: UTF8.self)
        #expect(shell.waitUntilExit() == 0)
        let lines = shown.split(separator: "\n").map { $0.replacing(/.\u{8}/, with: "") }
        #expect(lines.count > 300)
        #expect(!shown.contains("warning"), "\(lines.first ?? "")")
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines.filter { $0.count > width })")
        // Prose uses the room that there is.
        #expect(lines.contains { $0.count > width - 8 })
    }

    @Test("every option is understood, and `--help` has it")
    func options() throws {
        for name in Options.names {
            let value =
                ["--timeout": ["5s"], "--color": ["never"], "--completion": ["fish"]][name] ?? []
            #expect(throws: Never.self, "\(name)") {
                try Options(parsing: [name] + value, isCommand: Commands.isCommand)
            }
            #expect(Pages.help.contains(name), "\(name)")
        }
    }

    @Test(
        "a shell's script is one that the shell can read",
        arguments: [CompletionScript.bash, .zsh, .fish])
    func scripts(script: CompletionScript) throws {
        #expect(script.text.contains("telltale --candidates -- "))
        let path = ProcessIdentity.environment("PATH") ?? "/usr/bin:/bin"
        guard ChildProcess.isInstalled(script.rawValue, path: path) else { return }
        let child = try ChildProcess(shell: "\(script.rawValue) -n")
        // A program can't be copied, which the macro would do.
        let isRead = child.write(script.text + "\n")
        let status = child.finish()
        #expect(isRead && status == 0)
    }

    @Test("the client's own pages have no word broken at 80 columns")
    func narrow() {
        for page in [Pages.help, Pages.version(editor: "GNU readline 8.2")] {
            let lines = HelpText.laidOut(
                page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
                TextStyle(width: 80))
            #expect(lines.allSatisfy { $0.columns <= 80 }, "\(lines)")
            // A paragraph has no line that is left with a word or two of the one before.
            #expect(
                !lines.contains {
                    !$0.isEmpty && $0.columns < 12 && !$0.hasSuffix(":") && !$0.hasPrefix("  ")
                }, "\(lines)")
        }
    }

    private func candidates(_ words: String...) -> [String] {
        ShellCandidates(words: words).all(
            services: { ["photo-manager", "ledger"] },
            complete: { target, line in
                .words([Candidate("\(target ?? "-"):\(line.text):\(line.start)"), .hint("x")])
            })
    }

    @Test("the words of a shell are completed by services, commands, options, and the agent")
    func words() {
        #expect(candidates("pho") == ["photo-manager"])
        #expect(candidates("qu") == ["queue", "queues", "quit"])
        #expect(Set(candidates("").prefix(2)) == ["photo-manager", "ledger"])
        #expect(candidates("--js") == ["--json", "--json=lines"])
        #expect(candidates("--color", "n") == ["never"])
        #expect(candidates("--completion", "") == ["bash", "zsh", "fish"])
        #expect(candidates("--json", "led") == ["ledger"])
        #expect(candidates("--timeout", "5s", "led") == ["ledger"])
        #expect(candidates("wait", "led") == ["ledger"])
        #expect(candidates("wait", "ledger", "--") == ["--for"])
        #expect(candidates("ledger", "get", "pho") == ["ledger:get pho:4"])
        #expect(candidates("get", "pho") == ["-:get pho:4"])
        #expect(candidates("ledger", "") == ["ledger::0"])
    }
}
