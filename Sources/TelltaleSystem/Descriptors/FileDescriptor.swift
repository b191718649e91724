#if TELLTALE_COMPILED
import CTelltaleSystem

import Glibc

/// The only owner of an open descriptor, which it closes once, if its number is still ours by then.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The descriptor's number, valid for as long as this owner lives and the process closes nothing
    /// of others.
    package let raw: Int32
    private let known: OwnDescriptor

    /// Takes over `raw`.
    package init(taking raw: Int32) {
        self.raw = raw
        known = OwnDescriptor(raw)
    }

    deinit { known.close() }

    /// Whether the number still leads to what was taken over.
    package var isOurs: Bool { known.isOurs }

    /// Gives the number away; it is then the caller's to close.
    package consuming func release() -> Int32 {
        let raw = self.raw
        discard self
        return raw
    }

    /// Has reads and writes return at once instead of waiting (`O_NONBLOCK`).
    package func setNonblocking() throws(SystemError) {
        let flags = fcntl(raw, F_GETFL)
        guard flags >= 0, fcntl(raw, F_SETFL, flags | O_NONBLOCK) >= 0 else {
            throw SystemError("fcntl(\(raw), O_NONBLOCK)")
        }
    }
}
#endif
