#if TELLTALE_AGENT
import Glibc

/// The system calls that the agent's own thread can't do without, and that a seccomp filter can refuse with an error.
package enum RefusedCalls {
    /// The name of the first refused one; `nil` if none is. They are tried: whether there are filters is read from a
    /// file, which takes these calls too. 1 µs.
    package static var first: String? {
        if isRefused(poll(nil, 0, 0)) { return "poll" }
        // No descriptor: nothing is taken from any.
        if isRefused(Int32(recv(-1, nil, 0, Int32(MSG_DONTWAIT)))) { return "recvfrom" }
        var status = stat()
        return isRefused(lstat("/", &status)) ? "newfstatat" : nil
    }

    private static func isRefused(_ result: Int32) -> Bool {
        result < 0 && [EPERM, EACCES, ENOSYS].contains(errno)
    }

    /// Waits for a time without any of them.
    package static func wait(milliseconds: UInt32) { usleep(milliseconds * 1000) }
}
#endif
