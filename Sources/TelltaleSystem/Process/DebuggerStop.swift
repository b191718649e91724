#if TELLTALE_AGENT
import CTelltaleSystem

/// A breakpoint for a debugger that was told `break telltale_breakpoint`.
package enum DebuggerStop {
    /// A dump is made: the agent's capture is done, and every registered object listed.
    package static func dumpIsMade() {
        telltale_breakpoint()
    }

    /// Returns whether a tracer is the agent's own helper, which stops threads for their stacks.
    package static func isOwnHelper(_ pid: Int32) -> Bool { ctelltale_interrupt_is_helper(pid) }
}
#endif
