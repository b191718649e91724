import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A newcomer's first minutes in a session, on a real terminal.
@Suite(
    .serialized, .timeLimit(.minutes(3)), .enabled(if: TmuxScreen.isInstalled, "tmux is missing"))
struct SessionWordsScreenTests {
    private let folder: TemporaryFolder
    private let homes: TemporaryFolder
    private let agent: ScriptedAgent
    private let name = "words"

    init() throws {
        folder = try TemporaryFolder("telltale-screen")
        homes = try TemporaryFolder("telltale-homes")
        agent = try ScriptedAgent(in: folder.path, name: name) { request in
            switch request.method {
            case "show":
                let text = ValueNode(type: "String", kind: .string, text: "\"Aunt Tilda\"")
                return .answer(
                    ValueAnswer(
                        path: "photos.items[0].title", value: text,
                        owner: "queue com.example.photos.of.the.family, concurrent",
                        read: "on its owner"))
            case "help":
                let command: String?
                if case .string(let name)? = request.params["command"] {
                    command = name
                } else {
                    command = nil
                }
                do throws(CommandFailure) {
                    return .answer(try CommandTable.help(for: command))
                } catch {
                    return .failure(error)
                }
            default: return ScriptedAgent.usual(request)
            }
        }
    }

    private func start(_ size: TmuxScreen.Size) throws -> TmuxScreen {
        let screen = try TmuxScreen(
            try BuiltProgram.path(of: "telltale"), ["--no-pager", name],
            environment: [
                "TELLTALE_DIRECTORY": folder.path, "NO_COLOR": "1", "INPUTRC": "/dev/null",
                "XDG_STATE_HOME": homes.path, "XDG_CONFIG_HOME": homes.path,
            ], size: size)
        try screen.waitForPrompt()
        return screen
    }

    private var prompt: String { "\(name)(\(ProcessIdentity.pid))>" }

    @Test("`clear` clears the screen, and the tab key and `help` know the session's own words")
    func words() throws {
        let screen = try start(.small)
        try screen.enter("get x")
        try screen.wait("answer") { $0.suffix(2) == ["12", prompt] }
        try screen.enter("clear")
        try screen.wait("nothing but the prompt") { $0 == [prompt] }
        try screen.enter("help alias")
        try screen.wait("help") {
            $0.contains("alias [NAME = LINE]") && $0.suffix(2).first?.hasPrefix("  alias ") == true
        }
        for (typed, whole) in [("hist", "history"), ("unal", "unalias"), ("cle", "clear")] {
            try screen.clear()
            try screen.type(typed)
            try screen.press("Tab")
            try screen.wait("the word") { $0.last == "\(prompt) \(whole)" }
            try screen.press("C-c")
            try screen.waitForPrompt()
        }
        try screen.enter("help")
        try screen.wait("help") { $0.contains { $0.hasPrefix("Of the session alone:") } }
    }

    @Test("no page of help and no value has a word broken", arguments: TmuxScreen.Size.both)
    func unbroken(size: TmuxScreen.Size) throws {
        let screen = try start(size)
        for line in ["help", "help watch", "help set", "help call", "photos.items[0].title"] {
            try screen.clear()
            try screen.enter(line)
            try screen.wait("answer to \(line)") { $0.count > 1 && $0.last == prompt }
            let rows = try screen.allRows()
            #expect(try screen.allRows(joined: true) == rows, "\(line): the terminal wrapped it")
            #expect(rows.allSatisfy { $0.count <= size.columns }, "\(rows)")
        }
    }

    @Test("`--json` anywhere in a line is for that line, and `> FILE` without a slash is explained")
    func json() throws {
        let screen = try start(.small)
        for line in ["get x --json | head -c 10", "--json get x | head -c 10"] {
            try screen.clear()
            try screen.enter(line)
            try screen.wait("a document") { $0.contains { $0.hasPrefix("{\"version\"") } }
            try screen.press("Enter")
        }
        try screen.clear()
        try screen.enter("get x")
        try screen.wait("text again") { $0.suffix(2) == ["12", prompt] }
        try screen.enter("queues > q.txt")
        try screen.wait("how a file is written") { $0.contains { $0.contains("> ./q.txt") } }
    }
}
