package import TelltaleProtocol
package import TelltaleSystem

/// Lines to and from a socket.
package struct MessageChannel: ~Copyable {
    /// Why no line came.
    package enum Trouble: Error, Sendable {
        case timedOut, ended, interrupted
        case tooLong(Int)
        case failed(SystemError)
    }

    /// What one answer may take here, and all the lines together that come ahead of it.
    static let longestReply = JSONLimits.answer.maximumBytes
    /// What a greeting may take, and a status of which many are asked for at once: both have a few lines,
    /// and whoever greets isn't known yet.
    static let longestGreeting = 1 << 20

    private let socket: FileDescriptor
    private var buffer: [UInt8] = []
    /// Where the first line that was not given out begins.
    private var start = 0
    /// Up to where no line end was found.
    private var searched = 0

    package init(_ socket: consuming FileDescriptor) { self.socket = socket }

    /// The socket's descriptor.
    package var descriptor: Int32 { socket.raw }

    /// Sends one message and its line end.
    package func send(_ line: String, deadline: MonotonicTime) -> Bool {
        var bytes = Array(line.utf8)
        bytes.append(10)
        return bytes.withUnsafeBytes {
            UnixSocket.write($0, to: socket.raw, until: deadline)
        }
    }

    /// The next line, without its end.
    ///
    /// - Parameters:
    ///   - limit: How many bytes it may have.
    ///   - deadline: When to give up.
    ///   - interrupt: A descriptor that ends the wait as soon as it can be read.
    ///   - explain: Says what a trouble means where it is met.
    /// - Returns: The line.
    /// - Throws: What `explain` makes of the trouble.
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
        // What has come by the deadline is read, once: who sends without an end is left then.
        var isOver = false
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                let line = Array(buffer[start..<end])
                start = end + 1
                searched = start
                return line
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            guard buffer.count <= limit else { throw .tooLong(limit) }
            guard !isOver else { throw .timedOut }
            isOver = deadline <= .now
            try fill(deadline: deadline, interrupt: interrupt)
        }
    }

    private mutating func fill(deadline: MonotonicTime, interrupt: Int32?) throws(Trouble) {
        switch DescriptorWait.wait(for: socket.raw, interrupt: interrupt, until: deadline) {
        case .ready: break
        case .interrupted: throw .interrupted
        case .timedOut: throw .timedOut
        case .failed: throw .ended
        }
        let size = 65_536
        var result = UnixSocket.ReadResult.end
        let raw = socket.raw
        buffer += [UInt8](unsafeUninitializedCapacity: size) { chunk, filled in
            result = UnixSocket.read(
                from: raw, into: UnsafeMutableRawBufferPointer(chunk), until: deadline)
            if case .bytes(let count) = result { filled = count }
        }
        switch result {
        case .bytes: break
        case .end: throw .ended
        case .timedOut: throw .timedOut
        case .failed(let code): throw .failed(SystemError("recv", code: code))
        }
    }
}
