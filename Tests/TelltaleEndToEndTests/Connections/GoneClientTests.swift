import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A request still waiting for its owner when its client goes is not run any more.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GoneClientTests {
    private static let gone = "cancelled: the client has gone"

    private func ask(_ host: TestHost, _ arguments: String...) throws -> String {
        try host.telltale(["\(host.pid)"] + arguments).output
    }

    /// Waits until a change waits for the blocked queue: a worker waits with it.
    private func waitForWaiting(_ host: TestHost) throws {
        try waitUntil("a change is waiting") { try ask(host, "info").contains(", 1 busy") }
    }

    private func expectCancelled(_ host: TestHost) throws {
        try waitUntil("the changes say so") { try ask(host, "changes").contains(Self.gone) }
        try host.perform("unblock")
        // Behind whatever the agent may still have there.
        #expect(try host.perform("prompt") == "nil")
        #expect(try host.perform("count") == "3")
        let changes = try ask(host, "changes")
        #expect(changes.components(separatedBy: Self.gone).count == 2, "\(changes)")
    }

    @Test(
        "a change whose client was killed before it began is not made",
        arguments: [["set", "photos.prompt", "late"], ["call", "photos.add(\"late\", 1)"]])
    func killed(_ command: [String]) throws {
        let host = try TestHost()
        try host.perform("block")
        let client = try start(host, command)
        try waitForWaiting(host)
        kill(client.pid, SIGKILL)
        try expectCancelled(host)
    }

    @Test("a change whose client was ended with Ctrl-C before it began is not made")
    func interrupted() throws {
        let host = try TestHost()
        try host.perform("block")
        let client = try start(host, ["set", "photos.prompt", "late"])
        try waitForWaiting(host)
        try client.type("\u{3}")
        try expectCancelled(host)
    }

    @Test("a client that only sends nothing more has its change made, and its answer")
    func halfClosed() throws {
        let host = try TestHost()
        try host.perform("block")
        let client = try RawClient(try host.socketPath())
        client.send(line: "set photos.prompt late")
        client.halfClose()
        try waitForWaiting(host)
        try host.perform("unblock")
        #expect(try #require(client.line()).contains("photos.prompt"))
        try host.wait(for: "prompt", toBe: "late")
    }

    @Test("a change whose client went just before its owner was free is not made, 20 times")
    func moment() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        for round in 1...20 {
            try host.perform("block")
            var client: RawClient? = try RawClient(path)
            client?.send(line: "set photos.prompt p\(round)")
            try waitForWaiting(host)
            client = nil
            try host.perform("unblock")
            #expect(try host.perform("prompt") == "nil")
        }
    }

    private func start(_ host: TestHost, _ command: [String]) throws -> TerminalProgram {
        try TerminalProgram(
            try BuiltProgram.path(of: "telltale"), ["\(host.pid)"] + command,
            environment: [
                "TELLTALE_DIRECTORY": host.directory, "NO_COLOR": "1", "INPUTRC": "/dev/null",
            ])
    }
}
