#if TELLTALE_AGENT
import CTelltaleSystem

/// The filters of system calls (seccomp) that the host installs.
///
/// A filter may end the process at any call, and tells no one which. After one that was installed since the
/// agent's start, the agent leaves out calls that it had not made by then: it makes no copy of the
/// process and no helper, asks for no shorter wait for a core, binds no thread to a core, and looks at no
/// socket of the host's.
package enum SeccompFilters {
    /// Remembers the filters of the calling thread; to be called at the agent's start.
    package static func remember() { ctelltale_filters_remember() }

    /// Indicates that filters were installed since then. The answer holds for 100 ms; 20 µs beyond that.
    package static var haveGrown: Bool { ctelltale_filters_have_grown() }
}
#endif
