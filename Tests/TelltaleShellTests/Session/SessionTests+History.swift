import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleShell

/// The history of what was typed.
extension SessionTests {
    @Test("the history keeps what was typed, in a file of mode 0600, without secrets")
    func history() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let path = folder.path + "/state/history"
        let lines = [
            "get x", "photos.apiToken = \"abc\"", "get x", "set store.password \"p\"",
            " get hidden",
            "photos.note = \"Bearer abcdefghijk\"", "call login(\"bob\", pin: 4711)",
            "photos.id = \"ghp_0123456789abcdefgh\"", "photos.prompt = \"WOOT!\"", "get apiToken",
            "nonsense of mine",
        ]
        let editor = ScriptedEditor(lines.map { .line($0) })
        _ = try session(agent, editor, history: path)
        let kept = [
            "get x", "get x", "photos.prompt = \"WOOT!\"", "get apiToken", "nonsense of mine",
        ]
        #expect(editor.remembered == kept)
        // The agent knows no `photos.prompt`: it may be the misspelt place of a secret.
        let stored = kept.filter { !$0.contains("WOOT") }
        #expect(SmallFile.text(of: path) == stored.map { $0 + "\n" }.joined())
        #expect(try FileFacts.of(path).mode == 0o600)
        let next = ScriptedEditor([])
        _ = try session(agent, next, history: path)
        #expect(next.remembered == stored)
        unlink(path)
        rmdir(folder.path + "/state")
    }

    @Test("the file keeps no line of which the agent says that it brings a secret, or says nothing")
    func agentsWord() throws {
        let agent = try ScriptedAgent(in: folder.path) { request in
            let path = request.params["path"]
            var failure = CommandFailure(
                path == .string("photos.passwrd") ? .notFound : .conflict, "it moves")
            failure.bringsSecret = path == .string("photos.iban")
            return path == .string("photos.lost") ? .hangUp : .failure(failure)
        }
        let path = folder.path + "/state/history"
        let lines = [
            "photos.iban = \"DE1\"", "photos.prompt = \"a\"", "photos.lost = \"DE3\"",
            "photos.passwrd = \"misspelt\"",
        ]
        let editor = ScriptedEditor(lines.map { .line($0) })
        _ = try session(agent, editor, history: path)
        // In the session it was typed, and can be mended.
        #expect(editor.remembered == lines)
        #expect(SmallFile.text(of: path) == "photos.prompt = \"a\"\n")
    }

    @Test("a history behind a link is neither read nor written, and that is said once")
    func linkedHistory() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let path = folder.path + "/history"
        let victim = folder.path + "/victim"
        try PrivateFile.replace(victim, with: Array("echo\n".utf8))
        symlink(victim, path)
        let editor = ScriptedEditor([.line("get x"), .line("get y")])
        let (status, output) = try session(agent, editor, history: path)
        #expect(status == 0)
        #expect(editor.remembered == ["get x", "get y"])
        #expect(SmallFile.text(of: victim) == "echo\n")
        #expect(output.errorText.split(separator: "\n").count == 1)
        #expect(output.errorText.contains("the history is not kept"))
    }

    @Test("the history file stays bounded")
    func bounded() throws {
        let path = folder.path + "/history"
        let file = HistoryFile(path: path)
        let lines = (0..<2500).map { "get x\($0)" }
        try PrivateFile.replace(path, with: Array(lines.map { $0 + "\n" }.joined().utf8))
        #expect(try file.load(bound: 1000) == Array(lines.suffix(1000)))
        #expect(SmallFile.text(of: path)?.split(separator: "\n").count == 1000)
    }

    @Test("where the history lies")
    func historyPath() {
        #expect(
            HistoryFile.path { ["XDG_STATE_HOME": "/s", "HOME": "/h"][$0] }
                == "/s/telltale/history")
        #expect(HistoryFile.path { ["HOME": "/h"][$0] } == "/h/.local/state/telltale/history")
        #expect(HistoryFile.path { ["XDG_STATE_HOME": "relative"][$0] } == nil)
    }
}
