#if TELLTALE_COMPILED
import Glibc

/// Reading a descriptor line by line, with a bound on the length of a line.
package struct DescriptorReader {
    /// The reason that no more lines come.
    package enum Failure: Error, Sendable, Equatable {
        case system(SystemError)
        case tooLong(limit: Int)
    }

    private let descriptor: Int32
    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var ended = false

    /// Reads from `descriptor`, which stays the caller's, lines of at most `limit` bytes.
    package init(_ descriptor: Int32, limit: Int = 1 << 20) {
        self.descriptor = descriptor
        self.limit = limit
    }

    /// The next line without its end, or nil at the end. A last line without a line end is a line.
    package mutating func next() throws(Failure) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            searched = buffer.count
            if buffer.count - start > limit { throw .tooLong(limit: limit) }
            if ended {
                defer { start = buffer.count }
                return start < buffer.count ? Array(buffer[start...]) : nil
            }
            buffer.removeFirst(start)
            searched -= start
            start = 0
            try fill()
        }
    }

    private mutating func fill() throws(Failure) {
        let size = 65_536
        var failure: SystemError?
        let chunk = [UInt8](unsafeUninitializedCapacity: size) { chunk, filled in
            let count = retryingInterrupts { read(descriptor, chunk.baseAddress, size) }
            if count < 0 { failure = SystemError("read(\(descriptor))") }
            filled = max(0, count)
        }
        if let failure { throw .system(failure) }
        if chunk.isEmpty { ended = true }
        buffer += chunk
    }
}
#endif
