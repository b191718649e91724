#if TELLTALE_COMPILED
import Glibc

/// Writing to a pipe that may have lost its reader, by a thread that doesn't block SIGPIPE.
///
/// The agent's threads can't have it blocked for good: a worker that Dispatch makes while one of them
/// submits something inherits that, and then all that the host runs on it, and every program that it
/// starts from there (2 of 4 runs).
enum BrokenPipe {
    /// Performs one write, which fails with `EPIPE` and raises no signal.
    ///
    /// - Parameter write: Returns what `write(2)` does, and leaves its `errno`.
    /// - Returns: What it returned, with its `errno`.
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
        // It is this thread's own and waits for it, unless one did already.
        if count < 0, code == EPIPE, sigismember(&pending, SIGPIPE) == 0 {
            var none = timespec()
            while sigtimedwait(&pipe, nil, &none) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = code
        return count
    }
}
#endif
