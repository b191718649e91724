import Foundation
import Glibc
import Synchronization

@testable import photo_manager

/// A TCP proxy on loopback before a healthy server: answers are late, cut, garbled or never come,
/// as the name of the file asks for.
final class UnwellNetwork: Sendable {
    /// The change to an answer.
    enum Mood: String {
        case passes, delays, cuts, garblesHead, garblesBody, isSilent, resets
    }

    let port: Int
    private let line: Line

    /// Begins.
    ///
    /// - Parameters:
    ///   - target: The port of the server behind it.
    ///   - moods: By a file's name, one for each try, of which the last one stays; all others pass.
    /// - Throws: ``WebFailure`` where no port is free.
    init(to target: Int, moods: [String: [Mood]]) throws {
        let listener = try LoopbackListener(port: 0)
        let line = Line(listener: listener.descriptor, target: target, moods: moods)
        (port, self.line) = (listener.port, line)
        Thread.detachNewThread { line.accept() }
    }

    deinit { line.end() }

    /// Returns the URL of a file, through the proxy.
    func url(_ name: String) -> URL? { URL(string: "http://127.0.0.1:\(port)/\(name)") }
}

/// The state shared by the proxy's threads.
private final class Line: Sendable {
    private let listener: Int32
    private let target: Int
    private let moods: [String: [UnwellNetwork.Mood]]
    private let tries = Mutex<[String: Int]>([:])

    init(listener: Int32, target: Int, moods: [String: [UnwellNetwork.Mood]]) {
        (self.listener, self.target, self.moods) = (listener, target, moods)
    }

    func end() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Takes connections until the end, each on a thread of its own.
    func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            Thread.detachNewThread {
                self.serve(client)
                close(client)
            }
        }
        close(listener)
    }

    /// A request of a connection, which is closed after its answer.
    private func serve(_ client: Int32) {
        guard let request = head(from: client), let server = loopbackConnection(port: target)
        else { return }
        defer { close(server) }
        let name =
            request.split(separator: " ").dropFirst().first.map { String($0.dropFirst()) } ?? ""
        let lines = request.split(separator: "\r\n", omittingEmptySubsequences: true)
            .filter { !$0.lowercased().hasPrefix("connection:") }
        send(
            Data((lines.joined(separator: "\r\n") + "\r\nConnection: close\r\n\r\n").utf8),
            to: server)
        var answer = Data()
        while let more = received(from: server) { answer += more }
        pass(answer, to: client, in: mood(for: name))
    }

    private func mood(for name: String) -> UnwellNetwork.Mood {
        let moods = moods[name] ?? [.passes]
        let number = tries.withLock { tries in
            tries[name, default: 0] += 1
            return tries[name, default: 1]
        }
        return moods[min(number, moods.count) - 1]
    }

    private func pass(_ answer: Data, to client: Int32, in mood: UnwellNetwork.Mood) {
        let body = answer.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound ?? answer.endIndex
        var answer = answer
        switch mood {
        case .passes: break
        case .delays:
            for byte in answer.indices {
                send(answer[byte...byte], to: client)
                usleep(200)
            }
            return
        case .cuts: answer = answer[..<(body + (answer.endIndex - body) / 2)]
        case .garblesHead: for place in 0..<body { answer[place] = answer[place] &* 31 &+ 7 }
        case .garblesBody:
            for place in stride(from: body + 40, to: answer.endIndex, by: 3) {
                answer[place] ^= 0x5A
            }
        case .isSilent:
            // Until the other side has had enough.
            _ = received(from: client)
            return
        case .resets:
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                client, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            return
        }
        send(answer, to: client)
    }

    // MARK: Sockets

    private func head(from client: Int32) -> String? {
        var head = Data()
        while head.firstRange(of: Data("\r\n\r\n".utf8)) == nil {
            guard let more = received(from: client) else { return nil }
            head += more
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// nil at the end.
    private func received(from socket: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes[..<count]) : nil
    }

    private func send(_ data: Data, to socket: Int32) {
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
