import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The built client at a real terminal, with a scripted agent at the other end.
struct ClientTerminalTests {
    private let folder: TemporaryFolder
    private let agent: ScriptedAgent
    /// No other agent of the machine may bear it, or a lost session would find that one.
    private let name: String

    init() throws {
        folder = try TemporaryFolder("telltale-terminal")
        name = folder.path.split(separator: "/").last.map(String.init) ?? ""
        agent = try ScriptedAgent(in: folder.path, name: name) { request in
            let path: String
            if case .string(let text)? = request.params["path"] { path = text } else { path = "" }
            switch (request.method, path) {
            case ("show", "slow"): return .silence
            case ("get", "wide"):
                let text = "\"" + String(repeating: "wide ", count: 1_000) + "\""
                return .answer(
                    PlainAnswer(
                        ValueAnswer(
                            path: path, value: ValueNode(type: "String", kind: .scalar, text: text),
                            owner: "none", read: "in place")))
            case ("stuck", _):
                // Longer than a terminal is left without a word.
                usleep(1_300_000)
                return .answer(StuckAnswer(verdict: .healthy, captures: 3, milliseconds: 1_300))
            case ("show", _):
                let children = (0..<200).map {
                    ValueNode(label: "[\($0)]", type: "Int", kind: .scalar, text: "line\($0)")
                }
                let list = ValueNode(type: "[Int]", kind: .array, count: 200, children: children)
                return .answer(
                    ValueAnswer(path: path, value: list, owner: "none", read: "in place"))
            case ("complete", _):
                let all = ["photos", "photos.items", "photos.prompt", "cache[\"a b\"].inner"]
                return .answer(
                    CompletionAnswer(
                        candidates: all.filter { $0.hasPrefix(path) }, isCut: false))
            default: return ScriptedAgent.usual(request)
            }
        }
    }

    private func start(
        _ arguments: [String] = [], pager: String = "cat", rows: Int = 24,
        columns: Int = 80
    ) throws -> TerminalProgram {
        try TerminalProgram(
            try BuiltProgram.path(of: "telltale"), arguments + [name],
            environment: [
                "TELLTALE_DIRECTORY": folder.path, "PAGER": pager, "NO_COLOR": "1",
                "XDG_STATE_HOME": folder.path + "/state", "INPUTRC": "/dev/null",
            ], rows: rows, columns: columns)
    }

    /// Types a text and the tab key, once a second: a completion for which the agent takes more than 250 ms
    /// is none.
    private func complete(_ text: String, to shown: String, in terminal: TerminalProgram) throws {
        try terminal.type(text)
        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while true {
            try terminal.type("\t")
            do {
                try terminal.wait(for: shown, limit: .seconds(1))
                return
            } catch { guard .now < deadline else { throw error } }
        }
    }

    private var prompt: String { "\(name)(\(ProcessIdentity.pid))> " }

    @Test("a session: prompt, command, answer, Ctrl-D")
    func session() throws {
        let terminal = try start()
        try terminal.wait(for: prompt)
        try terminal.type("get photos.items.count\n")
        try terminal.wait(for: "12\r\n" + prompt)
        try terminal.type("\u{4}")
        #expect(terminal.waitUntilExit() == 0)
    }

    @Test("while a capture takes long, a terminal is told, and nobody else")
    func progress() throws {
        let words = "looking again, to be sure: up to 4 s ."
        let environment = ["TELLTALE_DIRECTORY": folder.path, "PAGER": "cat", "NO_COLOR": "1"]
        let client = try BuiltProgram.path(of: "telltale")
        let terminal = try TerminalProgram(client, [name, "stuck"], environment: environment)
        let shown = terminal.readToEnd()
        #expect(terminal.waitUntilExit() == 0)
        let line = try #require(shown.components(separatedBy: words).dropFirst().first, "\(shown)")
        // The progress line is removed before the answer comes.
        #expect(line.hasPrefix("\r      ") && line.contains("   \rhealthy: "), "\(shown)")
        let session = try start()
        try session.wait(for: prompt)
        try session.type("stuck\n")
        try session.wait(for: words)
        try session.wait(for: prompt)
        try session.type("\u{4}")
        #expect(session.waitUntilExit() == 0)
        let piped = try TerminalProgram(
            "/bin/sh", ["-c", "'\(client)' '\(name)' stuck 2>&1 | cat"], environment: environment)
        let text = piped.readToEnd()
        #expect(text.contains("healthy: ") && !text.contains("looking"), "\(text)")
    }

    @Test("the tab key completes commands, and paths through the live objects")
    func completion() throws {
        let terminal = try start()
        try terminal.wait(for: prompt)
        try complete("stat", to: "status", in: terminal)
        try terminal.type("\n")
        try terminal.wait(for: "running")
        try terminal.wait(for: prompt)
        try complete("get photos.pr", to: "photos.prompt", in: terminal)
        try terminal.type("\n")
        try terminal.wait(for: "12\r\n" + prompt)
        // A key with a space in it does not cut the path in two.
        try complete("get cache[\"a b\"].", to: "[\"a b\"].inner", in: terminal)
        try terminal.type("\n")
        try terminal.wait(for: "12\r\n" + prompt)
        #expect(
            agent.requests.last?.params["path"] == .string("cache[\"a b\"].inner"))
    }

    @Test("Ctrl-C drops the half-typed line, ends the running command, and not the session")
    func interrupt() throws {
        let terminal = try start()
        try terminal.wait(for: prompt)
        try terminal.type("photos.pro")
        try terminal.wait(for: "photos.pro")
        try terminal.type("\u{3}")
        try terminal.wait(for: prompt)
        // The quickest of ten: a machine that tests run on may do other things too.
        var times: [Duration] = []
        repeat {
            try terminal.type("show slow\n")
            try terminal.wait(for: "show slow\r\n")
            try waitUntil("the agent has been asked") {
                agent.requests.count { $0.method == "show" } > times.count
            }
            let before = MonotonicTime.now
            try terminal.type("\u{3}")
            try terminal.wait(for: "interrupted")
            try terminal.wait(for: prompt)
            times.append(MonotonicTime.now.since(before))
        } while times.count < 10 && !times.contains { $0 < .milliseconds(100) }
        #expect(times.contains { $0 < .milliseconds(100) }, "\(times)")
        #expect(times.allSatisfy { $0 < .seconds(4) }, "\(times)")
        try terminal.type("get x\n")
        try terminal.wait(for: "12\r\n" + prompt)
        try terminal.type("quit\n")
        #expect(terminal.waitUntilExit() == 0)
    }

    @Test("Ctrl-C also leaves a search through the history")
    func interruptedSearch() throws {
        let terminal = try start()
        try terminal.wait(for: prompt)
        try terminal.type("get x\n")
        try terminal.wait(for: "12\r\n" + prompt)
        try terminal.type("\u{12}ge")
        try terminal.wait(for: "reverse-i-search")
        try terminal.type("\u{3}")
        try terminal.wait(for: prompt)
        try terminal.type("status\n")
        try terminal.wait(for: "running")
        #expect(agent.requests.map(\.method) == ["get", "status"])
    }

    @Test("Ctrl-C that takes away what was typed and not read yet leaves the line at once")
    func interruptedKeys() throws {
        let terminal = try start()
        try terminal.wait(for: prompt)
        for _ in 0..<3_000 {
            try terminal.type("ab")
            try terminal.type("\u{3}")
            try terminal.wait(for: prompt, limit: .seconds(10))
        }
        try terminal.type("get x\n")
        try terminal.wait(for: "12\r\n" + prompt)
    }

    @Test("each answer fits the terminal as wide as it is by then")
    func resize() throws {
        let terminal = try start(columns: 200)
        try terminal.wait(for: prompt)
        try terminal.type("status\n")
        #expect(try terminal.wait(for: "\r\n" + prompt).contains(" running up="))
        try terminal.resize(columns: 40)
        try terminal.type("status\n")
        try terminal.wait(for: "status\r\n")
        let narrow = try terminal.wait(for: "mode=")
        #expect(narrow.split(separator: "\r\n").allSatisfy { $0.count <= 40 }, "\(narrow)")
        #expect(narrow.contains("\r\n  ") && !narrow.contains("…"), "\(narrow)")
        try terminal.resize(columns: 200)
        try terminal.wait(for: prompt)
        try terminal.type("status\n")
        #expect(try !terminal.wait(for: "\r\n" + prompt).contains("…"))
    }

    @Test("a line that is wider than the terminal counts as the lines that it takes")
    func wideLines() throws {
        let terminal = try start(pager: "head -c 20; echo END OF PAGE")
        try terminal.wait(for: prompt)
        try terminal.type("get wide\n")
        try terminal.wait(for: "END OF PAGE")
    }

    @Test("a long answer goes through the pager, and the session goes on after it")
    func pager() throws {
        let terminal = try start(pager: "head -n 2; echo END OF PAGE")
        try terminal.wait(for: prompt)
        try terminal.type("show long\n")
        try terminal.wait(for: "END OF PAGE")
        let rest = try terminal.wait(for: prompt)
        #expect(!rest.contains("line199"))
        try terminal.type("get x\n")
        try terminal.wait(for: "12\r\n" + prompt)
        // A pager that is not there loses nothing.
        let other = try start(["--color", "never"], pager: "/nonexistent/pager")
        try other.wait(for: prompt)
        try other.type("show long\n")
        try other.wait(for: "line199")
        try other.wait(for: prompt)
        let plain = try start(["--no-pager"], pager: "echo PAGED; cat >/dev/null")
        try plain.wait(for: prompt)
        try plain.type("show long\n")
        #expect(try !plain.wait(for: "line199").contains("PAGED"))
    }

    @Test("lines of an earlier session are there, and none with a secret")
    func history() throws {
        let first = try start()
        try first.wait(for: prompt)
        try first.type("get photos.first\n")
        try first.wait(for: "12\r\n" + prompt)
        try first.type("photos.apiToken = \"open-sesame\"\n")
        try first.wait(for: "nothing named 'set'")
        try first.wait(for: prompt)
        try first.type("\u{4}")
        #expect(first.waitUntilExit() == 0)
        let second = try start()
        try second.wait(for: prompt)
        try second.type("\u{10}")
        try second.wait(for: "get photos.first")
        let file = folder.path + "/state/telltale/history"
        #expect(SmallFile.text(of: file) == "get photos.first\n")
        #expect(try FileFacts.of(file).mode == 0o600)
        unlink(file)
        rmdir(folder.path + "/state/telltale")
    }

    @Test("an agent that dies is said, and the session lives on")
    func lost() throws {
        let terminal = try start()
        try terminal.wait(for: prompt)
        agent.die()
        unlink(agent.path)
        try terminal.type("get x\n")
        // The break is seen before the command is sent, or while its answer is waited for.
        try terminal.wait(for: "lost)> ")
        try terminal.type("get x\n")
        try terminal.wait(for: "is lost")
        try terminal.wait(for: "lost)> ")
        try terminal.type("\u{4}")
        #expect(terminal.waitUntilExit() == 0)
    }
}
