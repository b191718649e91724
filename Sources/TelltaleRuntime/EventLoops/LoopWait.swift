#if TELLTALE_AGENT
package import TelltalePicture
import TelltaleSystem

/// The descriptors that a thread waits on, in one of the system calls of event loops.
package enum LoopWait: Sendable, Hashable {
    case epoll(Int32)
    case ring(Int32)
    /// `poll` or `select` on these descriptors.
    case array([LoopDescriptors.Member])

    /// The maximum length of an array; a longer one is not read.
    private static let mostPolled = 1024

    /// Decodes a system call; nil if it is not a wait of an event loop, or its array can't be read.
    package init?(of call: SystemCall) {
        guard call.arguments.count >= 5 else { return nil }
        let first = call.arguments[0]
        switch call.name {
        case "epoll_wait", "epoll_pwait", "epoll_pwait2":
            self = .epoll(Int32(truncatingIfNeeded: first))
        case "io_uring_enter":
            // The call waits only if it asks for completions. The ring may be given by an index instead.
            let flags = call.arguments[3]
            guard flags & 1 != 0, flags & 16 == 0 else { return nil }
            self = .ring(Int32(truncatingIfNeeded: first))
        case "poll", "ppoll":
            guard let members = Self.polled(at: first, call.arguments[1]) else { return nil }
            self = .array(members)
        case "select", "pselect6":
            let (count, reading, writing) = (first, call.arguments[1], call.arguments[2])
            guard let members = Self.selected(count, reading, writing) else { return nil }
            self = .array(members)
        default: return nil
        }
    }

    // `struct pollfd`: the descriptor, the requested events, the returned events.
    private static func polled(at address: UInt, _ count: UInt) -> [LoopDescriptors.Member]? {
        guard count > 0, count <= mostPolled, address != 0 else { return nil }
        let words = [UInt64](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            let isRead = GuardedMemory.read(
                address: address, into: UnsafeMutableRawBufferPointer(buffer))
            filled = isRead ? Int(count) : 0
        }
        let members = words.compactMap { word -> LoopDescriptors.Member? in
            let number = Int32(truncatingIfNeeded: word)
            guard number >= 0 else { return nil }
            return LoopDescriptors.Member(
                number: number, events: UInt32(UInt16(truncatingIfNeeded: word >> 32)))
        }
        return members.isEmpty ? nil : members
    }

    // `fd_set`: one bit per descriptor.
    private static func selected(
        _ count: UInt, _ reading: UInt, _ writing: UInt
    ) -> [LoopDescriptors.Member]? {
        guard count > 0, count <= mostPolled else { return nil }
        var events: [Int32: UInt32] = [:]
        for (address, asked) in [(reading, LoopBits.readable), (writing, Int16(4))]
        where address != 0 {
            for index in 0..<((count + 63) / 64) {
                guard let word = GuardedMemory.load(UInt64.self, at: address &+ index * 8) else {
                    return nil
                }
                for bit in 0..<64 where word >> UInt64(bit) & 1 != 0 {
                    let number = Int32(index) * 64 + Int32(bit)
                    if number < Int32(count) { events[number, default: 0] |= UInt32(asked) }
                }
            }
        }
        guard !events.isEmpty else { return nil }
        return events.sorted { $0.key < $1.key }.map {
            LoopDescriptors.Member(number: $0.key, events: $0.value)
        }
    }
}

package enum LoopNames {
    /// The library whose event loop a thread runs, by its functions or its name; nil if neither tells.
    package static func make(of thread: ThreadFacts) -> EventLoopFacts.Make? {
        for frame in thread.stack.reversed() {
            if let make = make(of: frame) { return make }
        }
        // The thread's name tells it too if the program has no symbols.
        return thread.name.hasPrefix("NIO-ELT-") ? .nio : nil
    }

    package static func make(of frame: ResolvedFrame) -> EventLoopFacts.Make? {
        guard let function = frame.function else { return nil }
        if function.holds("SelectableEventLoop.run()") { return .nio }
        if function.hasPrefix("CFRunLoopRun") || function.hasPrefix("__CFRunLoopRun") {
            return .runLoop
        }
        return function == "uv_run" ? .libuv : nil
    }

    /// Returns true if a thread is Dispatch's manager, whose epoll serves sources and timers.
    package static func isDispatchManager(_ thread: ThreadFacts, label: String?) -> Bool {
        label == "com.apple.libdispatch-manager"
            || thread.stack.contains {
                $0.function?.hasPrefix("_dispatch_mgr_") == true
                    || $0.function?.hasPrefix("_dispatch_event_loop_drain") == true
            }
    }
}
#endif
