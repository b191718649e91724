import Glibc
import TelltaleSystem
import Testing

/// Bytes that are read and left to the kernel for now.
struct PeekingTests {
    private let ends: [Int32]

    init() {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        self.ends = ends
    }

    private func send(_ text: String) {
        #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    }

    private func peek() -> String? {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { buffer in
            guard case .bytes(let count) = UnixSocket.peek(at: ends[0], into: buffer) else {
                return nil
            }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    private func close() { for end in ends { Glibc.close(end) } }

    @Test("what is peeked at stays, and what is taken is gone")
    func peeking() {
        defer { close() }
        #expect(peek() == nil)
        send("one")
        #expect(peek() == "one")
        send("two")
        #expect(peek() == "onetwo")
        #expect(UnixSocket.discard(4, from: ends[0]))
        #expect(peek() == "wo")
    }

    @Test("each peek begins behind the last one, also when some of that is taken")
    func peeksOn() {
        defer { close() }
        send("one")
        #expect(peek() == "one")
        #expect(UnixSocket.peeksOn(behind: 3, at: ends[0]))
        #expect(peek() == nil)
        send("two")
        send("three")
        #expect(peek()?.hasPrefix("two") == true)
        while peek() != nil {}
        #expect(UnixSocket.discard(6, from: ends[0]))
        #expect(peek() == nil)
        send("four")
        #expect(peek() == "four")
        #expect(UnixSocket.discard(9, from: ends[0]))
        #expect(peek() == nil)
        // Taken without a peek.
        send("five")
        #expect(UnixSocket.discard(4, from: ends[0]))
        send("six")
        #expect(peek() == "six")
        #expect(!UnixSocket.discard(4, from: ends[0]))
    }

    @Test("bytes out of band are told by what is not there to take, and a new beginning mends it")
    func outOfBand() {
        defer { close() }
        send("one")
        #expect(peek() == "one")
        #expect(UnixSocket.peeksOn(behind: 3, at: ends[0]))
        #expect(Glibc.send(ends[1], "x", 1, Int32(MSG_OOB)) == 1)
        send("two")
        var seen = 3
        while let text = peek() { seen += text.utf8.count }
        // The kernel of this machine gives the byte to a peek and not to a read; others needn't.
        if !UnixSocket.discard(seen, from: ends[0]) {
            #expect(UnixSocket.peeksOn(behind: 0, at: ends[0]))
        }
        send("three")
        #expect(peek() == "three")
    }

    @Test("the end is told, also behind what was left; what is no socket is an error")
    func end() {
        defer { Glibc.close(ends[0]) }
        send("one")
        #expect(peek() == "one")
        #expect(UnixSocket.peeksOn(behind: 3, at: ends[0]))
        Glibc.close(ends[1])
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { buffer in
            #expect(UnixSocket.peek(at: ends[0], into: buffer) == .end)
            #expect(UnixSocket.peek(at: -1, into: buffer) == .failed(EBADF))
        }
        #expect(!UnixSocket.peeksOn(behind: 0, at: -1))
    }
}
