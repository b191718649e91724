import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A connection reads what a queue guards on its own thread, which may wait there for good: then it is
/// given another one.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TakenOverTests {
    private static func get(_ path: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"get","params":{"path":"\#(path)"}}"#
    }

    private static func connect(to host: TestHost) throws -> RawClient {
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        _ = try #require(client.line())
        return client
    }

    @Test("what was sent together is answered in order, what can be had and what can't")
    func inOrder() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "300"])
        let client = try Self.connect(to: host)
        client.send(line: Self.get("photos.prompt", id: 1))
        #expect(client.line()?.contains(#""id":1,"result""#) == true)
        let before = try #require(HostFootprint(of: host.pid))
        try host.perform("block")
        client.send(
            line: [("photos.prompt", 2), ("answer", 3), ("photos.prompt", 4), ("answer", 5)]
                .map { Self.get($0.0, id: $0.1) }.joined(separator: "\n"))
        for id in 2...5 {
            let line = try #require(client.line(), "\(id)")
            let isHeld = id % 2 == 0
            #expect(line.contains(#""id":\#(id),"\#(isHeld ? "error" : "result")""#), "\(line)")
            #expect(!isHeld || line.contains("did not answer in 300 ms"), "\(line)")
        }
        try host.perform("unblock")
        client.send(line: Self.get("photos.prompt", id: 6))
        #expect(client.line()?.contains(#""id":6,"result""#) == true)
        // The thread that waited ends, and the reserve of workers is one.
        try waitUntil("it has what it had before: \(before)") {
            let now = try #require(HostFootprint(of: host.pid))
            return now.threads <= before.threads + 1 && now.connections <= before.connections
                && now.descriptors <= before.descriptors
        }
    }

    @Test("each request is answered once, however the owner comes and goes meanwhile")
    func comesAndGoes() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "5000"])
        let client = try Self.connect(to: host)
        var generator = SeededGenerator(seed: 11)
        var id = 0
        for _ in 0..<60 {
            try host.perform("block")
            // Some of them while it is held, for as long as a thread waits for it, and around that moment.
            let count = Int.random(in: 1...6, using: &generator)
            client.send(
                line: (1...count).map { Self.get("photos.prompt", id: id + $0) }
                    .joined(separator: "\n"))
            usleep(UInt32.random(in: 0...80_000, using: &generator))
            try host.perform("unblock")
            for next in id + 1...id + count {
                let line = try #require(client.line())
                #expect(line.contains(#""id":\#(next),"result""#), "\(line)")
            }
            id += count
        }
        #expect(client.send(line: Self.get("answer", id: 0)))
        #expect(client.line()?.contains(#""id":0,"result""#) == true)
    }

    @Test("stop() closes a connection whose thread waits", arguments: [false, true])
    func stopped(isTakenOver: Bool) throws {
        let host = try TestHost()
        let client = try Self.connect(to: host)
        try host.perform("block")
        client.send(line: Self.get("photos.prompt", id: 1))
        if isTakenOver {
            try waitUntil("another thread has its request") {
                try #require(HostFootprint(of: host.pid)).connections == 2
            }
        }
        #expect(try host.perform("stop") == "stopped")
        #expect(client.closes(seconds: 10))
        try host.perform("unblock")
        #expect(try host.perform("start") == "running")
        #expect(try host.telltale(["\(host.pid)", "get", "photos.prompt"]).status == 0)
    }
}
