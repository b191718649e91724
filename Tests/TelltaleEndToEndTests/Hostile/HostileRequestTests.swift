import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Requests and lines that are nonsense, too long or too deep. Each is answered with its problem.
@Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 20 : 5)))
struct HostileRequestTests {
    @Test("malformed requests are answered with what is wrong, and the connection's next is read")
    func malformedRequests() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        var mutations = RequestMutations(seed: 3)
        var client: RawClient?
        var refused = 0
        var mark = 0
        func batch() throws {
            let current: RawClient
            if let client, !client.isHungUp {
                current = client
            } else {
                current = try RawClient(path)
                current.send(line: RawClient.hello)
                #expect(current.line()?.contains("\"result\"") == true)
                client = current
            }
            mark += 1
            let lines = mutations.lines(20)
            // A mutation may have made a `hello` of another version, which ends the connection.
            guard current.send(lines + Array((Attack.request("mark-\(mark)") + "\n").utf8)) else {
                client = nil
                return
            }
            while let answer = current.line() {
                if answer.contains("\"error\"") { refused += 1 }
                if answer.contains("mark-\(mark)") { return }
            }
            client = nil
        }
        // After twenty the next hundred added 2.5 MB, after a hundred less than 2: the growth ends.
        for _ in 0..<100 { try batch() }
        client = nil
        try Attack.expectService(of: host)
        // The program's symbols are cached once read, 2.3 MB here: by the first call of a method
        // that was not registered, and by the first change of a class's property.
        for line in ["photos.nothing()", "set --preview photos.prompt \"x\"", "methods Photo"] {
            _ = try host.telltale(["\(host.pid)", line])
        }
        let batches = Soak.count(100, soak: 5_000)
        try Attack.expectNoGrowth(of: host) {
            refused = 0
            for _ in 0..<batches { try batch() }
            client = nil
            // Most mutations are wrong; were all of them, or none, they would not be mutations.
            #expect(refused > batches * 4, "\(refused) of \(batches * 20)")
        }
    }

    /// Each number that a command takes, and the rest of its parameters.
    private static let numbers = [
        ("queue", "limit", #""name":"test.photos""#), ("show", "depth", #""path":"photos""#),
        ("show", "limit", #""path":"photos.items""#), ("get", "depth", #""path":"photos""#),
        ("get", "limit", #""path":"photos.items""#), ("heap", "top", #""mark":false"#),
        ("show", "limit", #""path":"photos","match":"size""#),
        ("show", "depth", #""path":"photos","match":"size""#),
        ("get", "limit", #""path":"photos.items where size > 0""#),
        ("show", "depth", #""path":"photos.items","fields":["title"]"#),
        ("roots", "limit", #""word":"a""#), ("types", "limit", #""word":"a""#),
        ("instances", "limit", #""type":"Photo""#),
        ("instances", "limit", #""type":"Photo","where":"size=1""#),
        ("undo", "number", #""unused":1"#), ("dump", "id", #""unused":1"#),
        ("stuck", "afterSeconds", #""unused":1"#), ("watch", "everySeconds", #""what":"stuck""#),
        ("watch", "count", #""what":"values","paths":["plain.limit"]"#),
        ("watch", "everySeconds", #""what":"values","paths":["plain.limit"]"#),
    ]

    @Test("no number that a command takes ends the host", arguments: numbers)
    func extremes(_ method: String, _ key: String, _ others: String) throws {
        let host = try TestHost()
        let client = try Attack.greeted(try host.socketPath())
        for number in ["-1", "-5", "0", "\(Int.min)", "\(Int.max)", "4294967296"] {
            client.send(line: Attack.request(method, "{\(others),\"\(key)\":\(number)}"))
            #expect(client.line()?.contains("\"id\":1") == true, "\(method) \(number)")
        }
        try Attack.expectService(of: host)
    }

    @Test("people's lines that are nonsense are answered with what is wrong")
    func malformedLines() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        var mutations = RequestMutations(seed: 4, seeds: RequestMutations.typed)
        let client = try RawClient(path)
        client.send(line: "status")
        #expect(client.line() != nil)
        for mark in 0..<Soak.count(50, soak: 2_000) {
            let lines = mutations.lines(20)
            client.send(lines + Array("mark-\(mark)-end\n".utf8))
            var answer = client.line()
            while let text = answer, !text.contains("mark-\(mark)-end") { answer = client.line() }
            try #require(answer != nil, "no answer to batch \(mark)")
        }
        try Attack.expectService(of: host)
    }

    @Test(
        "over-long lines and deep nesting are refused, and cost nothing afterwards",
        arguments: ["long", "deep", "wide"])
    func oversized(_ kind: String) throws {
        let line: [UInt8] =
            switch kind {
            case "long": Array(repeating: 0x7B, count: 3 << 20)
            case "deep": Array(Attack.request("show", String(repeating: "[", count: 500_000)).utf8)
            default:
                // Under the bound, and all of it members of one object.
                Array(
                    Attack.request(
                        "show",
                        "{" + (0..<80_000).map { "\"\($0)\":1" }.joined(separator: ",") + "}"
                    ).utf8)
            }
        let host = try TestHost()
        // 80,000 members are 3 MiB of small pieces, in whichever arenas the threads had.
        try Attack.run(host, count: Soak.count(5, soak: 50), memoryBound: 8 << 20) { path, _ in
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            #expect(client.line()?.contains("\"result\"") == true)
            // The agent hangs up in the middle of the long one.
            client.send(line + [0x0A])
            if kind != "long" { #expect(client.line()?.contains("\"error\"") == true) }
        }
    }
}
