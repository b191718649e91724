#if TELLTALE_AGENT
import TelltalePicture

enum LoopNames {
    /// Whose loop a thread runs, as its functions or its name say; nil where neither does.
    static func make(of thread: ThreadFacts) -> EventLoopFacts.Make? {
        for frame in thread.stack.reversed() {
            if let make = make(of: frame) { return make }
        }
        // The thread's name says it too where the program has no symbols.
        return thread.name.hasPrefix("NIO-ELT-") ? .nio : nil
    }

    static func make(of frame: ResolvedFrame) -> EventLoopFacts.Make? {
        guard let function = frame.function else { return nil }
        if function.holds("SelectableEventLoop.run()") { return .nio }
        if function.hasPrefix("CFRunLoopRun") || function.hasPrefix("__CFRunLoopRun") {
            return .runLoop
        }
        return function == "uv_run" ? .libuv : nil
    }

    /// Whether a thread is Dispatch's manager, whose epoll serves sources and timers.
    static func isDispatchManager(_ thread: ThreadFacts, label: String?) -> Bool {
        label == "com.apple.libdispatch-manager"
            || thread.stack.contains {
                $0.function?.hasPrefix("_dispatch_mgr_") == true
                    || $0.function?.hasPrefix("_dispatch_event_loop_drain") == true
            }
    }
}
#endif
