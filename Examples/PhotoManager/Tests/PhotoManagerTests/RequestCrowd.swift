import Foundation

/// Connections to a server of this machine that are kept open and ask for the album, of a single thread.
final class RequestCrowd {
    private var connections: [Int32] = []
    private var isAnswered: [Bool]

    /// Connects, without a word.
    ///
    /// - Throws: The system's error.
    init(count: Int, port: Int) throws {
        isAnswered = Array(repeating: false, count: count)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        for _ in 0..<count {
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let connection = socket(AF_INET, kind, 0)
            guard connection >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            connections.append(connection)
            let outcome = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard outcome == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }

    deinit {
        for connection in connections { close(connection) }
    }

    /// Each sends a request.
    func ask() {
        let request = Array("GET /album.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        for connection in connections {
            _ = send(connection, request, request.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// How many have had an answer since they were last forgotten.
    var answered: Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        for (index, connection) in connections.enumerated() {
            let count = recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { isAnswered[index] = true }
        }
        return isAnswered.count { $0 }
    }

    /// Begins to count anew.
    ///
    /// - Returns: How many had been answered.
    func forgetAnswers() -> Int {
        defer { isAnswered = isAnswered.map { _ in false } }
        return answered
    }

    /// Ends those that were answered.
    func closeAnswered() {
        let known = zip(connections, isAnswered)
        for (connection, isAnswered) in known where isAnswered { close(connection) }
        connections = known.filter { !$0.1 }.map(\.0)
        isAnswered = connections.map { _ in false }
    }
}
