#if TELLTALE_AGENT
import TelltalePicture

extension ThreadFacts {
    /// Indicates that it ends the process: the C library's function calls the handlers of `atexit` and the
    /// destructors of images one after another.
    var isInExit: Bool { stack.contains { $0.symbol == "__run_exit_handlers" } }
}
#endif
