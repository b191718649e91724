#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

/// What is known of libdispatch by name: its own functions on stacks, and what it exports.
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

    /// Whether a queue is one of those behind a `DispatchIO`, which Dispatch suspends for as long as the
    /// channel is open (io.c).
    static func isOfChannel(_ label: String) -> Bool {
        label.hasPrefix("com.apple.libdispatch-io.")
    }

    static var mainQueue: UInt { ctelltale_dispatch_main_queue() }

    /// Cancels the work item of this block; false where that can't be done here.
    static func cancel(_ block: UInt) -> Bool { ctelltale_dispatch_cancel_item(block) }

    /// Signals the semaphore at this address; false where that can't be done here.
    static func signal(_ semaphore: UInt) -> Bool { ctelltale_dispatch_force_signal(semaphore) }

    /// Leaves the group at this address; false where that can't be done here.
    static func leave(_ group: UInt) -> Bool { ctelltale_dispatch_force_leave(group) }
}

/// Strings that libdispatch keeps.
enum DispatchText {
    /// The string at `address` as it is shown, empty for a queue without a label (0); nil where it can't
    /// be read, or is no text and not to be repaired. What is longer than `limit` ends in `…`.
    static func string(at address: UInt, limit: Int = 256, repairing: Bool = false) -> String? {
        guard address != 0 else { return "" }
        return withUnsafeTemporaryAllocation(byteCount: limit + 1, alignment: 1) { buffer in
            guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                return nil
            }
            let count = ctelltale_dispatch_text(address, start, limit + 1)
            guard count >= 0, count <= limit else { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(Int(count)))
            // A label that was cut may end inside of a character.
            if count == limit {
                let text = String(decoding: bytes, as: UTF8.self)
                return HostLabel.shown(text, isWhole: false) + "…"
            }
            if repairing { return HostLabel.shown(String(decoding: bytes, as: UTF8.self)) }
            return String(validating: bytes, as: UTF8.self).map { HostLabel.shown($0) }
        }
    }
}
#endif
