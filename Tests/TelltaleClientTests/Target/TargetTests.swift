import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

struct TargetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("telltale-target") }

    private func connect(_ word: String?) throws -> AgentConnection {
        var resolver = TargetResolver(
            discovery: Discovery(
                places: SearchPlaces(only: [.init(directory: folder.path)]),
                timeout: .seconds(5)))
        return try resolver.connect(to: try word.map(Target.init(parsing:)))
    }

    private func failure(_ word: String?) -> CommandFailure? {
        do {
            _ = try connect(word)
            return nil
        } catch {
            return error as? CommandFailure
        }
    }

    @Test("words are told apart")
    func words() throws {
        #expect(try Target(parsing: "4242") == .pid(4242))
        #expect(try Target(parsing: "photo-manager") == .name("photo-manager"))
        #expect(try Target(parsing: "photo-manager(4242)") == .pid(4242))
        #expect(try Target(parsing: "/tmp/x.sock") == .socket("/tmp/x.sock"))
        #expect(try Target(parsing: "1-2.sock") == .socket("./1-2.sock"))
        #expect(try Target(parsing: "run/1-2.sock") == .socket("run/1-2.sock"))
        #expect(try Target(parsing: "./agent") == .socket("./agent"))
        #expect(try Target(parsing: "../agent") == .socket("../agent"))
        #expect(try Target(parsing: "app/photo-manager") == .named(user: "app", "photo-manager"))
        #expect(try Target(parsing: "1000/photo-manager") == .named(user: "1000", "photo-manager"))
        #expect(try Target(parsing: "app/photo-manager(4242)") == .pid(4242))
        #expect(throws: CommandFailure.self) { try Target(parsing: "") }
        #expect(throws: CommandFailure.self) { try Target(parsing: "99999999999") }
        #expect(throws: CommandFailure.self) { try Target(parsing: "0") }
    }

    @Test("a name, a pid, a socket's path and nothing at all all lead to the one agent")
    func reached() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "ledger")
        for word in ["ledger", "\(ProcessIdentity.pid)", agent.path, nil] {
            #expect(try connect(word).hello.name == "ledger")
        }
    }

    @Test("a name that two agents bear is refused with both")
    func ambiguous() throws {
        let agents = try [1, 2].map {
            try ScriptedAgent(in: folder.path, name: "twin", socketName: .dead($0))
        }
        let failure = try #require(self.failure("twin"))
        #expect(failure.exitStatus == .usage)
        #expect(failure.message.contains("2 agents are named 'twin'"))
        #expect(self.failure(nil)?.message.contains("2 agents can be reached") == true)
        withExtendedLifetime(agents) {}
    }

    @Test("a user's name or number before the service's leads to his")
    func ofUser() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "ledger")
        let own = ProcessIdentity.uid
        #expect(try connect("\(own)/ledger").hello.name == "ledger")
        if let name = UserNames.name(of: own) {
            #expect(try connect("\(name)/ledger").hello.name == "ledger")
        }
        let failure = try #require(self.failure("nobody-has-this-name/ledger"))
        #expect(failure.exitStatus == .usage)
        #expect(failure.message.contains("there is no user 'nobody-has-this-name'"))
        withExtendedLifetime(agent) {}
    }

    @Test("an unknown name tells which agents there are")
    func unknownName() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "ledger")
        let failure = try #require(self.failure("lodger"))
        #expect(failure.exitStatus == .unreachable)
        #expect(failure.message.contains("'lodger'"))
        #expect(failure.hint?.contains("ledger (\(ProcessIdentity.pid))") == true)
        withExtendedLifetime(agent) {}
    }

    @Test("a pid that has ended, and one without an agent, are told apart")
    func pids() throws {
        #expect(failure("4194301")?.message == "there is no process 4194301")
        #expect(failure("4194301")?.exitStatus == .unreachable)
        let sleeper = try StartedProgram("/bin/sleep", ["60"])
        defer { kill(sleeper.pid, SIGKILL) }
        let foreign = try #require(self.failure("\(sleeper.pid)"))
        #expect(foreign.message.contains("(sleep) is not a Swift program"), "\(foreign)")
        let own = try #require(self.failure("\(ProcessIdentity.pid)"))
        #expect(own.message.contains("has no agent"))
        #expect(own.exitStatus == .unreachable)
    }

    @Test("agents that can't answer are only counted in a failure if there are many")
    func manySilent() throws {
        let sleepers = try (0..<3).map { _ in try StartedProgram("/bin/sleep", ["60"]) }
        defer { for sleeper in sleepers { kill(sleeper.pid, SIGKILL) } }
        for sleeper in sleepers {
            kill(sleeper.pid, SIGSTOP)
            try waitUntil("it is stopped") { ProcessFiles(pid: sleeper.pid).stat?.state == "T" }
            let ticks = try #require(ProcessFiles(pid: sleeper.pid).stat?.startTicks)
            let name = SocketName(pid: sleeper.pid, startTicks: ticks).fileName
            do { _ = try UnixSocket.listen(at: "\(folder.path)/\(name)", backlog: 1) }
        }
        let failure = try #require(self.failure("ledger"))
        #expect(failure.message == "no agent is named 'ledger'")
        let hint = try #require(failure.hint)
        #expect(hint.hasSuffix("; 3 others can't answer (`telltale` lists them)"), "\(hint)")
    }

    @Test("what is at a path that is no agent's socket is said")
    func paths() throws {
        let file = folder.path + "/file"
        try PrivateFile.replace(file, with: [1])
        #expect(failure(file)?.message.contains("is a plain file and not a socket") == true)
        let link = folder.path + "/link"
        symlink(file, link)
        #expect(failure(link)?.message.contains("symbolic link to \(file)") == true)
        #expect(failure(folder.path)?.message.contains("is a directory") == true)
        #expect(failure(folder.path + "/none")?.message.contains("No such file") == true)
        let long = "/tmp/" + String(repeating: "x", count: 103)
        #expect(failure(long)?.message.contains("108 bytes") == true)
        for path in [file, link, folder.path, folder.path + "/none", long] {
            #expect(failure(path)?.exitStatus == .unreachable)
        }
    }

    @Test("a dead socket is said to be one")
    func deadSocket() throws {
        let path = "\(folder.path)/\(SocketName.dead().fileName)"
        do { _ = try UnixSocket.listen(at: path, backlog: 1) }
        let failure = try #require(self.failure(path))
        #expect(failure.exitStatus == .unreachable)
        #expect(failure.message.contains("the agent at \(path) is gone"))
    }

    @Test("an agent of another version is refused with both numbers")
    func version() throws {
        var hello = ScriptedAgent.hello("future", ScriptedAgent.ownName)
        hello.protocolVersion = 99
        let agent = try ScriptedAgent(in: folder.path, hello: .answer(hello))
        let failure = try #require(self.failure(agent.path))
        #expect(failure.exitStatus == .unreachable)
        #expect(failure.message.contains("99") && failure.message.contains("1"))
    }

    @Test(
        "what does not speak as an agent does is said, whatever it says",
        arguments: [
            "hello yourself", "{}", "[1]", "{\"jsonrpc\":\"2.0\",\"id\":1}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"nonsense\"}}", "\u{0}\u{7f}",
        ])
    func garbage(_ text: String) throws {
        let agent = try ScriptedAgent(in: folder.path, hello: .raw(Array(text.utf8)))
        #expect(failure(agent.path)?.exitStatus == .unreachable)
    }

    @Test("one that closes at once is no agent that answers")
    func closes() throws {
        let agent = try ScriptedAgent(in: folder.path, hello: .hangUp)
        let failure = try #require(self.failure(agent.path))
        #expect(failure.message.contains("closed the connection"))
        #expect(failure.exitStatus == .unreachable)
    }
}
