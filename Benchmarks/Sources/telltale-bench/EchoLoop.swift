import TelltaleSystem

/// Sends back what it gets, to any number of clients, from one thread that does nothing else: what a
/// server in C of twenty lines would do.
enum EchoLoop {
    /// Starts one at a path; it ends with the process.
    static func start(at path: String) throws(SystemError) {
        let listener = try UnixSocket.listen(at: path, backlog: 64).release()
        try NativeThread.start(name: "bench-echo") { serve(listener) }
    }

    private static func serve(_ listener: Int32) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { buffer.deallocate() }
        var clients: [Int32] = []
        while true {
            let ready = PollSet.wait(for: [listener] + clients, milliseconds: -1)
            for client in clients where ready.contains(client) && !echo(client, buffer) {
                clients.removeAll { $0 == client }
                _ = FileDescriptor(taking: client)
            }
            if ready.contains(listener), let client = try? UnixSocket.accept(from: listener) {
                clients.append(client.release())
            }
        }
    }

    /// One turn; false when the client has gone.
    private static func echo(_ client: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard case .bytes(let count) = UnixSocket.read(from: client, into: buffer, until: .now)
        else { return false }
        return UnixSocket.write(
            UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: client,
            until: .now.advanced(by: .seconds(5)))
    }
}

/// Sends back what it gets, in a folder of its own: the cheapest answer that a Unix socket can give.
final class EchoServer {
    let path: String
    private let folder: TemporaryFolder

    /// Starts it; it ends with the process.
    init() throws {
        folder = try TemporaryFolder("telltale-bench")
        path = "\(folder.path)/echo.sock"
        try EchoLoop.start(at: path)
    }
}
