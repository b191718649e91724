#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture
import TelltaleSystem

/// Pointers of the process that the kernel holds. If a program keeps an object's only reference there
/// (`Unmanaged.passRetained(…).toOpaque()`), the object is not reachable from the process's memory.
package enum KernelRoots {
    /// The `epoll_data` of one descriptor, which its loop receives with each event.
    package struct Event: Sendable, Hashable {
        var epoll: Int32
        var descriptor: Int32
        var data: UInt64
    }

    /// The maximum number of open descriptors at which epolls are read. The kernel writes all members of an
    /// epoll at once, in 1.2 us each (measured), and meanwhile no thread can wait on the epoll or change
    /// it.
    static let mostOpen = 16_384

    /// The data of the descriptors that event loops watch, without disarmed descriptors, which get no more
    /// events. Empty if there are too many descriptors to read.
    package static func events(of picture: Picture) -> [Event] {
        let areRead = picture.opaqueRoots.allSatisfy {
            if case .epolls = $0 { false } else { true }
        }
        guard areRead else { return [] }
        let loops = picture.eventLoops.lazy.filter(\.mayHavePointers)
        return loops.compactMap(\.descriptor).flatMap { epoll in
            (LoopDescriptors.members(of: epoll)?.members ?? []).lazy
                .filter { !$0.isDisarmed && $0.data != 0 }
                .map { Event(epoll: epoll, descriptor: $0.number, data: $0.data) }
        }
    }

    /// The roots whose pointers can't be read, or not without stopping an event loop for long.
    ///
    /// - Parameters:
    ///   - loops: The process's event loops.
    ///   - rings: The descriptors of its io_urings.
    ///   - open: The number of open descriptors.
    /// - Returns: The roots that exist.
    package static func opaque(_ loops: [EventLoopFacts], rings: [Int32], open: Int) -> [OpaqueRoot]
    {
        var roots = rings.map { OpaqueRoot.ring(descriptor: $0) }
        let timers = Int(DescriptorReserve.shared.makingRoom(for: 1, ctelltale_process_timers))
        if timers > 0 { roots.append(.processTimers(count: timers)) }
        var hidden = CTelltaleHiddenRoots()
        _ = DescriptorReserve.shared.makingRoom(for: 1) { ctelltale_hidden_roots(&hidden) }
        if hidden.async_contexts > 0 { roots.append(.asyncContexts) }
        if hidden.unreadable_bytes > 0 {
            roots.append(.unreadableMemory(bytes: hidden.unreadable_bytes))
        }
        if open > mostOpen, loops.contains(where: \.mayHavePointers) {
            roots.append(.epolls(descriptors: open))
        }
        return roots
    }
}

extension EventLoopFacts {
    /// True if the data of the loop's descriptors may be pointers. SwiftNIO stores a descriptor and a
    /// number of its own (`SelectorEpoll.swift`); libuv and a run loop store a descriptor.
    fileprivate var mayHavePointers: Bool { kind == .epoll && make == .other }
}
#endif
