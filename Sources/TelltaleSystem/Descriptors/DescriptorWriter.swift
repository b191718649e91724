#if TELLTALE_COMPILED
import Glibc

/// Writing everything to a descriptor that is a file, a pipe or a terminal.
package enum DescriptorWriter {
    /// Writes all of `bytes`, waiting where a descriptor that doesn't block is full.
    ///
    /// - Throws: `SystemError`; `EPIPE` where the reader of a pipe has gone and no signal is raised, as on
    ///   a thread of the agent's.
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
            let count =
                raisesSignal
                ? Glibc.write(descriptor, rest.baseAddress, rest.count)
                : systemWrite(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                // A shell's other programs may have made the terminal non-blocking for all.
                _ = DescriptorWait.wait(for: descriptor, toWrite: true, until: .distantFuture)
            } else {
                return SystemError(name)
            }
        }
        return nil
    }

    /// Has a write to a pipe without a reader fail with `EPIPE` instead of ending the program.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Writing to a pipe that may have lost its reader, by a thread that doesn't block SIGPIPE.
///
/// The agent's threads can't have it blocked for good: a worker that Dispatch makes while one of them
/// submits something inherits that, and then all that the host runs on it, and every program that it
/// starts from there (2 of 4 runs).
enum BrokenPipe {
    /// Performs one write, which fails with `EPIPE` and raises no signal, and leaves its `errno`.
    static func withoutSignal(_ write: () -> Int) -> Int {
        var pipe = sigset_t()
        var pending = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        sigpending(&pending)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let count = write()
        let code = errno
        // The pending signal is this thread's own, unless one was pending already.
        if count < 0, code == EPIPE, sigismember(&pending, SIGPIPE) == 0 {
            var none = timespec()
            while sigtimedwait(&pipe, nil, &none) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = code
        return count
    }
}

/// Writes of a command-line program of ours to the streams that it was started with.
///
/// Not for the agent: a full pipe makes the caller wait.
package enum StandardStreams {
    /// Writes a text and a line's end to standard error; an error there has nowhere to be told.
    package static func complain(_ text: String) {
        try? DescriptorWriter.write("\(text)\n".utf8, to: STDERR_FILENO, name: "standard error")
    }

    package static func show(_ text: String) throws(SystemError) {
        try DescriptorWriter.write("\(text)\n".utf8, to: STDOUT_FILENO, name: "standard output")
    }

    /// Ends the process (`exit(3)`, which runs the `atexit` handlers).
    package static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}
#endif
