#if TELLTALE_AGENT
import CTelltaleSystem

/// A breakpoint for a debugger that was told `break telltale_breakpoint`.
package enum DebuggerStop {
    /// A dump is made: the agent's capture is done, and every registered object listed.
    package static func dumpIsMade() {
        telltale_breakpoint()
    }
}
#endif
