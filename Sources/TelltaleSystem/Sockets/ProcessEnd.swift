#if TELLTALE_AGENT
import CTelltaleSystem

/// The end of the process by `exit`, also by a return from `main`.
package enum ProcessEnd {
    /// Indicates that the exit has begun: anything made from now on would be left behind.
    package static var hasBegun: Bool { ctelltale_is_exiting() }

    /// Has a socket's file removed then, unless another one has come into its place, instead of the one that
    /// was named before; nil for none. A forked child's end removes nothing.
    package static func remove(_ path: String?) { ctelltale_exit_file_set(path) }
}
#endif
