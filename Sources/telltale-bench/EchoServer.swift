import Dispatch
import TelltaleSystem

/// Sends back what it gets: the cheapest answer that a Unix socket can give.
final class EchoServer {
    let path: String
    private let folder: TemporaryFolder

    /// Starts it; it ends when its only client goes.
    ///
    /// - Throws: ``BenchmarkFailure``.
    init() throws(BenchmarkFailure) {
        do throws(SystemError) {
            folder = try TemporaryFolder("telltale-bench")
            path = "\(folder.path)/echo.sock"
            let listener = try UnixSocket.listen(at: path, backlog: 1)
            let raw = listener.release()
            DispatchQueue.global().async { Self.serve(FileDescriptor(taking: raw)) }
        } catch {
            throw BenchmarkFailure("\(error)")
        }
    }

    private static func serve(_ listener: consuming FileDescriptor) {
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        guard DescriptorWait.wait(for: listener.raw, until: deadline) == .ready,
            let client = try? UnixSocket.accept(from: listener.raw)
        else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let went = buffer.withUnsafeMutableBytes { bytes in
                let result = UnixSocket.read(from: client.raw, into: bytes, until: deadline)
                guard case .bytes(let count) = result else { return false }
                return UnixSocket.write(
                    UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: client.raw,
                    until: deadline)
            }
            guard went else { return }
        }
    }
}
