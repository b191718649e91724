#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// The descriptors that event loops wait on, as the kernel shows them: looked at, never read from.
enum LoopDescriptors {
    /// An epoll, or an io_uring.
    struct Descriptor: Sendable, Hashable {
        var number: Int32
        var isRing: Bool
    }

    /// Something that an epoll watches, or that is polled.
    struct Member: Sendable, Hashable {
        var number: Int32
        /// What is asked for, with epoll's own bits.
        var events: UInt32
        /// What the loop knows it by.
        var data: UInt64 = 0
        /// Of the file that is watched; 0 where it isn't known.
        var inode: UInt64 = 0

        /// It is told of once, and was; nobody asks for anything now.
        var isDisarmed: Bool {
            events & LoopBits.oneShot != 0 && events & UInt32(LoopBits.asked) == 0
        }

        /// Its epoll tells of changes, or of nothing any more: it has to be asked itself.
        var isHidden: Bool { events & LoopBits.edgeTriggered != 0 || isDisarmed }
    }

    /// More epolls than this are left out.
    static let mostLoops = 1024
    /// As many descriptors are looked at, as `ctelltale_loop_descriptors` has it.
    static let mostOpen = 65_536
    /// Of more members than this the rest is only counted.
    static let mostMembers = 4096

    /// Those of the process, with how many descriptors are open; nil where they can't be listed.
    static func list(until deadline: MonotonicTime) -> (loops: [Descriptor], open: Int)? {
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

    /// What an epoll watches, and how many that are (nil where they are more than were counted); nil
    /// where it is none any more.
    static func members(of epoll: Int32) -> (members: [Member], total: Int?)? {
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

    /// Which of some descriptors have something to be fetched.
    static func readable(_ numbers: [Int32]) -> Set<Int32> {
        var polled = numbers.map {
            CTelltalePolled(number: $0, events: LoopBits.readable, revents: 0)
        }
        guard ctelltale_poll_now(&polled, polled.count) > 0 else { return [] }
        return Set(polled.filter { $0.revents & LoopBits.readable != 0 }.map(\.number))
    }

    /// Which of some members have something for who asked.
    ///
    /// What an epoll tells of again and again counts where `poll` says the same. What it tells of once
    /// counts only where something is there to be read: that it can be written to, or was closed, was
    /// told and heard.
    static func ready(_ members: [Member]) -> [EventLoopFacts.Ready] {
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

    /// How many of them are sockets or pipes.
    static func channels(among members: [Member]) -> Int {
        members.count { member in
            switch facts(of: member.number, member.inode)?.kind {
            case CTelltaleSocket, CTelltaleListener, CTelltalePipe: true
            default: false
            }
        }
    }

    /// What tells a loop's members from those of another one that has their numbers now: the files that
    /// have an inode of their own, and the kernel's own numbers of eventfds.
    static func marks(of members: [Member]) -> Set<UInt64> {
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

    /// Whether there is one of that kind with an inode of its own that now is another.
    static func inode(of number: Int32) -> UInt64? { facts(of: number)?.inode }

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

/// The kernel's bits of what is asked for, and those by which loops are known.
enum LoopBits {
    static let readable: Int16 = 0x1
    /// Readable, urgent, writable; the kernel adds broken and hung up by itself.
    static let asked: Int16 = 0x1 | 0x2 | 0x4
    /// The number leads nowhere any more.
    static let gone: Int16 = 0x20
    static let edgeTriggered: UInt32 = 1 << 31
    static let oneShot: UInt32 = 1 << 30
    /// By which libdispatch marks the eventfd of its manager (`EPOLLFREE`, event_epoll.c).
    static let dispatchManager: UInt32 = 0x4000
    /// How a run loop of CoreFoundation asks for each of its ports (CFRunLoop.c): readable, broken and
    /// hung up, told once.
    static let runLoopPort: UInt32 = 0x8000_0019
    /// Beyond all inodes: a number of the kernel's own.
    static let serialMark: UInt64 = 1 << 63
}
#endif
