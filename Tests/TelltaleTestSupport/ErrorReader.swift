import Foundation
package import TelltaleSystem

/// Reads a program's output as it comes, on a thread of its own: a writer to a full pipe has to
/// wait, or drops its output.
package final class ErrorReader: Sendable {
    private let unread = Locked<[UInt8]>([])
    private let isOver = Locked(false)

    /// Begins to read.
    ///
    /// - Parameter descriptor: Where from. A copy is read, which is closed with the thread.
    /// - Throws: What keeps the thread from starting.
    package init(_ descriptor: Int32) throws {
        let copy = FileDescriptor(taking: dup(descriptor))
        try NativeThread.start(name: "errors") { [unread, isOver] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while !isOver.withLock({ $0 }) {
                let wait = DescriptorWait.wait(
                    for: copy.raw, until: .now.advanced(by: .milliseconds(100)))
                guard wait == .ready else {
                    if wait == .timedOut { continue }
                    break
                }
                let count = read(copy.raw, &buffer, buffer.count)
                guard count > 0 else { break }
                unread.withLock { $0 += buffer[..<count] }
            }
        }
    }

    deinit { isOver.withLock { $0 = true } }

    /// Returns the output since the last call; waits until there is some.
    ///
    /// - Returns: `nil` at the deadline.
    package func take(until deadline: MonotonicTime) -> String? {
        while true {
            let bytes = unread.withLock { unread in
                defer { unread = [] }
                return unread
            }
            if !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            guard .now < deadline else { return nil }
            usleep(1000)
        }
    }
}
