#if TELLTALE_COMPILED
import Glibc

/// Ends a connection without closing its descriptor, which another thread may be reading from.
package enum SocketShutdown {
    /// Both directions; whoever reads finds the end.
    package static func both(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Whether the other end was closed, or ended in both directions; one that sends nothing more and
    /// still reads is not. Waits for nothing.
    package static func isDone(_ descriptor: Int32) -> Bool {
        // POLLHUP of a Unix socket means both directions (`unix_poll`); it is told unasked.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        let ends = Int32(POLLHUP) | Int32(POLLERR) | Int32(POLLNVAL)
        return poll(&entry, 1, 0) > 0 && Int32(entry.revents) & ends != 0
    }
}
#endif
