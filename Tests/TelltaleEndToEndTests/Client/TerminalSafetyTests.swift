import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A hostile agent that attacks the terminal of its client: all of its texts hold escape sequences.
/// The built client shows them to a real terminal, and writes them into a real pipe.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TerminalSafetyTests {
    /// A title, a cleared screen, a colour by C1, and scalars that reorder, hide or break a line.
    private static let evil =
        "\u{1B}]0;owned\u{7}\u{1B}[2J\u{1B}[31m\u{9B}32m\u{202E}\u{2066}\u{200B}\u{200C}\u{200D}\u{200E}"
        + "\u{061C}\u{E0041}\u{FEFF}\u{2028}\u{85}\u{7F}\r\nforged"

    private let folder: TemporaryFolder
    private let agent: ScriptedAgent

    init() throws {
        folder = try TemporaryFolder("telltale-evil")
        let evil = Self.evil
        var hello = ScriptedAgent.hello("svc" + evil, ScriptedAgent.ownName)
        hello.mode = "read-write" + evil
        hello.agent = evil
        hello.buildID = evil
        agent = try ScriptedAgent(in: folder.path, hello: .answer(hello)) { request in
            switch request.method {
            case "status":
                var status = ScriptedAgent.status(name: evil, unanswered: [evil])
                status.state = evil
                status.mode = evil
                status.stuck = evil
                status.problems = [evil]
                return .answer(status)
            case "dump":
                return .parts(
                    [[evil, "one" + evil]],
                    DumpAnswer(id: 1, time: evil, lines: [], missing: 0, file: nil))
            case "show", "get":
                let node = ValueNode(
                    label: evil, type: evil, kind: .structure, text: evil,
                    children: [ValueNode(label: evil, type: evil, kind: .scalar, text: evil)],
                    note: evil)
                let shown = ValueAnswer(path: evil, value: node, owner: evil, read: evil)
                return request.method == "get" ? .answer(PlainAnswer(shown)) : .answer(shown)
            case "complete":
                return .answer(
                    CompletionAnswer(
                        // Candidates that would end the command are not offered; those that only
                        // paint are escaped visibly.
                        candidates: ["photos", "phone"].flatMap {
                            [$0 + evil, $0 + evil.filter { $0 != ";" }]
                        }, types: [String](repeating: evil, count: 4), hints: [evil],
                        isCut: false))
            case "help":
                return .answer(HelpAnswer(lines: [evil]))
            default:
                return .failure(CommandFailure(.notFound, evil, hint: evil))
            }
        }
    }

    private static let commands = [
        [], ["get", "x"], ["show", "x"], ["dump"], ["status"], ["queues"], ["set", "x", "1"],
        ["call", "x()"],
    ]

    /// Returns the sequences that a terminal would obey, except line ends and, with colour, the
    /// client's own.
    private static func leaks(in bytes: String, ownSequences: Bool) -> [String] {
        var text = bytes.replacing("\r\n", with: "\n")
        if ownSequences {
            for code in ["0", "1", "2", "31"] { text = text.replacing("\u{1B}[\(code)m", with: "") }
        }
        return text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 10: false
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069,
                0xFEFF, 0xE0000...0xE007F:
                true
            default: false
            }
        }.map { String($0.value, radix: 16) }
    }

    private var environment: [String: String] {
        [
            "TELLTALE_DIRECTORY": folder.path, "PAGER": "cat", "INPUTRC": "/dev/null",
            "XDG_STATE_HOME": folder.path + "/state",
        ]
    }

    @Test("nothing of it comes through a pipe, as text or as JSON, on either stream")
    func pipe() throws {
        let client = try BuiltProgram.path(of: "telltale")
        var lines = 0
        for command in Self.commands {
            for options in [[], ["--json"], ["--color", "always"]] {
                let target = command.isEmpty ? [] : [agent.path]
                let shell = try StartedProgram(
                    "/bin/sh",
                    ["-c", #"exec "$0" "$@" 2>&1"#, client] + options + target + command,
                    environment: environment)
                let bytes = try #require(shell.readToEnd(until: .now.advanced(by: .seconds(30))))
                _ = shell.waitUntilExit()
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(
                    Self.leaks(in: text, ownSequences: options.contains("always")) == [],
                    "\(options) \(command): \(text.debugDescription)")
                #expect(!text.split(separator: "\n").contains("forged"), "\(options) \(command)")
                if options == ["--json"] {
                    #expect(throws: Never.self) {
                        try JSONSerialization.jsonObject(
                            with: Data(bytes), options: .fragmentsAllowed)
                    }
                }
                lines += text.split(separator: "\n").count
            }
        }
        #expect(lines > 30)
    }

    @Test("a dump that is written to a file holds none of it")
    func file() throws {
        let path = "\(folder.path)/dump.txt"
        let shell = try StartedProgram(
            "/bin/sh",
            [
                "-c", #"exec "$0" "$@" 2>&1"#, try BuiltProgram.path(of: "telltale"), agent.path,
                "dump", "--output", path,
            ],
            environment: environment)
        _ = shell.readToEnd(until: .now.advanced(by: .seconds(30)))
        #expect(shell.waitUntilExit() == 0)
        let text = try #require(SmallFile.text(of: path))
        #expect(text.contains("owned"))
        #expect(Self.leaks(in: text, ownSequences: false) == [], "\(text.debugDescription)")
    }

    @Test("nothing of it reaches a terminal: the listing, an answer, a dump's lines as they come")
    func terminal() throws {
        for command in Self.commands {
            let target = command.isEmpty ? [] : [agent.path]
            let terminal = try TerminalProgram(
                try BuiltProgram.path(of: "telltale"), target + command, environment: environment,
                rows: 50, columns: 200)
            let shown = terminal.readToEnd()
            #expect(terminal.waitUntilExit() <= 5)
            #expect(shown.contains("owned"), "\(command): \(shown.debugDescription)")
            #expect(
                Self.leaks(in: shown, ownSequences: true) == [],
                "\(command): \(shown.debugDescription)")
        }
    }

    @Test("nor in a session: its prompt, its completions, its answers")
    func session() throws {
        let terminal = try TerminalProgram(
            try BuiltProgram.path(of: "telltale"), [agent.path], environment: environment, rows: 50,
            columns: 200)
        var shown = try terminal.wait(for: ")> ")
        try terminal.type("show x\n")
        shown += try terminal.wait(for: ")> ")
        try terminal.type("show pho\t\t")
        shown += try terminal.wait(for: "owned")
        try terminal.type("\u{15}quit\n")
        shown += terminal.readToEnd()
        _ = terminal.waitUntilExit()
        // The line editor has sequences of its own; these are the agent's.
        for raw in [
            "\u{1B}]0;", "\u{1B}[2J", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200B}", "\u{200C}",
            "\u{200E}", "\u{E0041}", "\u{FEFF}", "\u{2028}", "\u{85}", "\nforged",
        ] {
            #expect(
                !shown.unicodeScalars.contains(sequence: raw.unicodeScalars),
                "\(raw.debugDescription)")
        }
    }
}

extension Collection where Element: Equatable {
    fileprivate func contains(sequence: some Collection<Element>) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
