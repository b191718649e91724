import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleShell

/// Completion in a session, by the answers of the agent.
extension SessionTests {
    func expectCompletions(
        of lines: [(text: String, start: Int)], by agent: ScriptedAgent, _ expected: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var results = ""
        for _ in 0..<5 where results != expected {
            let editor = ScriptedEditor([])
            let completed = RecordedText()
            editor.beforeLine = { _ in
                for (text, start) in lines {
                    switch editor.completer?(HalfTypedLine(text: text, start: start)) {
                    case .words(let words)?: completed.append("\(words.map(\.word))\n")
                    case .files?: completed.append("files\n")
                    case nil: completed.append("nothing\n")
                    }
                }
            }
            let before = MonotonicTime.now
            _ = try session(agent, editor)
            #expect(MonotonicTime.now.since(before) < .seconds(20), sourceLocation: sourceLocation)
            results = completed.text
        }
        #expect(results == expected, sourceLocation: sourceLocation)
    }

    @Test("completion asks the agent, and gives up soon where it is silent")
    func completion() throws {
        let agent = try ScriptedAgent(in: folder.path) { request in
            guard request.method == "complete", case .string(let path)? = request.params["path"]
            else { return .silence }
            if path == "silent" { return .silence }
            let all = ["photos.items", "photos.prompt", "cache[\"a b\"].x"]
            return .answer(
                CompletionAnswer(candidates: all.filter { $0.hasPrefix(path) }, isCut: false))
        }
        try expectCompletions(
            of: [
                ("photos.", 0), ("sta", 0), ("get photos.i", 4), ("get cache[\"a b\"].", 13),
                ("help un", 5), ("set photos.prompt n", 18), ("show x --d", 7), ("silent", 0),
                ("dump --output /t", 14),
            ], by: agent,
            """
            ["photos.items", "photos.prompt"]
            ["stack", "status"]
            ["photos.items"]
            ["b\\"].x"]
            ["unalias", "undo"]
            []
            ["--depth", "--describe"]
            []
            files

            """)
    }

    @Test("queues and threads are completed by the agent's names, kinds by the command's")
    func names() throws {
        let agent = try ScriptedAgent(in: folder.path) { request in
            let names =
                switch request.params["of"] {
                case .string("queue"): ["com.telltale.photos"]
                case .string("thread"): ["4251", "4252"]
                default: ["photos"]
                }
            return .answer(CompletionAnswer(candidates: names, isCut: false))
        }
        try expectCompletions(
            of: [
                ("queue com", 6), ("suspend ", 8), ("stack ", 6), ("stack 4251 ", 11),
                ("stack --f", 6), ("cancel ta", 7), ("cancel item ", 12), ("watch stuc", 6),
                ("watch stuck ", 12), ("queue a b", 8),
            ], by: agent,
            """
            ["com.telltale.photos"]
            ["com.telltale.photos"]
            ["main", "all", "4251", "4252"]
            ["4251", "4252"]
            ["--full"]
            ["task"]
            ["com.telltale.photos"]
            ["stuck", "photos"]
            ["off"]
            []

            """)
    }
}
