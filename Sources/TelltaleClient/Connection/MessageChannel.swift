package import TelltaleProtocol
package import TelltaleSystem

/// Lines to and from a socket.
package struct MessageChannel: ~Copyable {
    /// The reason that no line came.
    package enum Trouble: Error, Sendable {
        case timedOut, ended, interrupted
        case tooLong(Int)
        case failed(SystemError)
    }

    /// The maximum size of one answer here, and of all the lines that are sent ahead of it.
    static let longestReply = JSONLimits.answer.maximumBytes
    /// The maximum size of a greeting, and of a status that is asked of many agents at once: both
    /// have a few lines, and the greeting process isn't known yet.
    static let longestGreeting = 1 << 20

    private let socket: FileDescriptor
    /// Called repeatedly while nothing arrives; `nil` for no call.
    var onDelay: (() -> Void)?
    /// After so long for the first time, and as long between two.
    private static let delay = Duration.milliseconds(500)
    private var lines = LineSplitter(limit: longestReply)

    package init(_ socket: consuming FileDescriptor) { self.socket = socket }

    package var descriptor: Int32 { socket.raw }

    /// Sends one message and its line end.
    package func send(_ line: String, deadline: MonotonicTime) -> Bool {
        var bytes = Array(line.utf8)
        bytes.append(10)
        return bytes.withUnsafeBytes {
            UnixSocket.write($0, to: socket.raw, until: deadline)
        }
    }

    /// Returns the next line, without its end, of at most `limit` bytes. `explain` makes the
    /// failure of a trouble.
    package mutating func nextLine(
        limit: Int = longestReply, deadline: MonotonicTime, interrupt: Int32?,
        explain: (Trouble) -> CommandFailure
    ) throws(CommandFailure) -> [UInt8] {
        do throws(Trouble) {
            return try nextLine(limit: limit, deadline: deadline, interrupt: interrupt)
        } catch {
            throw explain(error)
        }
    }

    private mutating func nextLine(
        limit: Int, deadline: MonotonicTime, interrupt: Int32?
    ) throws(Trouble) -> [UInt8] {
        // Data that has arrived by the deadline is read once: a peer that sends without an end is
        // abandoned then.
        var isOver = false
        lines.limit = limit
        while true {
            do throws(CommandFailure) {
                if let line = try lines.next() { return line }
            } catch {
                throw .tooLong(limit)
            }
            guard !isOver else { throw .timedOut }
            isOver = deadline <= .now
            try fill(deadline: deadline, interrupt: interrupt)
        }
    }

    private func wait(until deadline: MonotonicTime, _ interrupt: Int32?) -> DescriptorWait.Outcome
    {
        while let onDelay {
            let next = MonotonicTime.now.advanced(by: Self.delay)
            guard next < deadline else { break }
            let result = DescriptorWait.wait(for: socket.raw, interrupt: interrupt, until: next)
            guard result == .timedOut else { return result }
            onDelay()
        }
        return DescriptorWait.wait(for: socket.raw, interrupt: interrupt, until: deadline)
    }

    private mutating func fill(deadline: MonotonicTime, interrupt: Int32?) throws(Trouble) {
        switch wait(until: deadline, interrupt) {
        case .ready: break
        case .interrupted: throw .interrupted
        case .timedOut: throw .timedOut
        case .failed: throw .ended
        }
        let size = 65_536
        var result = UnixSocket.ReadResult.end
        let raw = socket.raw
        let chunk = [UInt8](unsafeUninitializedCapacity: size) { chunk, filled in
            result = UnixSocket.read(
                from: raw, into: UnsafeMutableRawBufferPointer(chunk), until: deadline)
            if case .bytes(let count) = result { filled = count }
        }
        switch result {
        case .bytes: lines.append(chunk)
        case .end: throw .ended
        case .timedOut: throw .timedOut
        case .failed(let code): throw .failed(SystemError("recv", code: code))
        }
    }
}
