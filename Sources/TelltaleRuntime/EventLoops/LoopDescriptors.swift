#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture
package import TelltaleSystem

/// The descriptors that event loops wait on, as the kernel reports them. They are polled but never read
/// from.
package enum LoopDescriptors {
    /// An epoll or an io_uring.
    package struct Descriptor: Sendable, Hashable {
        package var number: Int32
        package var isRing: Bool
    }

    /// A descriptor that an epoll watches, or that is polled.
    package struct Member: Sendable, Hashable {
        package var number: Int32
        /// The requested events, in epoll's bits.
        package var events: UInt32
        /// The `epoll_data` by which the loop identifies the descriptor.
        var data: UInt64 = 0
        /// The inode of the watched file; 0 if unknown.
        package var inode: UInt64 = 0

        /// True if a one-shot descriptor has reported its event and was not re-armed.
        var isDisarmed: Bool {
            events & LoopBits.oneShot != 0 && events & UInt32(LoopBits.asked) == 0
        }

        /// True if the epoll reports only changes (edge-triggered), or nothing any more: the descriptor
        /// itself must be polled.
        var isHidden: Bool { events & LoopBits.edgeTriggered != 0 || isDisarmed }
    }

    /// The maximum number of epolls and io_urings listed.
    package static let mostLoops = 1024
    /// The maximum number of descriptors examined; the same bound as in `ctelltale_loop_descriptors`.
    package static let mostOpen = 65_536
    /// The maximum number of members read; the others are only counted.
    static let mostMembers = 4096

    /// The epolls and io_urings of the process, and the number of open descriptors; nil if they can't be
    /// listed.
    package static func list(until deadline: MonotonicTime) -> (loops: [Descriptor], open: Int)? {
        var open = 0
        var found: Int32 = -1
        let loops = [CTelltaleLoopDescriptor](unsafeUninitializedCapacity: mostLoops) {
            buffer, count in
            guard let start = buffer.baseAddress else { return }
            found = DescriptorReserve.shared.makingRoom(for: 2) {
                ctelltale_loop_descriptors(start, buffer.count, &open, deadline.nanoseconds)
            }
            count = max(0, min(Int(found), buffer.count))
        }
        guard found >= 0 else { return nil }
        return (
            loops.map { Descriptor(number: $0.number, isRing: $0.kind == CTelltaleRing) }, open
        )
    }

    /// The members that an epoll watches, and their total number (nil if there are more than were counted).
    /// Nil if the descriptor is not an epoll any more.
    package static func members(of epoll: Int32) -> (members: [Member], total: Int?)? {
        var total: Int64 = 0
        var found: Int32 = -1
        let members = [CTelltaleMember](unsafeUninitializedCapacity: mostMembers) {
            buffer, count in
            guard let start = buffer.baseAddress else { return }
            found = DescriptorReserve.shared.makingRoom(for: 1) {
                ctelltale_epoll_members(epoll, start, buffer.count, &total)
            }
            count = max(0, min(Int(found), buffer.count))
        }
        guard found >= 0 else { return nil }
        return (
            members.map {
                Member(
                    number: $0.number, events: $0.events, data: $0.data, inode: $0.inode)
            }, total < 0 ? nil : Int(total)
        )
    }

    /// Returns the descriptors that are readable.
    package static func readable(_ numbers: [Int32]) -> Set<Int32> {
        var polled = numbers.map {
            CTelltalePolled(number: $0, events: LoopBits.readable, revents: 0)
        }
        guard ctelltale_poll_now(&polled, polled.count) > 0 else { return [] }
        return Set(polled.filter { $0.revents & LoopBits.readable != 0 }.map(\.number))
    }

    /// Returns the members that have an event pending for their loop.
    ///
    /// A level-triggered member counts if `poll` reports the same events. An edge-triggered or one-shot
    /// member counts only if there is data to read, because its loop has already been told that it is
    /// writable or was closed.
    package static func ready(_ members: [Member]) -> [EventLoopFacts.Ready] {
        var polled = members.map { member in
            CTelltalePolled(
                number: member.number,
                events: member.isHidden
                    ? LoopBits.readable : Int16(truncatingIfNeeded: member.events) & LoopBits.asked,
                revents: 0)
        }
        guard ctelltale_poll_now(&polled, polled.count) > 0 else { return [] }
        var found: [EventLoopFacts.Ready] = []
        for (member, answer) in zip(members, polled)
        where answer.revents != 0 && answer.revents & LoopBits.gone == 0 {
            guard let facts = facts(of: member.number),
                member.inode == 0 || member.inode == facts.inode
            else { continue }
            let unread = facts.unread < 0 ? nil : Int(clamping: facts.unread)
            if member.isHidden {
                guard answer.revents & LoopBits.readable != 0, unread != 0 else { continue }
            }
            found.append(
                EventLoopFacts.Ready(
                    descriptor: member.number, kind: kind(facts.kind), unread: unread))
        }
        return found
    }

    /// The number of members that are sockets or pipes.
    package static func channels(among members: [Member]) -> Int {
        members.count { member in
            switch facts(of: member.number, member.inode)?.kind {
            case CTelltaleSocket, CTelltaleListener, CTelltalePipe: true
            default: false
            }
        }
    }

    /// Marks that distinguish a loop's members from those of another loop that now has their numbers: the
    /// inodes of sockets and pipes, and the kernel's own numbers of eventfds.
    package static func marks(of members: [Member]) -> Set<UInt64> {
        var marks: Set<UInt64> = []
        for member in members.prefix(64) {
            guard let facts = facts(of: member.number, member.inode) else { continue }
            switch facts.kind {
            case CTelltaleSocket, CTelltaleListener, CTelltalePipe: marks.insert(facts.inode)
            case CTelltaleEventCounter where facts.serial >= 0:
                marks.insert(UInt64(facts.serial) | LoopBits.serialMark)
            default: break
            }
        }
        return marks
    }

    /// The inode of the file that a descriptor refers to now; nil if the descriptor is closed.
    package static func inode(of number: Int32) -> UInt64? { facts(of: number)?.inode }

    private static func facts(
        of number: Int32, _ inode: UInt64 = 0
    ) -> CTelltaleDescriptorFacts? {
        var facts = CTelltaleDescriptorFacts()
        guard ctelltale_descriptor_facts(number, &facts), inode == 0 || inode == facts.inode
        else { return nil }
        return facts
    }

    private static func kind(_ kind: CTelltaleDescriptorKind) -> EventLoopFacts.Ready.Kind {
        switch kind {
        case CTelltaleEventCounter: .event
        case CTelltaleTimer: .timer
        case CTelltaleSignals: .signal
        case CTelltaleSocket: .socket
        case CTelltaleListener: .connection
        case CTelltalePipe: .pipe
        default: .other
        }
    }
}

/// The kernel's event bits, and the bits by which event loops are identified.
package enum LoopBits {
    static let readable: Int16 = 0x1
    /// Readable, urgent, writable. The kernel adds error and hang-up by itself.
    static let asked: Int16 = 0x1 | 0x2 | 0x4
    /// `POLLNVAL`: the descriptor is closed.
    static let gone: Int16 = 0x20
    static let edgeTriggered: UInt32 = 1 << 31
    static let oneShot: UInt32 = 1 << 30
    /// The bit by which libdispatch marks the eventfd of its manager (`EPOLLFREE`, event_epoll.c).
    package static let dispatchManager: UInt32 = 0x4000
    /// The bits with which a CoreFoundation run loop watches each of its ports (CFRunLoop.c): readable,
    /// error and hang-up, edge-triggered.
    package static let runLoopPort: UInt32 = 0x8000_0019
    /// A bit above all inodes: marks an eventfd's number.
    static let serialMark: UInt64 = 1 << 63
}
#endif
