import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleShell

struct SessionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("telltale-session") }

    func session(
        _ agent: ScriptedAgent, _ editor: ScriptedEditor, history: String? = nil,
        start: String? = nil,
        reconnect: @escaping Session.Reconnect = {
            .failure(CommandFailure(.unreachable, "no agent"))
        }
    ) throws -> (status: Int32, output: RecordedOutput) {
        let connection = try AgentConnection(
            connectingTo: AgentLocation(path: agent.path), deadline: .now.advanced(by: .seconds(5)))
        let output = RecordedOutput()
        let plain = TextStyle(color: false, width: nil)
        let session = Session(
            connection: connection, editor: editor, output: output,
            presentation: Presentation(json: false, style: plain, errorStyle: plain), limit: nil,
            pager: nil, history: history.map(HistoryFile.init(path:)), startFile: start,
            reconnect: reconnect)
        return (session.run(), output)
    }

    @Test("the prompt has name and pid, and says where nothing can be changed")
    func prompt() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "photo-manager")
        let editor = ScriptedEditor([])
        _ = try session(agent, editor)
        #expect(editor.prompts == ["photo-manager(\(ProcessIdentity.pid))> "])
        var hello = ScriptedAgent.hello("ledger", .dead())
        hello.mode = "read-only"
        let other = try ScriptedAgent(
            in: folder.path, socketName: .dead(), hello: .answer(hello))
        let second = ScriptedEditor([])
        _ = try session(other, second)
        #expect(second.prompts == ["ledger(\(ProcessIdentity.pid), read-only)> "])
    }

    @Test("a command that fails does not end the session; quit and the end of input do")
    func goesOn() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let editor = ScriptedEditor([
            .line("objects"), .line("get"), .interrupted, .line(""), .line("get x"), .line("quit"),
            .line("get y"),
        ])
        let (status, output) = try session(agent, editor)
        #expect(status == 0)
        #expect(output.text == "12\n")
        #expect(output.errorText.contains("nothing named 'objects'"))
        #expect(agent.requests.map(\.method) == ["objects", "get"])
    }

    @Test("`--json` is for its own command, wherever it stands; a failure is a document then too")
    func json() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let editor = ScriptedEditor([
            .line("get x --json; get y"), .line("--json get x"), .line("objects --json"),
            .line("alias j = get x --json"), .line("j"), .line("get x"), .line("quit"),
        ])
        let (_, output) = try session(agent, editor)
        let lines = output.text.split(separator: "\n")
        try #require(lines.count == 6, "\(output.text)")
        for index in [0, 2, 3, 4] {
            #expect(lines[index].hasPrefix("{\"version\":"), "\(index): \(lines[index])")
        }
        #expect(lines[1] == "12" && lines[5] == "12")
        #expect(lines[3].contains("nothing named 'objects'") && output.errorText.isEmpty)
    }

    @Test("a file's name without a slash is no file, and how it is one is said")
    func slash() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let editor = ScriptedEditor([
            .line("queues > q.txt"), .line("get x > 3"), .line("queues more"), .line("quit"),
        ])
        let (_, output) = try session(agent, editor)
        #expect(output.errorText.contains("> ./q.txt"))
        #expect(output.errorText.split(separator: "./").count == 2, "\(output.errorText)")
    }

    @Test(
        "a watched name that is unknown at the first look is an error; a later look says that it is later"
    )
    func misspeltWatch() throws {
        let agent = try ScriptedAgent(in: folder.path) { request in
            guard request.method == "watch" else { return ScriptedAgent.usual(request) }
            let text = "nothing is registered as that"
            if request.params["paths"]?.texts == ["queus"], request.params["isLater"] == nil {
                return .failure(
                    CommandFailure(.notFound, text, hint: "did you mean queues, queue?"))
            }
            return .answer(
                ControlAnswer(
                    action: "watch", target: "values", result: "read",
                    values: request.params["paths"]?.texts.map {
                        WatchedValue(path: $0, text: nil, failure: text)
                    }))
        }
        let editor = ScriptedEditor([
            .line("watch queus --count 2 --every 10ms"),
            .line("watch later.value --count 2 --every 10ms"), .line("quit"),
        ])
        let (_, output) = try session(agent, editor)
        #expect(
            output.errorText == """
                error: nothing is registered as that
                  did you mean queues, queue?

                """)
        #expect(agent.requests.map { $0.params["isLater"] } == [nil, nil, .bool(true)])
        #expect(output.text.contains("later.value"))
    }

    @Test("the session's own words: help for each, none of them an alias, `clear` without a rest")
    func ownWords() throws {
        let agent = try ScriptedAgent(in: folder.path)
        for word in SessionWords.table {
            let editor = ScriptedEditor([.line("help \(word.name)"), .line(word.example)])
            let (_, output) = try session(agent, editor)
            #expect(output.text.hasPrefix(word.syntax + "\n  " + word.summary + "\n"))
            // Nothing is called that yet, which alone may be said.
            #expect(word.name == "unalias" || output.errorText.isEmpty, "\(output.errorText)")
        }
        let editor = ScriptedEditor([.line("alias clear = get x"), .line("clear all")])
        let (_, output) = try session(agent, editor)
        #expect(output.errorText.contains("clear is a word of the session"))
        #expect(output.errorText.contains("unexpected argument 'all'"))
        #expect(agent.requests.isEmpty)
    }

    @Test("what may end the service is asked for once a session, and not run on another answer")
    func confirmation() throws {
        let agent = try ScriptedAgent(in: folder.path) { request in
            request.params["isConfirmed"] == .bool(true)
                ? .answer(
                    CallAnswer(
                        action: "photos.reload", value: nil, microseconds: 5, change: 1))
                : .failure(CommandFailure(.unconfirmed, "it may trap"))
        }
        let editor = ScriptedEditor([
            .line("photos.reload()"), .line("n"), .line("photos.reload()"), .line("y"),
            .line("photos.reload()"), .line("quit"),
        ])
        let (status, output) = try session(agent, editor)
        #expect(status == 0)
        #expect(editor.prompts.count(where: { $0.contains("[y/N]") }) == 2)
        #expect(output.errorText == "it may trap\nit may trap\n")
        let confirmed = agent.requests.filter { $0.params["isConfirmed"] == .bool(true) }
        #expect(agent.requests.count == 4)
        #expect(confirmed.count == 2)
    }

    @Test("emptying a collection is asked for each time, and only in a session")
    func confirmedEachTime() throws {
        let agent = try ScriptedAgent(in: folder.path) { request in
            request.params["isConfirmed"] == .bool(false)
                ? .failure(CommandFailure(.unconfirmed, "it has 21 elements"))
                : .answer(ChangeAnswer(change: ChangeRecord()))
        }
        let editor = ScriptedEditor([
            .line("photos.items = []"), .line("y"), .line("photos.ids = []"), .line("n"),
            .line("quit"),
        ])
        let (_, output) = try session(agent, editor)
        #expect(editor.prompts.count(where: { $0 == "Empty it? [y/N] " }) == 2)
        #expect(output.errorText == "it has 21 elements\nit has 21 elements\n")
        #expect(
            agent.requests.map { $0.params["isConfirmed"] }
                == [.bool(false), .bool(true), .bool(false)])
    }

    @Test("Ctrl-C ends the running command and not the session, in less than 100 ms")
    func interrupt() throws {
        var quickest = UInt64.max
        for _ in 0..<5 where quickest > 100_000_000 {
            quickest = min(quickest, try timeOfInterruption())
        }
        #expect(quickest < 100_000_000)
    }

    // In nanoseconds, from the key to the next prompt.
    private func timeOfInterruption() throws -> UInt64 {
        let agent = try ScriptedAgent(in: folder.path) { request in
            request.params["path"] == .string("slow") ? .silence : ScriptedAgent.usual(request)
        }
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let editor = ScriptedEditor([.line("get slow"), .line("get x")])
        editor.interrupt = descriptor
        let times = RecordedText()
        editor.beforeLine = { number in
            guard number == 0 else {
                if number == 1 { times.append("\(MonotonicTime.now.nanoseconds)") }
                return
            }
            Thread.detachNewThread {
                while agent.requests.isEmpty { usleep(500) }
                times.append("\(MonotonicTime.now.nanoseconds) ")
                pipe.fileHandleForWriting.write(Data([1]))
            }
        }
        let (_, output) = try session(agent, editor)
        #expect(output.text == "12\n\n")
        #expect(output.errorText.hasPrefix("interrupted"))
        let moments = times.text.split(separator: " ").compactMap { UInt64($0) }
        #expect(moments.count == 2)
        // The connection with an answer under way was given up and another one made.
        #expect(agent.connections == 2)
        return (moments.last ?? .max) - (moments.first ?? 0)
    }

    @Test(
        "an agent that went away is said, is tried once a command, and is taken up when it is back")
    func lost() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let folder = folder
        let editor = ScriptedEditor([
            .line("get a"), .line("get b"), .line("get c"), .line("get d"),
        ])
        let tries = RecordedText()
        var next: ScriptedAgent?
        editor.beforeLine = { number in
            if number == 1 {
                agent.die()
                unlink(agent.path)
            }
            if number == 3 {
                next = try? ScriptedAgent(in: folder.path, name: "service", socketName: .dead())
            }
        }
        let (_, output) = try session(agent, editor) {
            tries.append("once more\n")
            guard let next else { return .failure(CommandFailure(.unreachable, "no agent")) }
            return Result { () throws(CommandFailure) in
                try AgentConnection(
                    connectingTo: AgentLocation(path: next.path),
                    deadline: .now.advanced(by: .seconds(5)))
            }
        }
        #expect(tries.text.split(separator: "\n").count == 3)
        #expect(output.text == "12\n12\n\n")
        #expect(output.errorText.contains("is lost: no agent"))
        #expect(output.errorText.contains("connected to service("))
        #expect(editor.prompts[2].contains("lost"))
        #expect(editor.prompts[4].contains("lost") == false)
    }

    // Expects the completions of each half-typed line, a line each. Completion has 250 ms, and
    // shows nothing afterwards: a busy machine may take longer, so it is tried again.
    @Test("several commands, programs, files, lines that go on, aliases and a start file")
    func words() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let start = folder.path + "/rc"
        try PrivateFile.replace(start, with: Array("# mine\nalias n = get x\nnonsense here\n".utf8))
        let editor = ScriptedEditor(
            [
                "get a; get b", "n", "get c | cat > \(folder.path)/piped",
                "get d > \(folder.path)/made",
                "get e >> \(folder.path)/made", "history", "!1", "get items[", "3]", "get f \\",
                "--depth 2", "objects; get never",
            ].map { .line($0) })
        let (status, output) = try session(agent, editor, start: start)
        #expect(status == 0)
        #expect(
            agent.requests.compactMap { request in
                if case .string(let path)? = request.params["path"] { path } else { nil }
            } == ["a", "b", "x", "c", "d", "e", "a", "b", "items[ 3]", "f"])
        #expect(output.text.hasPrefix("12\n12\n12\n    1  get a; get b\n    2  n\n"))
        #expect(SmallFile.text(of: folder.path + "/piped") == "12\n")
        #expect(SmallFile.text(of: folder.path + "/made") == "12\n12\n")
        #expect(try FileFacts.of(folder.path + "/made").mode == 0o600)
        #expect(editor.prompts.contains("... "))
        #expect(output.errorText.contains("unknown command 'nonsense'"))
        #expect(output.errorText.contains("it is a line of \(folder.path)/rc: nonsense"))
        #expect(output.errorText.contains("nothing named 'objects'"))
        for name in ["rc", "piped", "made"] { unlink(folder.path + "/" + name) }
    }

    @Test("behind `=` stand a property's values; more than twenty elements are summed up")
    func values() throws {
        let agent = try ScriptedAgent(in: folder.path) { request in
            guard request.params["of"] != .string("value") else {
                return .answer(
                    CompletionAnswer(candidates: ["nil", ".idle", ".failed("], isCut: false))
            }
            let elements = (0..<200).map { "items[\($0)]" }
            return .answer(CompletionAnswer(candidates: elements, isCut: true))
        }
        let first = (0..<19).map { "\"items[\($0)]\"" }.joined(separator: ", ")
        try expectCompletions(
            of: [
                ("photo.state = ", 14), ("photo.state = .f", 14), ("set photo.state n", 16),
                ("photo.state = .idle x", 20), ("show items[", 5),
            ], by: agent,
            """
            ["nil", ".idle", ".failed("]
            [".failed("]
            ["nil"]
            []
            [\(first), "items[…]  181 or more others"]

            """)
        let asked = agent.requests.filter { $0.params["of"] == .string("value") }
        #expect(asked.allSatisfy { $0.params["path"] == .string("photo.state") })
    }
}

extension JSONValue {
    fileprivate var texts: [String] {
        guard case .array(let elements) = self else { return [] }
        return elements.compactMap { element in
            if case .string(let text) = element { text } else { nil }
        }
    }
}
