#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// What the kernel shows of event loops at one moment: which descriptors there are, which of them have
/// something to be fetched, and which threads wait on them.
///
/// Read right after the threads were. Nothing is waited for, nothing is read from a descriptor of
/// the host's, and none is kept.
struct EventLoopReading {
    struct Descriptor {
        var descriptor: LoopDescriptors.Descriptor
        var waiting: [Int32] = []
        var isReadable = false
        /// Nil where they were not read.
        var members: [LoopDescriptors.Member]?
        var total: Int?
        var ready: [EventLoopFacts.Ready] = []
        var channels: Int?
        var marks: Set<UInt64>?
    }

    /// An array of descriptors with which a thread waits, or was seen waiting.
    struct Polled {
        var thread: Int32
        var address: UInt
        var members: [LoopDescriptors.Member]
        var isWaiting: Bool
        var ready: [EventLoopFacts.Ready] = []
        var channels: Int?
    }

    private(set) var descriptors: [Descriptor] = []
    private(set) var arrays: [Polled] = []
    /// The number of open descriptors, as far as they were counted.
    private(set) var open = 0
    /// All numbers were read: what isn't among them is closed.
    private(set) var isWhole = true
    /// What is missing and may be just what doesn't turn, a sentence each.
    private(set) var gaps: [String] = []
    /// What a bound has left out.
    private(set) var notes: [String] = []

    /// Members of each loop are read in a process with so many descriptors at most (1.2 ms for a loop with
    /// all of them), and of a larger one's loops where nobody was waiting at the reading before either:
    /// while they are read no event comes to whoever waits.
    static let fewDescriptors = 1000

    /// `isShort`: who waits where is all that is wanted.
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
        addWaits(of: threads, memory, until: deadline)
        guard !isShort else {
            for index in descriptors.indices
            where open <= Self.fewDescriptors && !descriptors[index].waiting.isEmpty {
                let known = memory.loop(.descriptor(descriptors[index].descriptor.number))
                let waiters = Set(known?.waiters.map(\.thread) ?? [])
                // A newcomer may wait on another loop that has its number now.
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

    // MARK: Who waits

    private mutating func addWaits(
        of threads: [ThreadFacts], _ memory: EventLoopMemory, until deadline: MonotonicTime
    ) {
        let places = Dictionary(
            zip(descriptors.map(\.descriptor.number), descriptors.indices)
        ) { first, _ in first }
        let known = memory.arrays
        for thread in threads where !thread.isAgent {
            guard .now < deadline else {
                isWhole = false
                gaps.append("not all event loops were read: the time was up")
                return
            }
            guard case .waiting(let call) = thread.state,
                let wait = LoopWait(of: call, after: known[thread.id])
            else { continue }
            switch wait {
            case .epoll(let number), .ring(let number):
                if let place = places[number] { descriptors[place].waiting.append(thread.id) }
            case .array(let address, let members):
                // Whoever waits for an epoll to have something waits on that epoll.
                for place in members.compactMap({ places[$0.number] }) {
                    descriptors[place].waiting.append(thread.id)
                }
                // One who waits for a single descriptor waits for an answer: no loop.
                guard members.contains(where: { places[$0.number] == nil }), members.count > 1
                else { continue }
                arrays.append(
                    Polled(
                        thread: thread.id, address: address,
                        members: members.map(Self.withInode), isWaiting: true))
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

    // The arrays of threads that do something else now.
    private mutating func addKept(_ memory: EventLoopMemory, _ threads: Set<Int32>) {
        let waiting = Set(arrays.map(\.thread))
        for (thread, loop) in memory.arrayLoops
        where !waiting.contains(thread) && threads.contains(thread) {
            arrays.append(
                Polled(
                    thread: thread, address: loop.array ?? 0, members: loop.members,
                    isWaiting: false))
        }
    }

    // MARK: What they watch

    private mutating func addMembers(_ index: Int) {
        let number = descriptors[index].descriptor.number
        guard let (members, total) = LoopDescriptors.members(of: number) else { return }
        descriptors[index].members = members
        descriptors[index].total = total
        descriptors[index].channels = LoopDescriptors.channels(among: members)
        descriptors[index].marks = LoopDescriptors.marks(of: members)
        // What somebody waits for is fetched by him.
        if descriptors[index].waiting.isEmpty {
            descriptors[index].ready = LoopDescriptors.ready(members)
        }
    }
}
#endif
