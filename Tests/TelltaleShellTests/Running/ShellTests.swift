import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleShell
import TelltaleSystem
import TelltaleTestSupport
import Testing

struct ShellTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("telltale-shell") }

    private struct Outcome {
        var status: Int32
        var text: String
        var errors: String

        /// Standard output as the one JSON document that it must be.
        func document() throws -> [String: Any] {
            try #require(
                JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
    }

    private func run(_ arguments: String...) -> Outcome {
        let output = RecordedOutput()
        let shell = Shell(
            output: output, environment: { _ in nil },
            places: SearchPlaces(only: [.init(directory: folder.path)]),
            editorLibrary: "GNU readline 8.2", makeEditor: { ScriptedEditor([]) })
        let status = shell.run(arguments)
        return Outcome(status: status, text: output.text, errors: output.errorText)
    }

    @Test("one command's answer is all that is written")
    func command() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let outcome = run("service", "get", "photos.items.count")
        #expect(outcome.status == 0)
        #expect(outcome.text == "12\n")
        #expect(outcome.errors.isEmpty)
        #expect(agent.requests.map(\.method) == ["get"])
    }

    @Test("every failure has its exit status, on standard error, and as one JSON document")
    func statuses() throws {
        let agent = try ScriptedAgent(in: folder.path) { request in
            switch request.params["path"] {
            case .string("denied"): .failure(CommandFailure(.denied, "read-only", hint: "do"))
            case .string("slow"): .failure(CommandFailure(.timeout, "slow"))
            case .string("type"): .failure(CommandFailure(.wrongType, "type"))
            case .string("gone"):
                .answer(
                    PlainAnswer(
                        ValueAnswer(
                            path: "gone",
                            value: ValueNode(type: "Int", kind: .unavailable, note: "no"),
                            owner: "none", read: "in place")))
            default: .failure(CommandFailure(.notFound, "nothing"))
            }
        }
        for (path, status) in [
            ("denied", 4), ("slow", 5), ("type", 1), ("nothing", 1), ("gone", 6),
        ] as [(String, Int32)] {
            #expect(run("service", "get", path).status == status, "\(path)")
            let json = run("--json", "service", "get", path)
            #expect(json.status == status)
            let error = try json.document()["error"] as? [String: Any]
            #expect(path == "gone" || error?["exitStatus"] as? Int == Int(status))
        }
        #expect(run("service", "get", "denied").errors == "error: read-only\n  do\n")
        #expect(run("service", "get", "denied").text.isEmpty)
        withExtendedLifetime(agent) {}
    }

    private static func stuck(_ verdict: StuckAnswer.Verdict) -> ScriptedAgent.Reaction {
        .answer(
            StuckAnswer(
                verdict: verdict,
                findings: verdict == .healthy || verdict == .unknown
                    ? [] : [StuckAnswer.Finding(.slow, parties: [])],
                captures: 2, milliseconds: 300))
    }

    @Test("stuck is a liveness probe: 0 healthy, 7 stuck, 3 not reachable, 5 not answered")
    func probe() throws {
        #expect(run("service", "stuck").status == 3)
        for (name, verdict, status) in [
            ("calm", .healthy, 0), ("slow", .blocked, 7), ("dead", .deadlock, 7),
            ("busy", .unknown, 5),
        ] as [(String, StuckAnswer.Verdict, Int32)] {
            let agent = try ScriptedAgent(in: folder.path, name: name) { _ in Self.stuck(verdict) }
            defer {
                agent.die()
                unlink(agent.path)
            }
            let outcome = run(name, "stuck")
            #expect(outcome.status == status && outcome.errors.isEmpty)
            #expect(outcome.text.hasPrefix("healthy") == (status == 0))
            let document = run("--json", name, "stuck")
            #expect(document.status == status)
            #expect(try document.document()["verdict"] as? String == verdict.rawValue)
        }
        let agent = try ScriptedAgent(in: folder.path) { _ in .silence }
        #expect(run("--timeout", "50ms", "service", "stuck").status == 5)
        withExtendedLifetime(agent) {}
    }

    @Test("a mistyped name gets the nearest one, and a mistyped command too")
    func nearest() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "photo-manager")
        #expect(
            run("photo-manger", "status").errors.contains(
                "did you mean photo-manager? available: photo-manager ("))
        #expect(run("stauts", "x").errors.contains("did you mean the command status?"))
        #expect(run("zzz", "status").errors.contains("did you mean") == false)
        withExtendedLifetime(agent) {}
    }

    @Test("a command that ends with its connection is refused alone, with what to type")
    func endingWithConnection() throws {
        let agent = try ScriptedAgent(in: folder.path)
        for command in [["suspend", "uploads"], ["begin"]] {
            let outcome = run("service", command[0], command.dropFirst().joined())
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("`\(command[0])` ends with its connection"))
            #expect(outcome.errors.contains("`telltale service`"))
            #expect(
                outcome.errors.contains("`telltale service suspend uploads --for 30s`")
                    == (command[0] == "suspend"))
        }
        #expect(agent.requests.isEmpty)
        _ = run("service", "suspend", "uploads", "--for", "30s")
        #expect(agent.requests.count == 1)
        withExtendedLifetime(agent) {}
    }

    @Test("what is wrong before anything is asked")
    func usage() throws {
        let agent = try ScriptedAgent(in: folder.path)
        #expect(run("--nonsense").status == 2)
        #expect(run("service", "get").status == 2)
        #expect(run("service", "undo", "x").status == 2)
        #expect(run("nobody", "set", "photos.prompt", "1").status == 3)
        #expect(run("nobody", "call", "photos.add()").status == 3)
        #expect(run("nobody", "show", "photos", "--describe").status == 3)
        #expect(run("help", "nonsense").status == 2)
        #expect(agent.requests.isEmpty)
        #expect(try run("--json", "--nonsense").document()["error"] != nil)
        #expect(try run("--json", "nobody", "status").document()["error"] != nil)
    }

    @Test("what only reads goes out with the greeting, and the wrong agent's answer is dropped")
    func early() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let outcome = run("nobody", "get", "x")
        #expect(outcome.status == 3)
        #expect(outcome.text.isEmpty)
        #expect(run("service", "get", "x").text == "12\n")
        // The first client may have gone before the agent has read what it asked.
        try waitUntil("both requests have come") {
            agent.requests.filter { $0.params["path"] == .string("x") }.count == 2
        }
    }

    @Test("the listing, help and the version are JSON documents too")
    func documents() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let listing = try run("--json").document()
        let processes = try #require(listing["processes"] as? [[String: Any]])
        #expect(processes.contains { $0["name"] as? String == "service" })
        #expect(try run("--json", "help").document()["kind"] as? String == "help")
        #expect(try run("--json", "service", "quit").document()["kind"] as? String == "nothing")
        #expect(run("service", "quit").text.isEmpty)
        #expect(try run("--json", "--version").document()["kind"] as? String == "version")
        #expect(try run("--json", "service", "status").document()["kind"] as? String == "status")
        withExtendedLifetime(agent) {}
    }

    @Test("the version says what the licence of readline means")
    func licence() {
        let text = run("--version").text
        #expect(text.contains("GNU readline 8.2") && text.contains("GPL-3.0-or-later"))
        #expect(text.contains("Apache License 2.0"))
    }

    @Test("a dump goes into a file of mode 0600, and the agent is not told where")
    func dump() throws {
        let agent = try ScriptedAgent(in: folder.path) { _ in
            .parts(
                [["one"], ["two"]],
                DumpAnswer(
                    id: 7, time: "t", lines: ["one", "two", "end"], missing: 0, file: nil)
            )
        }
        let file = folder.path + "/photos.dump"
        // A link is replaced, and what it leads to is left alone.
        let victim = folder.path + "/victim"
        try PrivateFile.replace(victim, with: Array("precious".utf8))
        symlink(victim, file)
        let outcome = run("service", "dump", "--output", file)
        #expect(outcome.status == 0)
        #expect(outcome.text == "dump d7: 3 lines written to \(file)\n")
        #expect(SmallFile.text(of: file) == "one\ntwo\nend\n")
        #expect(try FileFacts.of(file).mode == 0o600)
        #expect(SmallFile.text(of: victim) == "precious")
        #expect(agent.requests.first?.params["output"] == nil)
        #expect(run("service", "dump").text == "one\ntwo\nend\n")
        let refused = run("service", "dump", "--output", "/nonexistent/x")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("dump d7 is still with the agent"))
        #expect(run("service", "dump", "--output", folder.path).status == 1)
        #expect(!DirectoryListing.names(in: folder.path).contains { $0.hasSuffix(".tmp") })
    }
}
