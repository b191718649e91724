import Foundation
import Synchronization
import TelltaleTestSupport
import Testing

/// Many clients that call methods and set properties at once.
@Suite(.timeLimit(.minutes(10)))
struct ConcurrentCallTests {
    @Test("of calls and sets of eight clients each is made once, on its owner")
    func exact() throws {
        let host = try TestHost(["methods"])
        // 10,000 in all: five in each round of each client.
        let rounds = Soak.count(25, soak: 250)
        let path = try host.socketPath()
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
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

    private static func requests(_ client: Int, _ round: Int) -> [(String, String)] {
        func call(_ action: String, _ arguments: String) -> (String, String) {
            (
                "call",
                #"{"action":"\#(action)","arguments":"\#(arguments)","isConfirmed":true}"#
            )
        }
        return [
            call("album.bump", "1"), call("vault.add", "1"), call("album.vault.addLater", "1"),
            call("screen.draw", "0.5"),
            ("set", #"{"path":"album.observed","value":"\#(client * 1000 + round)"}"#),
        ]
    }
}
