import Foundation

/// Connections to the service's port that are kept open and ask for the album. For one thread.
final class RequestCrowd {
    private var connections: [Int32] = []
    private var isAnswered: [Bool] = []

    /// Connects, without a word.
    ///
    /// - Throws: ``RunningService/Failure`` where a connection isn't taken.
    init(count: Int, port: Int) throws {
        for number in 1...count {
            guard let connection = loopbackConnection(port: port) else {
                throw RunningService.Failure(
                    description: "connection \(number) to port \(port) is not taken")
            }
            connections.append(connection)
            isAnswered.append(false)
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

    /// The number of clients answered since the last reset.
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
