import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Requests whose owner is held for a while.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HeldOwnerTests {
    private static func get(_ path: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"get","params":{"path":"\#(path)"}}"#
    }

    private static func add(_ path: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"set","params":"#
            + #"{"path":"\#(path)","value":"1","operation":"+="}}"#
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
        // The agent tries Dispatch's timers when it begins; Dispatch has a descriptor for them from then on.
        #expect(try host.telltale(["\(host.pid)", "timers"]).status == 0)
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
        // The worker that waited ends, and one stays in reserve.
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
        _ = try ask(client, of: host, rounds: 60, seed: 11) { Self.get("photos.prompt", id: $0) }
        #expect(client.send(line: Self.get("answer", id: 0)))
        #expect(client.line()?.contains(#""id":0,"result""#) == true)
    }

    /// Sends some requests at a time while their owner is held, each of which is to have its result. Returns how many
    /// there were, numbered from 1 on.
    private func ask(
        _ client: RawClient, of host: TestHost, rounds: Int, seed: UInt64,
        _ request: (Int) -> String, check: (Int, String) -> Void = { _, _ in }
    ) throws -> Int {
        var generator = SeededGenerator(seed: seed)
        var id = 0
        for _ in 0..<rounds {
            try host.perform("block")
            let count = Int.random(in: 1...6, using: &generator)
            client.send(line: (1...count).map { request(id + $0) }.joined(separator: "\n"))
            usleep(UInt32.random(in: 0...80_000, using: &generator))
            try host.perform("unblock")
            for next in id + 1...id + count {
                let line = try #require(client.line())
                #expect(line.contains(#""id":\#(next),"result""#), "\(line)")
                check(next, line)
            }
            id += count
        }
        return id
    }

    @Test("each change is made once and counted once, however the owner comes and goes meanwhile")
    func changes() throws {
        let host = try TestHost(environment: [
            "TELLTALE_OWNER_DEADLINE": "5000", "TELLTALE_AUDIT": "off",
        ])
        let client = try Self.connect(to: host)
        let count = try ask(client, of: host, rounds: 40, seed: 14) {
            Self.add("photos.items[0].size", id: $0)
        } check: { id, line in
            #expect(line.contains(#""old":"\#(1199 + id)","new":"\#(1200 + id)""#), "\(line)")
            #expect(line.contains(#""number":\#(id),"#), "\(line)")
        }
        client.send(line: Self.get("photos.items[0].size", id: 0))
        #expect(client.line()?.contains(#""text":"\#(1200 + count)""#) == true)
    }

    /// Waits until a worker waits for the owner.
    private static func waitForWorker(_ host: TestHost) throws {
        try waitUntil("a worker waits") {
            try host.telltale(["\(host.pid)", "info"]).output.contains(", 1 busy")
        }
    }

    @Test("stop() closes a connection whose request waits")
    func stopped() throws {
        let host = try TestHost()
        let client = try Self.connect(to: host)
        try host.perform("block")
        client.send(line: Self.get("photos.prompt", id: 1))
        try Self.waitForWorker(host)
        #expect(try host.perform("stop") == "stopped")
        #expect(client.closes(seconds: 10))
        try host.perform("unblock")
        #expect(try host.perform("start") == "running")
        #expect(try host.telltale(["\(host.pid)", "get", "photos.prompt"]).status == 0)
    }

    @Test("nothing of an agent that was stopped in the middle of requests is left")
    func stoppedAgain() throws {
        let host = try TestHost()
        var before: HostFootprint?
        for round in 0..<12 {
            let held = try Self.connect(to: host)
            let person = try RawClient(host.socketPath())
            try host.perform("block")
            held.send(line: Self.get("photos.prompt", id: round))
            // Half a line at the end is a command too.
            person.send(Array("get answer\nget answer".utf8))
            person.halfClose()
            #expect(person.closes())
            #expect(try host.perform("stop") == "stopped")
            try host.perform("unblock")
            #expect(held.closes())
            #expect(try host.perform("start") == "running")
            guard round >= 1 else { continue }
            guard let first = before else {
                before = HostFootprint(of: host.pid)
                continue
            }
            try waitUntil("it has no more descriptors than \(first)") {
                try #require(HostFootprint(of: host.pid)).descriptors <= first.descriptors
            }
        }
    }

    @Test("a fork of the host doesn't wait for a thread that waits")
    func forks() throws {
        let host = try TestHost()
        let client = try Self.connect(to: host)
        func forking() throws -> Duration {
            let began = ContinuousClock.now
            try host.perform("forks 10")
            return began.duration(to: .now)
        }
        let before = try min(forking(), forking())
        try host.perform("block")
        client.send(line: Self.get("photos.prompt", id: 1))
        try Self.waitForWorker(host)
        // 20 to 50 ms for each of them otherwise.
        try waitUntil("ten forks take less than 150 ms more than \(before)", seconds: 10) {
            try forking() < before + .milliseconds(150)
        }
        try host.perform("unblock")
        _ = client.line()
    }
}
