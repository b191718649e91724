import TelltaleSystem

/// A connection that counts the lines that come back, and reads nothing of them: an attack and
/// what is measured during it should cost as little as can be on this side.
final class LineExchange {
    private let socket: FileDescriptor
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)

    init(to path: String) throws {
        socket = try UnixSocket.connect(to: path, deadline: .now.advanced(by: .seconds(5)))
    }

    deinit { buffer.deallocate() }

    /// Sends lines and waits for as many, at most 10 s.
    func ask(_ bytes: [UInt8], lines count: Int = 1) throws {
        let deadline = MonotonicTime.now.advanced(by: .seconds(10))
        guard bytes.withUnsafeBytes({ UnixSocket.write($0, to: socket.raw, until: deadline) })
        else { throw BenchmarkFailure("the connection was closed") }
        var missing = count
        while missing > 0 {
            let result = UnixSocket.read(from: socket.raw, into: buffer, until: deadline)
            guard case .bytes(let size) = result else {
                throw BenchmarkFailure("no answer came: \(result)")
            }
            missing -= buffer[..<size].count { $0 == 10 }
        }
    }
}
