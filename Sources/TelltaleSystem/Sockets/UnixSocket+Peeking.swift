#if TELLTALE_COMPILED
import Glibc

/// Bytes that are read and left to the kernel for now.
extension UnixSocket {
    /// Reads what there is into `buffer`, and leaves it to the kernel. It never waits: the number may be another's, and
    /// that one wait for good.
    ///
    /// - Returns: ``ReadResult/timedOut`` where there is nothing, and the end where the peer has gone.
    package static func peek(
        at descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) -> ReadResult {
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        let count = retryingInterrupts { recv(descriptor, buffer.baseAddress, buffer.count, flags) }
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        switch errno {
        case EAGAIN, EWOULDBLOCK: return .timedOut
        case ECONNRESET: return .end
        default: return .failed(errno)
        }
    }

    /// Takes the next `count` bytes, which were peeked at; false where they are not there.
    package static func discard(_ count: Int, from descriptor: Int32) -> Bool {
        var rest = count
        return withUnsafeTemporaryAllocation(byteCount: min(count, 4096), alignment: 8) { buffer in
            while rest > 0 {
                let taken = retryingInterrupts {
                    recv(
                        descriptor, buffer.baseAddress, min(rest, buffer.count), Int32(MSG_DONTWAIT)
                    )
                }
                guard taken > 0 else { return false }
                rest -= taken
            }
            return true
        }
    }

    /// Has each peek from now on begin behind what the last one has seen, until that is taken (`SO_PEEK_OFF`, since
    /// Linux 3.4).
    ///
    /// - Parameters:
    ///   - seen: How many bytes were peeked at and not taken by now.
    ///   - descriptor: The socket's number.
    /// - Returns: Whether the kernel does so. It is asked for what it was told: what stands in a kernel's place may
    ///   accept an option that it doesn't know.
    package static func peeksOn(behind seen: Int, at descriptor: Int32) -> Bool {
        var offset = Int32(clamping: seen)
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_PEEK_OFF, &offset, size) == 0 else {
            return false
        }
        var told: Int32 = -1
        var length = size
        return getsockopt(descriptor, SOL_SOCKET, SO_PEEK_OFF, &told, &length) == 0
            && told == offset
    }
}
#endif
