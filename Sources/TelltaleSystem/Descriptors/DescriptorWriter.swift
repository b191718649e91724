#if TELLTALE_COMPILED
import Glibc

/// Writing everything to a descriptor that is a file, a pipe or a terminal.
package enum DescriptorWriter {
    /// Writes all of `bytes`, waiting where a descriptor that doesn't block is full.
    ///
    /// - Throws: `SystemError`; `EPIPE` if the reader of a pipe has gone, and `EFBIG` at the limit of a
    ///   file's size, without raising a signal.
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

    /// Makes a write to a pipe without a reader fail with `EPIPE` instead of ending the program.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// The signals that the kernel sends to a thread that writes: SIGPIPE for a pipe without a reader, SIGXFSZ beyond
/// the limit of a file's size (RLIMIT_FSIZE), and SIGTTOU from the background of a terminal that stops those
/// (`stty tostop`). By default the first two end the process, and the last one stops it.
///
/// The agent's threads can't block SIGPIPE permanently: a worker that Dispatch creates while one of them
/// submits an item inherits the mask, and so does every program that the host starts on that worker (2 of 4
/// runs). A host thread, in `start()`, blocks none of them.
enum WriteSignals {
    /// Performs one write, which fails with `EPIPE` or `EFBIG` and raises no signal, and leaves its `errno`.
    static func blocked(_ write: () -> Int) -> Int {
        var raised = sigset_t()
        var pending = sigset_t()
        var before = sigset_t()
        sigemptyset(&raised)
        for signal in [SIGPIPE, SIGXFSZ, SIGTTOU] { sigaddset(&raised, signal) }
        sigpending(&pending)
        pthread_sigmask(SIG_BLOCK, &raised, &before)
        let count = write()
        let code = errno
        // It is this thread's own and waits for it, unless one did already.
        if count < 0, code == EPIPE { take(SIGPIPE, unlessIn: &pending) }
        if count < 0, code == EFBIG { take(SIGXFSZ, unlessIn: &pending) }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = code
        return count
    }

    private static func take(_ signal: Int32, unlessIn pending: inout sigset_t) {
        guard sigismember(&pending, signal) == 0 else { return }
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        var none = timespec()
        while sigtimedwait(&set, nil, &none) < 0, errno == EINTR {}
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
