import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Several sessions at once, each of which has a thread.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ManySessionsTests {
    private static let count = "photos.items.count"

    private static func askers(_ count: Int, _ host: TestHost) throws -> [Asker] {
        try (0..<count).map { _ in try Asker(host) }
    }

    @Test("each is answered what it asks, also what the service has changed since")
    func answered() throws {
        let host = try TestHost()
        let askers = try Self.askers(6, host)
        for size in [7, 8, 9] {
            try askers[0].change("set", #"{"path":"photos.items[0].size","value":"\#(size)"}"#)
            for (index, asker) in askers.enumerated() {
                #expect(try Asker.shows("\(size)", asker.get("photos.items[0].size")))
                #expect(try Asker.shows("3400", asker.get("photos.items[1].size")))
                if index % 2 == 0 { _ = try asker.ask("queues", "{}") }
                #expect(try Asker.shows("3", asker.get(Self.count)))
            }
        }
        try askers[5].change("call", #"{"action":"photos.add","arguments":"\"x\", 8"}"#)
        for asker in askers { #expect(try Asker.shows("4", asker.get(Self.count))) }
    }

    @Test("one whose owner doesn't answer is told so in time, and the others don't wait")
    func held() throws {
        let host = try TestHost(["bound"], environment: ["TELLTALE_OWNER_DEADLINE": "1000"])
        let askers = try Self.askers(5, host)
        try host.perform("block")
        askers[0].send("get", #"{"path":"\#(Self.count)"}"#)
        askers[1].send("get", #"{"path":"\#(Self.count)"}"#)
        for _ in 0..<3 {
            for asker in askers[2...] {
                let began = ContinuousClock.now
                #expect(try asker.get("bound.serial.list.count").contains("result"))
                #expect(began.duration(to: .now) < .milliseconds(700))
            }
        }
        for asker in askers[..<2] {
            let answer = try asker.received()
            #expect(answer.contains("did not answer in 1 s"), "\(answer)")
        }
        try host.perform("unblock")
        for asker in askers { #expect(try Asker.shows("3", asker.get(Self.count))) }
    }

    @Test("one that doesn't read keeps nobody, and loses nothing")
    func unread() throws {
        let host = try TestHost()
        let askers = try Self.askers(4, host)
        // More answers than a socket holds.
        let total = 2000
        let requests = (1...total).map {
            #"{"jsonrpc":"2.0","id":\#($0),"method":"get","params":{"path":"\#(Self.count)"}}"#
        }
        #expect(askers[0].client.send(line: requests.joined(separator: "\n")))
        for _ in 0..<50 {
            for asker in askers[1...] {
                #expect(try Asker.shows("3", asker.get(Self.count)))
            }
        }
        for number in 1...total {
            let answer = try #require(askers[0].client.line())
            try #require(
                answer.hasPrefix(#"{"jsonrpc":"2.0","id":\#(number),"#) && Asker.shows("3", answer))
        }
    }

    @Test("half a request waits for its other half, and what is no request is refused, as ever")
    func pieces() throws {
        let host = try TestHost()
        let askers = try Self.askers(4, host)
        let line = #"{"jsonrpc":"2.0","id":1,"method":"get","params":{"path":"\#(Self.count)"}}"#
        for cut in [1, 20, line.utf8.count - 1, line.utf8.count] {
            let bytes = Array((line + "\n").utf8)
            askers[0].client.send(Array(bytes[..<cut]))
            #expect(try Asker.shows("3", askers[1].get(Self.count)))
            askers[0].client.send(Array(bytes[cut...]))
            #expect(askers[0].client.line()?.contains(#""text":"3""#) == true)
        }
        // Several in one piece, of which one is none.
        askers[1].client.send(line: [line, "{", line, line].joined(separator: "\n"))
        for isAnswer in [true, false, true, true] {
            let answer = try #require(askers[1].client.line())
            #expect(answer.contains(isAnswer ? #""text":"3""# : "error"), "\(answer)")
        }
        for asker in askers { #expect(try Asker.shows("3", asker.get(Self.count))) }
    }

    @Test("a line that is too long is refused, and ends that client alone")
    func tooLong() throws {
        let host = try TestHost(["unstarted"])
        #expect(try host.perform("request-bytes 4096") == "running")
        let askers = try Self.askers(3, host)
        askers[0].client.send(line: String(repeating: "x", count: 5000))
        let refusal = try #require(askers[0].client.line())
        #expect(refusal.contains("a line of 5,000 bytes, 4,096 are allowed"), "\(refusal)")
        #expect(askers[0].client.closes())
        for asker in askers[1...] { #expect(try Asker.shows("3", asker.get(Self.count))) }
    }

    @Test("clients that come, go and are many keep their places")
    func places() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        let before = try host.footprintAtRest().descriptors
        do {
            // One of sixteen slots is free; the connection that has been idle longest gives it up.
            let askers = try Self.askers(15, host)
            for _ in 0..<3 {
                let another = try Asker(host)
                #expect(try Asker.shows("3", another.get(Self.count)))
            }
            #expect(askers[0].client.closes())
            #expect(try Asker.shows("3", askers[14].get(Self.count)))
        }
        // A count from outside may meet one that an answer is about to close.
        _ = try host.waitForFootprint { $0.connections == 0 && $0.descriptors <= before }
    }

    @Test("an agent that is stopped ends them all, and goes on with others when it is started")
    func stopped() throws {
        let host = try TestHost()
        for isBlocked in [false, true] {
            let askers = try Self.askers(4, host)
            if isBlocked {
                try host.perform("block")
                askers[0].send("get", #"{"path":"\#(Self.count)"}"#)
            }
            #expect(try host.perform("stop") == "stopped")
            for asker in askers { #expect(asker.client.closes()) }
            if isBlocked { try host.perform("unblock") }
            #expect(try host.perform("start") == "running")
        }
        try host.waitForFootprint { $0.connections == 0 }
    }

    @Test("requests in a socket of the host's, which has the number of one of theirs, are nobody's")
    func closed() throws {
        let host = try TestHost()
        // Dispatch writes to its own eventfd while the agent calibrates, and closefrom() closes that too.
        try host.waitUntilLearnt()
        func size() throws -> String {
            try host.telltale(["\(host.pid)", "get", "photos.items[0].size"]).output
        }
        let before = try size()
        for turn in 0..<3 {
            let askers = try Self.askers(6, host)
            #expect(try host.perform("closefrom \(turn)").hasPrefix("intact"))
            for asker in askers { #expect(asker.client.closes(seconds: 10)) }
            try host.waitForFootprint { $0.connections == 0 }
            #expect(try host.perform("intact").hasPrefix("intact"))
            try waitUntil("it answers again") { try size() == before }
        }
    }

    @Test("a fork while they ask leaves the parent's sessions as they are, and the child none")
    func forked() throws {
        let host = try TestHost()
        let askers = try Self.askers(4, host)
        for _ in 0..<10 {
            for asker in askers { asker.send("get", #"{"path":"\#(Self.count)"}"#) }
            let child = try #require(Int32(try host.perform("fork plain")))
            for asker in askers { #expect(try Asker.shows("3", asker.received())) }
            #expect(HostFootprint(of: child)?.connections ?? 0 == 0)
            kill(child, SIGKILL)
        }
    }
}
