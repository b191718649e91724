import Glibc
import TelltaleProtocol
import TelltaleSystem

/// A connection on which a line is answered by a line, without the client's own code: what is
/// measured is the other side.
final class LineConnection {
    private let socket: FileDescriptor
    private var unread: [UInt8] = []
    /// The buffer of one read; kept, since a large answer comes in many chunks.
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

    deinit { chunk.deallocate() }

    init(to path: String) throws {
        socket = try UnixSocket.connect(to: path, deadline: .now.advanced(by: .seconds(5)))
    }

    /// Connects to an agent and shakes hands.
    convenience init(to host: HostProcess) throws {
        try self.init(to: host.socket())
        try ask(
            Self.request(
                "hello",
                #"{"protocolVersion":\#(ProtocolVersion.current),"client":"telltale-bench"}"#))
    }

    /// A line for an agent, with its end.
    static func request(_ method: String, _ parameters: String) -> [UInt8] {
        Array(
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#.utf8) + [10]
    }

    /// Sends a line and waits, at most 30 s, for the one that answers it; how many bytes came, with
    /// the notifications before it.
    @discardableResult
    func ask(_ line: [UInt8]) throws -> Int { try exchange(line).count }

    /// Returns the time until a line is answered.
    func time(_ line: [UInt8]) throws -> Duration { try timed { try ask(line) } }

    /// Sends a line and reads the one that answers it, for which it waits at most 30 s.
    func answer<Answer: CommandAnswer>(to line: [UInt8]) throws -> Answer {
        let last = try Array(exchange(line).last)
        return try Answer(result: RPCResponse(parsing: last).result.get())
    }

    private func exchange(
        _ line: [UInt8]
    ) throws -> (count: Int, last: ArraySlice<UInt8>) {
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        guard line.withUnsafeBytes({ UnixSocket.write($0, to: socket.raw, until: deadline) }) else {
            throw BenchmarkFailure("the connection was closed")
        }
        var count = 0
        while true {
            let answer = try nextLine(until: deadline)
            count += answer.count
            let start = String(decoding: answer.prefix(200), as: UTF8.self)
            if start.contains(#""error""#) { throw BenchmarkFailure("the agent answers \(start)") }
            if !start.contains(#""method""#) { return (count, answer) }
        }
    }

    private func end(from start: Int) -> Int? {
        unread.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base + start, 10, bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private func nextLine(
        until deadline: MonotonicTime
    ) throws -> ArraySlice<UInt8> {
        var searched = 0
        while true {
            if let end = end(from: searched) {
                let line = unread[...end]
                unread = Array(unread[(end + 1)...])
                return line
            }
            searched = unread.count
            let result = UnixSocket.read(from: socket.raw, into: chunk, until: deadline)
            guard case .bytes(let count) = result else {
                throw BenchmarkFailure("no answer came: \(result)")
            }
            unread.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }
}
