#if TELLTALE_AGENT
import CTelltaleSystem

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
#endif
