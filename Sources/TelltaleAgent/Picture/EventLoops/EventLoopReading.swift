#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// The kernel's view of event loops at one moment: the descriptors, those among them with pending events,
/// and the threads that wait on them.
///
/// Read right after the threads. The reading doesn't block, reads no data from the host's descriptors, and
/// keeps none of them open.
struct EventLoopReading {
    struct Descriptor {
        var descriptor: LoopDescriptors.Descriptor
        var waiting: [Int32] = []
        var isReadable = false
        /// The members; nil if they were not read.
        var members: [LoopDescriptors.Member]?
        var total: Int?
        var ready: [EventLoopFacts.Ready] = []
        var channels: Int?
        var marks: Set<UInt64>?
    }

    /// An array of descriptors in which a thread waits, or was seen waiting.
    struct Polled {
        var thread: Int32
        var members: [LoopDescriptors.Member]
        var isWaiting: Bool
        var ready: [EventLoopFacts.Ready] = []
        var channels: Int?
    }

    private(set) var descriptors: [Descriptor] = []
    private(set) var arrays: [Polled] = []
    /// The number of open descriptors, as far as they were counted.
    private(set) var open = 0
    /// True if all numbers were read, so that a number that isn't among them is closed.
    private(set) var isWhole = true
    /// Gaps in the reading, one sentence each; a stuck loop may be in such a gap.
    private(set) var gaps: [String] = []
    /// Data that a limit has left out.
    private(set) var notes: [String] = []

    /// The maximum number of open descriptors for which the members of every loop are read (1.2 ms for a
    /// loop with all of them). In a process with more descriptors, members are read only for loops without
    /// a waiting thread in the previous reading either: while they are read, no event reaches the waiting
    /// thread.
    static let fewDescriptors = 1000

    /// With `isShort`, reads only the waiting threads of each loop.
    init(
        _ threads: [ThreadFacts], _ memory: EventLoopMemory, isShort: Bool = false,
        until deadline: MonotonicTime
    ) {
        guard let (loops, open) = LoopDescriptors.list(until: deadline) else {
            gaps.append("event loops are not available: the descriptors can't be listed")
            isWhole = false
            return
        }
        if MonotonicTime.now >= deadline {
            isWhole = false
            gaps.append("not all event loops were read: the time was up")
        } else if loops.count >= LoopDescriptors.mostLoops {
            isWhole = false
            gaps.append("more than \(LoopDescriptors.mostLoops) event loops are not read")
        } else if open >= LoopDescriptors.mostOpen {
            isWhole = false
            gaps.append(
                "event loops beyond \(LoopDescriptors.mostOpen) descriptors are not read")
        }
        self.open = open
        descriptors = loops.map { Descriptor(descriptor: $0) }
        addWaits(of: threads, until: deadline)
        guard !isShort else {
            for index in descriptors.indices
            where open <= Self.fewDescriptors && !descriptors[index].waiting.isEmpty {
                let known = memory.loop(.descriptor(descriptors[index].descriptor.number))
                let waiters = Set(known?.waiters.map(\.thread) ?? [])
                // A new waiter may wait on another loop that has reused the number.
                if known?.marks.isEmpty != false
                    || !waiters.isSuperset(of: descriptors[index].waiting)
                {
                    addMembers(index)
                }
            }
            return
        }
        addKept(memory, Set(threads.map(\.id)))
        let readable = LoopDescriptors.readable(loops.map(\.number))
        for index in descriptors.indices {
            let number = descriptors[index].descriptor.number
            descriptors[index].isReadable = readable.contains(number)
            guard !descriptors[index].descriptor.isRing, MonotonicTime.now < deadline else {
                continue
            }
            let wasAway = memory.loop(.descriptor(number))?.away != nil
            if open <= Self.fewDescriptors || (descriptors[index].waiting.isEmpty && wasAway) {
                addMembers(index)
            }
        }
        for index in arrays.indices where !arrays[index].isWaiting {
            arrays[index].ready = LoopDescriptors.ready(arrays[index].members)
        }
    }

    // MARK: Waiting threads

    private mutating func addWaits(
        of threads: [ThreadFacts], until deadline: MonotonicTime
    ) {
        let places = Dictionary(
            zip(descriptors.map(\.descriptor.number), descriptors.indices)
        ) { first, _ in first }
        for thread in threads where !thread.isAgent {
            guard .now < deadline else {
                isWhole = false
                gaps.append("not all event loops were read: the time was up")
                return
            }
            guard case .waiting(let call) = thread.state, let wait = LoopWait(of: call) else {
                continue
            }
            switch wait {
            case .epoll(let number), .ring(let number):
                if let place = places[number] { descriptors[place].waiting.append(thread.id) }
            case .array(let members):
                // A thread that waits until an epoll has events waits on that epoll.
                for place in members.compactMap({ places[$0.number] }) {
                    descriptors[place].waiting.append(thread.id)
                }
                // A thread that waits for a single descriptor waits for a reply and runs no loop.
                guard members.contains(where: { places[$0.number] == nil }), members.count > 1
                else { continue }
                arrays.append(
                    Polled(
                        thread: thread.id, members: members.map(Self.withInode), isWaiting: true))
            }
        }
    }

    private static func withInode(
        _ member: LoopDescriptors.Member
    ) -> LoopDescriptors.Member {
        var member = member
        member.inode = LoopDescriptors.inode(of: member.number) ?? 0
        return member
    }

    // Adds the arrays of threads that are no longer waiting.
    private mutating func addKept(_ memory: EventLoopMemory, _ threads: Set<Int32>) {
        let waiting = Set(arrays.map(\.thread))
        for (thread, loop) in memory.arrayLoops
        where !waiting.contains(thread) && threads.contains(thread) {
            arrays.append(
                Polled(thread: thread, members: loop.members, isWaiting: false))
        }
    }

    // MARK: Members

    private mutating func addMembers(_ index: Int) {
        let number = descriptors[index].descriptor.number
        guard let (members, total) = LoopDescriptors.members(of: number) else { return }
        descriptors[index].members = members
        descriptors[index].total = total
        descriptors[index].channels = LoopDescriptors.channels(among: members)
        descriptors[index].marks = LoopDescriptors.marks(of: members)
        // Pending events of a loop with a waiting thread are fetched by that thread.
        if descriptors[index].waiting.isEmpty {
            descriptors[index].ready = LoopDescriptors.ready(members)
        }
    }
}
#endif
