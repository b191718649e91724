#if TELLTALE_AGENT
import CTelltaleSystem

/// The end of the process by `exit`, also by a return from `main`.
package enum ProcessEnd {
    /// Indicates that the exit has begun: anything made from now on would be left behind.
    package static var hasBegun: Bool { ctelltale_is_exiting() }

    /// Registers the socket file to remove at exit, unless another file has replaced it by then; nil for
    /// none. It replaces an earlier registration. The exit of a forked child removes nothing.
    package static func remove(_ path: String?) { ctelltale_exit_file_set(path) }
}
#endif
