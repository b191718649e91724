import Foundation
import Synchronization
package import TelltaleProtocol
package import TelltaleSystem

/// An agent with the answers of a test, on a socket of the right name in a directory of the right
/// mode. It serves until ``die()``, or the end of the tests.
package final class ScriptedAgent: Sendable {
    /// The reaction to a request.
    package enum Reaction: Sendable {
        case answer(any CommandAnswer)
        case failure(CommandFailure)
        /// Lines ahead of the answer, one notification each.
        case parts([[String]], any CommandAnswer)
        /// It never answers, and keeps the connection.
        case silence
        /// It closes the connection.
        case hangUp
        /// It sends these bytes and a line's end.
        case raw([UInt8])
    }

    package typealias Script = @Sendable (RPCRequest) -> Reaction

    /// The socket's path.
    package let path: String
    private let listener: FileDescriptor
    private let stopping = Pipe()
    private let script: Script
    private let state = Mutex<(requests: [RPCRequest], connections: Int)>(([], 0))
    private let serving = DispatchGroup()

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - folder: Where its socket is put; its mode is made 0700.
    ///   - name: The service's name.
    ///   - socketName: The socket's name; that of the test's own process unless given.
    ///   - fileName: Another name for the file.
    ///   - hello: The answer to `hello`; a usual one unless given.
    ///   - script: What it does with every other request.
    /// - Throws: `SystemError`, where the socket can't be made.
    package init(
        in folder: String, name: String = "service", socketName: SocketName? = nil,
        fileName: String? = nil, hello: Reaction? = nil,
        script: @escaping Script = ScriptedAgent.usual
    ) throws {
        chmod(folder, 0o700)
        let socketName = socketName ?? Self.ownName
        path = "\(folder)/\(fileName ?? socketName.fileName)"
        listener = try UnixSocket.listen(at: path, backlog: 16)
        let greeting = hello ?? .answer(Self.hello(name, socketName))
        self.script = { $0.method == "hello" ? greeting : script($0) }
        serving.enter()
        Thread.detachNewThread { [self] in
            serve()
            serving.leave()
        }
    }

    /// The socket's name of an agent in this process.
    package static var ownName: SocketName {
        SocketName(
            pid: ProcessIdentity.pid, startTicks: ProcessFiles.own.stat?.startTicks ?? 0)
    }

    /// Makes an agent's greeting.
    package static func hello(_ name: String, _ socketName: SocketName) -> HelloAnswer {
        var answer = HelloAnswer()
        answer.protocolVersion = ProtocolVersion.current
        answer.agent = "0"
        answer.name = name
        answer.pid = socketName.pid
        answer.startTicks = socketName.startTicks
        answer.uptimeSeconds = 90
        answer.buildID = "9f2c"
        answer.uid = ProcessIdentity.uid
        answer.mode = "read-write"
        answer.residentBytes = 84 << 20
        return answer
    }

    /// A calm service's status.
    package static func status(name: String = "service", unanswered: [String] = []) -> StatusAnswer
    {
        StatusAnswer(
            name: name, pid: ProcessIdentity.pid, uptimeSeconds: 11_520, state: "running",
            threads: 7, residentBytes: 84 << 20, cpuSeconds: 1, slowestQueue: nil,
            slowestMicroseconds: nil, unanswered: unanswered, stoppedSeconds: 0,
            mode: "read-write", problems: [])
    }

    /// Knows `status`, `get` (12, whatever the path), and nothing else.
    package static let usual: Script = { request in
        switch request.method {
        case "status": .answer(status())
        case "get":
            .answer(
                PlainAnswer(
                    ValueAnswer(
                        path: "photos.items.count",
                        value: ValueNode(type: "Int", kind: .scalar, text: "12"),
                        owner: "queue q", read: "on its owner")))
        default: .failure(CommandFailure(.notFound, "nothing named '\(request.method)'"))
        }
    }

    /// The requests that came, without the greetings.
    package var requests: [RPCRequest] {
        state.withLock { $0.requests.filter { $0.method != "hello" } }
    }

    /// The number of connections made.
    package var connections: Int { state.withLock { $0.connections } }

    /// Ends every connection, stops listening, and leaves the socket's file where it is, as a killed process does.
    package func die() {
        // Closing it would not do: a program that was started meanwhile holds a copy.
        stopping.fileHandleForWriting.write(Data([1]))
        serving.wait()
        shutdown(listener.raw, Int32(SHUT_RDWR))
    }

    private func serve() {
        let stop = stopping.fileHandleForReading.fileDescriptor
        while DescriptorWait.wait(
            for: listener.raw, interrupt: stop, until: .distantFuture) == .ready
        {
            guard let accepted = try? UnixSocket.accept(from: listener.raw) else { continue }
            state.withLock { $0.connections += 1 }
            let raw = accepted.release()
            serving.enter()
            Thread.detachNewThread { [self] in
                serve(FileDescriptor(taking: raw), stop)
                serving.leave()
            }
        }
    }

    private func serve(_ socket: consuming FileDescriptor, _ stop: Int32) {
        var splitter = LineSplitter(limit: 1 << 20)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while DescriptorWait.wait(for: socket.raw, interrupt: stop, until: .distantFuture) == .ready
        {
            let raw = socket.raw
            let count = buffer.withUnsafeMutableBytes { recv(raw, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return }
            splitter.append(Array(buffer[..<count]))
            while let line = try? splitter.next() {
                guard let request = try? RPCRequest(parsing: line),
                    react(to: request, socket.raw)
                else { return }
            }
        }
    }

    private func react(to request: RPCRequest, _ socket: Int32) -> Bool {
        state.withLock { $0.requests.append(request) }
        let id = request.id ?? .null
        switch script(request) {
        case .answer(let answer): send(RPCResponse(id: id, answer: answer).line, socket)
        case .failure(let failure):
            send(RPCResponse(id: id, result: .failure(failure)).line, socket)
        case .parts(let parts, let answer):
            for lines in parts { send(RPCNotification.part(id: id, lines: lines).line, socket) }
            send(RPCResponse(id: id, answer: answer).line, socket)
        case .silence: break
        case .hangUp: return false
        case .raw(let bytes): send(String(decoding: bytes, as: UTF8.self), socket)
        }
        return true
    }

    private func send(_ line: String, _ socket: Int32) {
        _ = Array((line + "\n").utf8).withUnsafeBytes {
            UnixSocket.write($0, to: socket, until: .distantFuture)
        }
    }
}
