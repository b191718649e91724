import Foundation
import Glibc
import Synchronization
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A client that asks for one number without a pause, on a thread of its own, which ends with it.
final class BusyClient: Sendable {
    private let asking: Asking

    /// Begins to ask.
    ///
    /// - Parameters:
    ///   - host: Whose agent is asked.
    ///   - path: What is asked for.
    ///   - text: What it is.
    /// - Throws: `SystemError` where the agent can't be reached.
    init(_ host: TestHost, _ path: String, is text: String) throws {
        asking = try Asking(host, path, text)
        Thread.detachNewThread { [asking] in asking.run() }
    }

    deinit { asking.end() }

    /// The number of answers, and of wrong ones.
    var count: (all: Int, wrong: Int) { asking.count }

    /// The first wrong answer, if one came.
    var firstWrong: String? { asking.firstWrong.withLock { $0 } }

    /// Indicates that the agent has closed the connection.
    var isOver: Bool { asking.isOver }

    /// Asks no more, and stays connected.
    func rest() { asking.rest() }
}

private final class Asking: Sendable {
    let socket: FileDescriptor
    private let line: [UInt8]
    private let expected: [UInt8]
    private let isResting = Atomic(false)
    private let answers = Atomic(0)
    private let wrong = Atomic(0)
    let firstWrong = Mutex<String?>(nil)
    private let isClosed = Atomic(false)

    init(_ host: TestHost, _ path: String, _ text: String) throws {
        socket = try UnixSocket.connect(
            to: host.socketPath(), deadline: .now.advanced(by: .seconds(30)))
        let get = #"{"jsonrpc":"2.0","id":1,"method":"get","params":{"path":"\#(path)"}}"#
        line = Array((get + "\n").utf8)
        expected = Array(#""text":"\#(text)""#.utf8)
        let flags = fcntl(socket.raw, F_GETFL)
        #expect(fcntl(socket.raw, F_SETFL, flags & ~O_NONBLOCK) == 0)
    }

    func run() {
        let isOpen = turn(Array((RawClient.hello + "\n").utf8)) != nil && ask()
        if !isOpen { isClosed.store(true, ordering: .releasing) }
    }

    /// Asks until it is to rest; false if the agent has closed it before.
    private func ask() -> Bool {
        while !isResting.load(ordering: .relaxed) {
            guard let answer = turn(line) else { return false }
            if answer.firstRange(of: expected) == nil {
                wrong.add(1, ordering: .relaxed)
                firstWrong.withLock { $0 = $0 ?? String(decoding: answer, as: UTF8.self) }
            }
            answers.add(1, ordering: .relaxed)
        }
        return true
    }

    var count: (all: Int, wrong: Int) {
        (answers.load(ordering: .relaxed), wrong.load(ordering: .relaxed))
    }

    var isOver: Bool { isClosed.load(ordering: .acquiring) }

    func rest() { isResting.store(true, ordering: .relaxed) }

    func end() {
        rest()
        shutdown(socket.raw, Int32(SHUT_RDWR))
    }

    /// The answer to a line; nil at the end.
    private func turn(_ line: [UInt8]) -> [UInt8]? {
        guard send(socket.raw, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            return nil
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while answer.last != 0x0A {
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            answer += buffer[..<count]
        }
        return answer
    }
}
