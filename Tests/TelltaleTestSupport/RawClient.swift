import Foundation
package import TelltaleSystem

/// A connection to an agent that sends and receives whatever a test likes.
package final class RawClient {
    private let socket: FileDescriptor
    private var received: [UInt8] = []
    /// The number of arrivals of data, each wake-up counted once at most.
    package private(set) var arrivals = 0

    /// The first request of a program that behaves.
    package static let hello =
        #"{"jsonrpc":"2.0","id":0,"method":"hello","params":{"protocolVersion":1,"client":"test"}}"#

    package init(_ path: String) throws(SystemError) {
        socket = try UnixSocket.connect(to: path, deadline: .now.advanced(by: .seconds(30)))
    }

    /// Sends bytes; false when the agent has closed the connection, or has not taken them in time.
    @discardableResult
    package func send(_ bytes: [UInt8], seconds: Int = 10) -> Bool {
        bytes.withUnsafeBytes {
            UnixSocket.write($0, to: socket.raw, until: .now.advanced(by: .seconds(seconds)))
        }
    }

    /// Sends a line.
    @discardableResult
    package func send(line: String) -> Bool { send(Array((line + "\n").utf8)) }

    /// Sends a byte beside all others.
    package func sendOutOfBand() { _ = Glibc.send(socket.raw, "x", 1, Int32(MSG_OOB)) }

    /// Sends nothing more and keeps listening, as `nc -N` does at the end of its input.
    package func halfClose() { _ = shutdown(socket.raw, Int32(SHUT_WR)) }

    /// The next line without its end; nil when the agent closes, or at the time-out.
    package func line(seconds: Int = 30) -> String? {
        let deadline = MonotonicTime.now.advanced(by: .seconds(seconds))
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard read(until: deadline) else { return nil }
        }
    }

    /// Returns whether the agent closes the connection within the time; data that comes before is
    /// kept.
    package func closes(seconds: Int = 30) -> Bool {
        let deadline = MonotonicTime.now.advanced(by: .seconds(seconds))
        while read(until: deadline) {}
        return deadline > .now
    }

    /// Indicates that the agent has closed the connection; determined without a read.
    package var isHungUp: Bool {
        DescriptorWait.wait(for: socket.raw, toWrite: true, until: .now) == .failed
    }

    private func read(until deadline: MonotonicTime) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let result = buffer.withUnsafeMutableBytes {
            UnixSocket.read(from: socket.raw, into: $0, until: deadline)
        }
        guard case .bytes(let count) = result else { return false }
        received += buffer[..<count]
        arrivals += 1
        return true
    }
}
