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
        _ = try ask(client, of: host, rounds: 60, seed: 11) { Self.get("photos.prompt", id: $0) }
        #expect(client.send(line: Self.get("answer", id: 0)))
        #expect(client.line()?.contains(#""id":0,"result""#) == true)
    }

    /// Sends some requests at a time while their owner is held, for as long as a thread waits for it, and around
    /// that moment; each is to have its result. How many there were, numbered from 1 on.
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

    @Test("a change whose client has gone before its owner answers is not made")
    func gone() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "5000"])
        try host.perform("block")
        var client: RawClient? = try Self.connect(to: host)
        client?.send(line: Self.add("photos.items[0].size", id: 1))
        try waitUntil("another thread has its request") {
            try #require(HostFootprint(of: host.pid)).connections == 2
        }
        client = nil
        try host.perform("unblock")
        try waitUntil("it is listed as cancelled") {
            try host.telltale(["\(host.pid)", "changes"]).output.contains("cancelled")
        }
        let now = try host.telltale(["\(host.pid)", "get", "photos.items[0].size"])
        #expect(now.output == "1200\n")
    }

    @Test(
        "a change that was begun and doesn't come back is not made again, and it is said so",
        arguments: [(hangs: "sigaction", isMade: false), ("sigaction-back", true)])
    func begun(hangs: String, isMade: Bool) throws {
        // The first reading in an owner's turn takes the two faults' signals in four calls, and its end gives
        // them back.
        let shim = try PreloadedShim(
            with: #"""

                #include <signal.h>
                #include <unistd.h>
                int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
                    static int taken;
                    char name[16] = "";
                    prctl(PR_GET_NAME, name);
                    if (!strcmp(name, "telltale-conn")) {
                        if (fails("sigaction-back")) taken++;
                        while (fails("sigaction") || (fails("sigaction-back") && taken > 4))
                            usleep(1000);
                    }
                    return NEXT(sigaction)(number, new, old);
                }
                """#)
        var environment = shim.environment()
        environment["TELLTALE_OWNER_DEADLINE"] = "300"
        let host = try TestHost(environment: environment)
        let client = try Self.connect(to: host)
        client.send(line: Self.add("photos.items[0].size", id: 1))
        #expect(client.line()?.contains(#""new":"1201""#) == true)
        try host.perform("fail \(hangs)")
        client.send(line: Self.add("photos.items[0].size", id: 2))
        let line = try #require(client.line())
        #expect(line.contains("was begun and has not come back"), "\(line)")
        try host.perform("fail none")
        try waitUntil("its thread has come back, and ended") {
            try #require(HostFootprint(of: host.pid)).connections == 1
        }
        // Nobody has made it a second time. It is listed where it was made; else it came after its time.
        let (number, old) = isMade ? (3, 1202) : (2, 1201)
        client.send(line: Self.add("photos.items[0].size", id: 3))
        let next = try #require(client.line())
        #expect(next.contains(#""number":\#(number),"#), "\(next)")
        #expect(next.contains(#""old":"\#(old)","new":"\#(old + 1)""#), "\(next)")
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

    @Test("where no other thread can be had, the one that waits answers when it can")
    func withoutThread() throws {
        let shim = try PreloadedShim()
        let host = try TestHost(environment: shim.environment())
        let clients = try (0..<3).map { _ in try Self.connect(to: host) }
        for (id, client) in clients.enumerated() {
            client.send(line: Self.get("photos.prompt", id: id))
            #expect(client.line()?.contains("result") == true)
        }
        // Threads that others have left are used again.
        usleep(700_000)
        try host.perform("block")
        try host.perform("fail pthread_create")
        clients[0].send(line: Self.get("photos.prompt", id: 7))
        usleep(300_000)
        try host.perform("unblock")
        let line = try #require(clients[0].line())
        #expect(line.contains(#""id":7,"result""#), "\(line)")
        for (id, client) in clients.enumerated() {
            client.send(line: Self.get("photos.prompt", id: id))
            let line = try #require(client.line())
            #expect(line.contains("result"), "\(line)")
        }
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

    @Test("a request that is begun anew is no failure in the audit")
    func audited() throws {
        let folder = try TemporaryFolder("telltale-audit")
        let audit = "\(folder.path)/audit"
        let host = try TestHost(environment: ["TELLTALE_AUDIT": audit])
        let client = try Self.connect(to: host)
        try host.perform("block")
        client.send(
            line: #"{"jsonrpc":"2.0","id":1,"method":"signal","params":"#
                + #"{"target":"photos.items","isConfirmed":true}}"#)
        try waitUntil("another thread has its request") {
            try #require(HostFootprint(of: host.pid)).connections == 2
        }
        try host.perform("unblock")
        let line = try #require(client.line())
        #expect(line.contains(#""id":1,"error""#), "\(line)")
        let records = try #require(SmallFile.text(of: audit)).split(separator: "\n")
        #expect(records.count { $0.contains("photos.items") } == 1, "\(records)")
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
        try waitUntil("another thread has its request") {
            try #require(HostFootprint(of: host.pid)).connections == 2
        }
        // 20 to 50 ms for each of them otherwise.
        try waitUntil("ten forks take less than 150 ms more than \(before)", seconds: 10) {
            try forking() < before + .milliseconds(150)
        }
        try host.perform("unblock")
        _ = client.line()
    }
}
