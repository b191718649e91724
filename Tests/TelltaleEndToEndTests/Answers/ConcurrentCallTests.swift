import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Many clients that call methods and set properties at once.
@Suite(.timeLimit(.minutes(10)))
struct ConcurrentCallTests {
    @Test(
        "of calls and sets of eight clients each is made once, on its owner, which others use too")
    func exact() throws {
        let host = try TestHost(["methods"])
        try host.perform("methods load")
        // 10,000 in all: five in each round of each client.
        let rounds = Soak.count(25, soak: 250)
        let path = try host.socketPath()
        let failures = Locked<[String]>([])
        Self.together(8) { number in
            do {
                let client = try RawClient(path)
                client.send(line: RawClient.hello)
                _ = client.line()
                for round in 0..<rounds {
                    for (index, request) in Self.requests(number, round).enumerated() {
                        let id = round * 10 + index + 1
                        client.send(line: Attack.request(request.0, id: id, request.1))
                        let line = client.line(seconds: 60) ?? "nothing"
                        if line.contains("\"error\"") || !line.contains("\"id\":\(id)") {
                            failures.withLock { $0.append("\(request): \(line)") }
                        }
                    }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        try host.perform("methods unload")
        let failed = failures.withLock { $0 }
        #expect(failed.isEmpty, "\(failed.count): \(failed.first ?? "")")
        let all = 8 * rounds
        for (path, value) in [
            ("album.count", all), ("album.changes", all), ("vault.total", all),
            ("album.vault.total", all), ("screen.drawn", all),
        ] {
            #expect(
                try host.telltale(["\(host.pid)", "get", path]).output == "\(value)\n", "\(path)")
        }
    }

    @Test(
        "no call or set that waits for a blocked owner is made late, and each is answered in time")
    func late() throws {
        let host = try TestHost(["methods"])
        try host.perform("methods block")
        let path = try host.socketPath()
        let rounds = Soak.count(8, soak: 84)
        let problems = Locked<[String]>([])
        let answered = Locked(0)
        Self.together(12) { number in
            do {
                let client = try RawClient(path)
                client.send(line: RawClient.hello)
                _ = client.line()
                for round in 0..<rounds {
                    let (method, params) = Self.waiting[(number + round) % Self.waiting.count]
                    let began = MonotonicTime.now
                    client.send(line: Attack.request(method, id: round + 1, params))
                    let line = client.line() ?? "nothing"
                    let took = MonotonicTime.now.since(began)
                    // The timeout is 200 ms; any further time is the machine's.
                    if line.contains("\"code\":\"timeout\""), took < .seconds(3) {
                        answered.withLock { $0 += 1 }
                    } else {
                        problems.withLock { $0.append("\(method) \(took): \(line)") }
                    }
                }
            } catch {
                problems.withLock { $0.append("\(error)") }
            }
        }
        let found = problems.withLock { $0 }
        #expect(found.isEmpty, "\(found.count): \(found.first ?? "")")
        #expect(answered.withLock { $0 } == 12 * rounds)
        let one = try host.telltale(
            ["--timeout", "300ms", "\(host.pid)", "call", "--yes", "album.bump(1)"])
        #expect(one.status == 5, "\(one)")
        try host.perform("methods open")
        // Behind whatever the agent may still have there.
        let last = try host.telltale(
            ["--timeout", "30s", "\(host.pid)", "call", "--yes", "album.bump(0)"])
        #expect(last.output.contains("album.bump: 0 "), "\(last)")
        for path in ["album.count", "album.changes"] {
            #expect(try host.telltale(["\(host.pid)", "get", path]).output == "0\n", "\(path)")
        }
        #expect(try host.telltale(["\(host.pid)", "jobs"]).output == "no running calls\n")
    }

    /// Runs so many bodies at once, each on a thread of its own: Dispatch runs no more than there are cores.
    private static func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let ended = DispatchSemaphore(value: 0)
        for number in 0..<count {
            Thread.detachNewThread {
                body(number)
                ended.signal()
            }
        }
        for _ in 0..<count { ended.wait() }
    }

    private static let waiting: [(String, String)] = [
        call("album.bump", "1", milliseconds: 200), set("album.observed", "7", milliseconds: 200),
        call("album.later", "1", milliseconds: 200), set("album.count", "7", milliseconds: 200),
    ]

    private static func call(
        _ action: String, _ arguments: String, milliseconds: Int = 30_000
    ) -> (String, String) {
        (
            "call",
            #"{"action":"\#(action)","arguments":"\#(arguments)","isConfirmed":true,"#
                + #""deadlineMilliseconds":\#(milliseconds)}"#
        )
    }

    private static func set(
        _ path: String, _ value: String, milliseconds: Int = 30_000
    ) -> (String, String) {
        (
            "set",
            #"{"path":"\#(path)","value":"\#(value)","deadlineMilliseconds":\#(milliseconds)}"#
        )
    }

    private static func requests(_ client: Int, _ round: Int) -> [(String, String)] {
        [
            call("album.bump", "1"), call("vault.add", "1"), call("album.vault.addLater", "1"),
            call("screen.draw", "0.5"),
            set("album.observed", "\(client * 1000 + round)"),
        ]
    }
}
