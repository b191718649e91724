#if TELLTALE_AGENT
import CTelltaleSystem

/// What is known of libdispatch by name: its own functions on stacks, and two that it exports.
enum DispatchSymbols {
    /// Whether a function is libdispatch's own, such as the handler of the timer by which it watches its
    /// pool.
    static func isOwn(_ function: String?) -> Bool { function?.hasPrefix("_dispatch_") == true }

    /// Whether a thread in this function waits for events as Dispatch's manager and run loops do, which
    /// have one such wait for good.
    static func isEventLoop(_ function: String) -> Bool {
        function.holds("_dispatch_event_loop") || function.holds("CFRunLoop")
    }

    /// Whether a queue is that of Dispatch's manager, which waits for the events of all sources.
    static func isManager(_ label: String) -> Bool { label == "com.apple.libdispatch-manager" }

    static var mainQueue: UInt { ctelltale_dispatch_main_queue() }

    /// Cancels the work item of this block; false where that can't be done here.
    static func cancel(_ block: UInt) -> Bool { ctelltale_dispatch_cancel_item(block) }
}
#endif
