#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc

/// The seccomp filters that the host installs.
///
/// A filter may end the process at any system call, and there is no way to ask which. If one was installed
/// since the agent's start, the agent avoids calls that it had not made by then: it makes no copy of the
/// process and no helper, requests no shorter wait for a core, binds no thread to a core, and examines no
/// socket of the host.
package enum SeccompFilters {
    /// Records the filters of the calling thread; must be called at the agent's start.
    package static func remember() { ctelltale_filters_remember() }

    /// Indicates that filters were installed since then. The answer holds for 100 ms; 20 µs beyond that.
    package static var haveGrown: Bool { ctelltale_filters_have_grown() }

    /// Indicates that there are filters, of which some may be from before then. A rare call that an answer can do
    /// without is not made under any.
    package static var areAny: Bool { ctelltale_filters_are_any() }
}

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
