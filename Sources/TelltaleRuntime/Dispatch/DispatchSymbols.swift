#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

/// Facts about libdispatch by name: its own functions on stacks, and its exported symbols.
package enum DispatchSymbols {
    /// Returns true if a function belongs to libdispatch, such as the handler of the timer that monitors
    /// its thread pool.
    package static func isOwn(_ function: String?) -> Bool {
        function?.hasPrefix("_dispatch_") == true
    }

    /// Returns true if a thread in this function waits for events permanently, as Dispatch's manager and
    /// run loops do.
    static func isEventLoop(_ function: String) -> Bool {
        function.holds("_dispatch_event_loop") || function.holds("CFRunLoop")
    }

    /// Returns true if a queue is that of Dispatch's manager, which waits for the events of all sources.
    package static func isManager(_ label: String) -> Bool {
        label == "com.apple.libdispatch-manager"
    }

    /// Returns true if a queue is internal to a `DispatchIO`. Dispatch suspends such a queue while the
    /// channel is open (io.c).
    package static func isOfChannel(_ label: String) -> Bool {
        label.hasPrefix("com.apple.libdispatch-io.")
    }

    package static var mainQueue: UInt { ctelltale_dispatch_main_queue() }

    /// Cancels the work item of this block; false if libdispatch's function is not available.
    package static func cancel(_ block: UInt) -> Bool { ctelltale_dispatch_cancel_item(block) }

    /// Signals the semaphore at this address; false if libdispatch's function is not available.
    package static func signal(_ semaphore: UInt) -> Bool {
        ctelltale_dispatch_force_signal(semaphore)
    }

    /// Leaves the group at this address; false if libdispatch's function is not available.
    package static func leave(_ group: UInt) -> Bool { ctelltale_dispatch_force_leave(group) }
}

/// Reads strings that libdispatch stores.
enum DispatchText {
    /// The string at `address` as it is shown; empty for a queue without a label (0). Nil if it can't be
    /// read, or if it is not valid text and `repairing` is false. A string longer than `limit` is truncated
    /// and ends in `…`.
    static func string(at address: UInt, limit: Int = 256, repairing: Bool = false) -> String? {
        guard address != 0 else { return "" }
        return withUnsafeTemporaryAllocation(byteCount: limit + 1, alignment: 1) { buffer in
            guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                return nil
            }
            let count = ctelltale_dispatch_text(address, start, limit + 1)
            guard count >= 0, count <= limit else { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(Int(count)))
            // A truncated label may end inside a character.
            if count == limit {
                let text = String(decoding: bytes, as: UTF8.self)
                return HostLabel.shown(text, isWhole: false) + "…"
            }
            if repairing { return HostLabel.shown(String(decoding: bytes, as: UTF8.self)) }
            return String(validating: bytes, as: UTF8.self).map { HostLabel.shown($0) }
        }
    }
}

/// Distinguishes an address of code from any other word.
struct CodeAddresses {
    private let images: LoadedImages?

    init() {
        let last = RuntimeCaches.current.codeImages
        let previous = last.withLock { $0 }
        let images = LoadedImages.read(after: previous)
        self.images = images
        // The replaced images are released outside of the lock.
        let released = last.withLock { last in
            defer { last = images ?? last }
            return last
        }
        _ = released
    }

    /// Returns true if `address` is in executable memory.
    func contains(_ address: UInt) -> Bool {
        guard let images, let image = ctelltale_images_holding(images.table, address) else {
            return false
        }
        return ctelltale_image_has_text(image, address)
    }
}
#endif
