#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// Pointers of the process that the kernel keeps. Where a program keeps an object nowhere else
/// (`Unmanaged.passRetained(…).toOpaque()`), no memory of the process leads to it.
enum KernelRoots {
    /// The `epoll_data` of one descriptor, which its loop gets back with each event.
    struct Event: Sendable, Hashable {
        var epoll: Int32
        var descriptor: Int32
        var data: UInt64
    }

    /// With more open descriptors than this no epoll is read: the kernel writes all of its members at once, in
    /// 1.2 us each (measured), while no thread can wait on it or change it.
    static let mostOpen = 16_384

    /// The data of the descriptors that event loops watch, but for those of which nothing will be told;
    /// none where they are too many to be read.
    static func events(of picture: Picture) -> [Event] {
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

    /// The places whose pointers the kernel doesn't show, or not without a long stop of an event loop.
    ///
    /// - Parameters:
    ///   - loops: The process's event loops.
    ///   - rings: Its io_urings.
    ///   - open: How many descriptors are open.
    /// - Returns: Those that there are.
    static func opaque(_ loops: [EventLoopFacts], rings: [Int32], open: Int) -> [OpaqueRoot] {
        var roots = rings.map { OpaqueRoot.ring(descriptor: $0) }
        let timers = Int(DescriptorReserve.shared.makingRoom(for: 1, ctelltale_process_timers))
        if timers > 0 { roots.append(.processTimers(count: timers)) }
        if open > mostOpen, loops.contains(where: \.mayHavePointers) {
            roots.append(.epolls(descriptors: open))
        }
        return roots
    }
}

extension EventLoopFacts {
    /// Set if the data of its descriptors may be pointers: SwiftNIO's is a descriptor and a number of its own
    /// (`SelectorEpoll.swift`), libuv's and a run loop's a descriptor.
    fileprivate var mayHavePointers: Bool { kind == .epoll && make == .other }
}
#endif
