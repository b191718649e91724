#if TELLTALE_COMPILED
import Glibc

/// Writing everything to a descriptor that is a file, a pipe or a terminal.
package enum DescriptorWriter {
    /// Writes all of `bytes`, waiting where a descriptor that doesn't block is full.
    ///
    /// - Parameters:
    ///   - bytes: What is written.
    ///   - descriptor: Where to; it stays the caller's.
    ///   - name: What the descriptor is, for the error.
    ///   - raisesSignal: Whether a pipe without a reader ends the program with SIGPIPE, as it ends any
    ///     other; false on a thread of the agent's.
    /// - Throws: `SystemError`; `EPIPE` where the reader of a pipe has gone and no signal is raised.
    package static func write(
        _ bytes: some Collection<UInt8>, to descriptor: Int32, name: String,
        raisesSignal: Bool = true
    ) throws(SystemError) {
        let failure: SystemError? =
            bytes.withContiguousStorageIfAvailable {
                writeAll(UnsafeRawBufferPointer($0), descriptor, name, raisesSignal)
            }
            ?? Array(bytes).withUnsafeBytes { writeAll($0, descriptor, name, raisesSignal) }
        if let failure { throw failure }
    }

    private static func writeAll(
        _ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ name: String,
        _ raisesSignal: Bool
    ) -> SystemError? {
        var rest = bytes
        while !rest.isEmpty {
            let count = systemWrite(descriptor, rest.baseAddress, rest.count, raisesSignal)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                // A shell's other programs may have made the terminal non-blocking for all.
                _ = UnixSocket.wait(for: descriptor, toWrite: true, until: .distantFuture)
            } else {
                return SystemError(name)
            }
        }
        return nil
    }

    // The C function, whose name ours hides inside this type.
    private static func systemWrite(
        _ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int, _ raisesSignal: Bool
    ) -> Int {
        raisesSignal
            ? Glibc.write(descriptor, start, count)
            : BrokenPipe.withoutSignal { Glibc.write(descriptor, start, count) }
    }

    /// Has a write to a pipe without a reader fail with `EPIPE` instead of ending the program.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
#endif
