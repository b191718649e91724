#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// The other ends of the descriptors that threads wait on, and the work that waits behind a thread.
struct OtherEnds {
    /// The activity of a thread that waits at the border.
    enum Call: Equatable {
        case reads(Int32), writes(Int32), connects(Int32), locksFile(Int32)
        /// A wait for the child with this number; `nil` for any.
        case child(Int32?)
        /// For a time.
        case sleeps
    }

    let process: Comparison
    let border: BorderFacts
    private let byNumber: [Int32: BorderFacts.Descriptor]
    private let byFile: [BorderFacts.File: [BorderFacts.Descriptor]]

    init(of process: Comparison, _ border: BorderFacts) {
        self.process = process
        self.border = border
        byNumber = Dictionary(border.descriptors.map { ($0.number, $0) }) { first, _ in first }
        byFile = Dictionary(grouping: border.descriptors, by: \.file)
    }

    func descriptor(_ number: Int32) -> BorderFacts.Descriptor? { byNumber[number] }

    func own(_ file: BorderFacts.File) -> [BorderFacts.Descriptor] { byFile[file] ?? [] }

    // MARK: Calls

    /// The border at which a thread waits; `nil` if it waits for nothing there.
    static func call(of thread: ThreadFacts) -> Call? {
        if thread.stack.contains(where: \.isWaitForChild) { return .child(nil) }
        guard case .waiting(let call) = thread.state, let first = call.arguments.first else {
            return nil
        }
        let number = Int32(truncatingIfNeeded: first)
        switch call.name {
        case "read", "readv", "pread64", "preadv", "recvfrom", "recvmsg", "recvmmsg":
            return .reads(number)
        case "write", "writev", "pwrite64", "sendto", "sendmsg", "sendmmsg": return .writes(number)
        case "connect": return .connects(number)
        case "flock": return .locksFile(number)
        case "fcntl" where call.arguments.count > 1 && lockCommands.contains(call.arguments[1]):
            return .locksFile(number)
        case "wait4": return .child(number > 0 ? number : nil)
        case "waitid" where call.arguments.count > 1 && first == 1:
            return .child(Int32(truncatingIfNeeded: call.arguments[1]))
        case "waitid": return .child(nil)
        case "nanosleep", "clock_nanosleep": return .sleeps
        default: return nil
        }
    }

    /// `F_SETLKW` and `F_OFD_SETLKW` (linux/fcntl.h).
    private static let lockCommands: Set<UInt> = [7, 38]

    // MARK: Other ends

    /// The holders of the end of a pipe from which a descriptor is read, or to which it is written.
    func ends(of descriptor: BorderFacts.Descriptor, isReading: Bool) -> [DoctorAnswer.End] {
        let mine = own(descriptor.file).filter {
            $0.number != descriptor.number && (isReading ? $0.writes : $0.reads)
        }
        let theirs = (border.ends[descriptor.file] ?? []).filter {
            isReading ? $0.writes : $0.reads
        }
        return mine.map { .init(pid: nil, program: nil, descriptor: $0.number) }
            + theirs.map { .init(pid: $0.pid, program: $0.program, descriptor: $0.descriptor) }
    }

    /// The holders of the socket at the other end of a connection; empty if it isn't known.
    func peers(of descriptor: BorderFacts.Descriptor) -> [DoctorAnswer.End] {
        guard let file = border.peers[descriptor.number] else { return [] }
        let theirs = border.ends[file] ?? []
        return own(file).map { .init(pid: nil, program: nil, descriptor: $0.number) }
            + theirs.map { .init(pid: $0.pid, program: $0.program, descriptor: $0.descriptor) }
    }

    /// Indicates that an event loop or a thread of this process waits for one of these descriptors, or is in a
    /// call with it, or that this can't be ruled out.
    func isAttended(_ descriptors: [BorderFacts.Descriptor]) -> Bool {
        let numbers = Set(descriptors.map(\.number))
        if border.mayWatchMore { return true }
        if !numbers.isDisjoint(with: border.watched) { return true }
        if border.polled.values.contains(where: { !numbers.isDisjoint(with: $0) }) { return true }
        return process.later.threads.contains { thread in
            switch Self.call(of: thread) {
            case .reads(let number), .writes(let number): numbers.contains(number)
            default: false
            }
        }
    }

    /// The work that waits behind a thread: for its queues, its locks, its end.
    func behind(_ thread: ThreadFacts) -> DoctorAnswer.Behind {
        var behind = DoctorAnswer.Behind()
        for queue in thread.held {
            guard let queue = process.queues[queue], queue.kind != .global else { continue }
            let waiters = queue.items.count { $0.waiter != nil }
            behind.items += max(0, process.hostItems(queue) - waiters)
        }
        behind.threads = waiters(of: thread).count
        return behind
    }

    /// Some of the threads that wait behind a thread, those at one place as one.
    func firstWaiters(of thread: ThreadFacts) -> [StuckAnswer.Party] {
        process.folded(waiters(of: thread).sorted()).prefix(2).map { party in
            var party = party
            party.frames = []
            party.gap = nil
            return party
        }
    }

    /// Indicates that something but this thread may yet act by itself: another that runs or sleeps and does not
    /// wait behind it, or a timer of the service's own.
    func mayAct(besides thread: ThreadFacts) -> Bool {
        let behind = waiters(of: thread)
        let isThread = process.later.threads.contains { other in
            other.id != thread.id && !other.isAgent && !behind.contains(other.id)
                && (other.wait == .running || other.wait == .time)
        }
        return isThread
            || process.later.timers.contains { timer in
                let handler = timer.handler.flatMap { process.later.names[$0] } ?? []
                // A run loop's own timer only ends its wait.
                let isSystems = !handler.isEmpty && !handler.contains(where: \.isHosts)
                return !timer.isDispatchsOwn && !timer.isCancelled && !isSystems
            }
    }

    /// The threads that wait for a thread, or for one that does.
    private func waiters(of thread: ThreadFacts) -> Set<Int32> {
        var found: Set<Int32> = []
        var next = [thread]
        while let thread = next.popLast() {
            for other in process.later.threads
            where other.id != thread.id && !other.isAgent && !found.contains(other.id) {
                let isWaiting =
                    switch other.wait {
                    case .lock(_, owner: thread.id?, _): true
                    case .thread(thread.id): true
                    case .queue(let queue): thread.held.contains(queue)
                    default: false
                    }
                guard isWaiting else { continue }
                found.insert(other.id)
                next.append(other)
            }
        }
        return found
    }
}

extension ResolvedFrame {
    /// Foundation's wait for a child turns a run loop every 50 ms.
    fileprivate var isWaitForChild: Bool {
        function?.contains("Process.waitUntilExit()") == true
    }
}

extension BorderFacts.Descriptor {
    var shown: DoctorAnswer.Descriptor {
        .init(number: number, kind: kind, name: name, unread: unread, capacity: capacity)
    }
}

extension BorderFacts.Process {
    var shown: DoctorAnswer.Child { .init(pid: pid, program: program, ageSeconds: age) }
}
#endif
