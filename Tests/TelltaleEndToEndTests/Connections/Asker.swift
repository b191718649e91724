import TelltaleTestSupport
import Testing

/// A client that counts its requests.
final class Asker {
    /// Ends with the last one that asks it.
    private let host: TestHost
    let client: RawClient
    private var id = 0
    private var answered = 0

    init(_ host: TestHost) throws {
        self.host = host
        client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        _ = try #require(client.line())
    }

    /// The answer without its id, which has to be the request's.
    func ask(_ method: String, _ parameters: String) throws -> String {
        send(method, parameters)
        return try received()
    }

    /// Sends a request whose answer is ``received()``.
    func send(_ method: String, _ parameters: String) {
        id += 7
        client.send(
            line: #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
    }

    /// Sends several `get` in one piece.
    func sendTogether(_ parameters: [String]) {
        let lines = parameters.map { parameters in
            id += 7
            return #"{"jsonrpc":"2.0","id":\#(id),"method":"get","params":\#(parameters)}"#
        }
        client.send(line: lines.joined(separator: "\n"))
    }

    /// The answer to the first request that has none, as ``ask(_:_:)`` gives it.
    func received() throws -> String {
        answered += 7
        let head = #"{"jsonrpc":"2.0","id":\#(answered),"#
        let line = try #require(client.line())
        try #require(line.hasPrefix(head), "\(line)")
        return String(line.dropFirst(head.count))
    }

    /// Sends a change that has to succeed.
    func change(_ method: String, _ parameters: String) throws {
        let answer = try ask(method, parameters)
        #expect(answer.contains("result"), "\(answer)")
    }

    func get(_ path: String) throws -> String { try ask("get", #"{"path":"\#(path)"}"#) }

    /// Returns whether an answer's value has this text.
    static func shows(_ text: String, _ answer: String) -> Bool {
        answer.contains(#""text":"\#(text)""#)
    }
}
