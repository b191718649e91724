import Foundation
import Synchronization
import TelltaleClient
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

struct ConnectionTests {
    private let folder: TemporaryFolder
    private let status: Request
    private let dump: Request

    init() throws {
        folder = try TemporaryFolder("telltale-connection")
        status = try Request(StatusCommand.self, NoParameters())
        dump = try Request(DumpCommand.self, DumpCommand.Parameters())
    }

    private func connect(_ script: @escaping ScriptedAgent.Script) throws -> AgentConnection {
        let agent = try ScriptedAgent(in: folder.path, script: script)
        return try AgentConnection(
            connectingTo: AgentLocation(path: agent.path), deadline: .now.advanced(by: .seconds(5)))
    }

    @Test("an answer and a failure come back as they were sent")
    func answers() throws {
        let connection = try connect(ScriptedAgent.usual)
        #expect(same(try connection.answer(to: status), ScriptedAgent.status()))
        let failure = #expect(throws: CommandFailure.self) {
            try connection.answer(to: ObjectsCommand.self, NoParameters())
        }
        #expect(failure?.code == .notFound)
        #expect(failure?.message == "nothing named 'objects'")
        #expect(connection.isOpen)
    }

    @Test("lines ahead of the answer come in their order")
    func parts() throws {
        let answer = DumpAnswer(id: 7, time: "t", lines: ["a", "b", "c"], missing: 0, file: nil)
        let connection = try connect { _ in .parts([["a"], ["b"]], answer) }
        var early: [String] = []
        let got = try connection.answer(
            to: dump
        ) { early += $0 }
        #expect(early == ["a", "b"])
        #expect(same(got, answer))
    }

    @Test(
        "lines ahead of the answer are held to a bound, which is said",
        arguments: [
            [String(repeating: "x", count: 100_000)], Array(repeating: "", count: 6_250),
        ])
    func endlessParts(part: [String]) throws {
        let answer = DumpAnswer(id: 7, time: "t", lines: [], missing: 0, file: nil)
        let connection = try connect { _ in .parts(Array(repeating: part, count: 100), answer) }
        connection.longestStream = 2 << 20
        var bytes = 0
        let failure = #expect(throws: CommandFailure.self) {
            try connection.answer(
                to: dump
            ) { bytes += $0.reduce(0) { $0 + $1.utf8.count + 16 } }
        }
        #expect(failure?.code == .bound)
        #expect(failure?.message.contains("longer than 2 MiB") == true)
        #expect(bytes > 1 << 20 && bytes <= 2 << 20)
        #expect(connection.isBroken)
    }

    @Test("who always has something to say is not listened to beyond the time that was asked for")
    func endlessTalk() throws {
        let answer = DumpAnswer(id: 7, time: "t", lines: [], missing: 0, file: nil)
        let connection = try connect { _ in .parts(Array(repeating: ["a"], count: 1000), answer) }
        let began = MonotonicTime.now
        var parts = 0
        let failure = #expect(throws: CommandFailure.self) {
            try connection.answer(
                to: dump, limit: .milliseconds(1)
            ) { _ in
                parts += 1
                // The client waits half a second longer than it was asked to.
                while MonotonicTime.now.since(began) < .milliseconds(600) { usleep(10_000) }
            }
        }
        #expect(failure?.code == .timeout)
        #expect(parts == 1)
    }

    @Test("a greeting without an end is not held beyond a mebibyte")
    func endlessGreeting() throws {
        let agent = try ScriptedAgent(
            in: folder.path, hello: .raw(Array(repeating: UInt8(ascii: "{"), count: 4 << 20)))
        let failure = #expect(throws: CommandFailure.self) {
            try AgentConnection(
                connectingTo: AgentLocation(path: agent.path),
                deadline: .now.advanced(by: .seconds(5)))
        }
        #expect(failure?.message.contains("does not speak as an agent does") == true)
    }

    @Test("a handshake that does not come names the time that was waited")
    func noHandshake() throws {
        let agent = try ScriptedAgent(in: folder.path, hello: .silence)
        let failure = #expect(throws: CommandFailure.self) {
            try AgentConnection(
                connectingTo: AgentLocation(path: agent.path),
                deadline: .now.advanced(by: .milliseconds(300)))
        }
        #expect(failure?.exitStatus == .late)
        let words = failure?.message.split(separator: " ").suffix(4) ?? []
        #expect(words.first == "handshake" && words.last == "ms")
        // From the begin of the handshake on, which is a moment later than the deadline was set.
        #expect((200...300).contains(Int(words.dropLast().last ?? "") ?? 0))
    }

    @Test("an agent that does not answer costs its deadline and no more")
    func silence() throws {
        let connection = try connect { _ in .silence }
        let before = MonotonicTime.now
        let failure = #expect(throws: CommandFailure.self) {
            try connection.answer(to: status, limit: .milliseconds(100))
        }
        #expect(failure?.exitStatus == .late)
        #expect(failure?.message.contains("within 100 ms") == true)
        // Without a limit of its own it would be 5.5 s.
        #expect(MonotonicTime.now.since(before) < .seconds(5))
        #expect(connection.isBroken)
    }

    @Test("the agent is told how long it has")
    func deadline() throws {
        let seen = Mutex<JSONValue?>(nil)
        let agent = try ScriptedAgent(in: folder.path) { request in
            seen.withLock { $0 = request.params["deadlineMilliseconds"] }
            return ScriptedAgent.usual(request)
        }
        let connection = try AgentConnection(
            connectingTo: AgentLocation(path: agent.path), deadline: .now.advanced(by: .seconds(5)))
        _ = try connection.answer(to: status, limit: .seconds(3))
        #expect(seen.withLock { $0 } == .integer(3000))
        _ = try connection.answer(to: status)
        #expect(seen.withLock { $0 } == nil)
    }

    @Test("an agent that goes in the middle is said to have closed the connection")
    func hangUp() throws {
        let connection = try connect { _ in .hangUp }
        let failure = #expect(throws: CommandFailure.self) { try connection.answer(to: status) }
        #expect(failure?.exitStatus == .unreachable)
        #expect(failure?.message.contains("closed the connection") == true)
        #expect(!connection.isOpen)
    }

    @Test("an interrupt ends the wait at once")
    func interrupt() throws {
        let agent = try ScriptedAgent(in: folder.path) { _ in .silence }
        var quickest = Duration.seconds(60)
        for _ in 0..<5 {
            let connection = try AgentConnection(
                connectingTo: AgentLocation(path: agent.path),
                deadline: .now.advanced(by: .seconds(5)))
            let pipe = Pipe()
            pipe.fileHandleForWriting.write(Data([1]))
            let before = MonotonicTime.now
            let failure = #expect(throws: CommandFailure.self) {
                try connection.answer(
                    to: status, interrupt: pipe.fileHandleForReading.fileDescriptor)
            }
            #expect(failure?.isInterruption == true)
            quickest = min(quickest, MonotonicTime.now.since(before))
        }
        #expect(quickest < .milliseconds(100))
    }

    @Test("the answer to another request is passed over")
    func late() throws {
        let connection = try connect { request in
            guard case .integer(let id)? = request.id else { return .silence }
            let late = RPCResponse(
                id: .integer(id - 1), result: .failure(CommandFailure(.internal, "late")))
            let own = RPCResponse(id: .integer(id), answer: ScriptedAgent.status())
            return .raw(Array((late.line + "\n" + own.line).utf8))
        }
        #expect(same(try connection.answer(to: status), ScriptedAgent.status()))
    }
}
