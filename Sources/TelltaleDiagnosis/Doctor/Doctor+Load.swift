#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Threads, descriptors, queues and listeners under a load that gets nothing done.
extension Doctor {
    /// The share of a core from which a thread counts as busy.
    private static let busyShare = 0.2
    /// The share of a core from which a thread without a finding is worth a line.
    private static let noticedShare = 0.5
    /// The share of the limit of descriptors that is a fault, and that is worth a line.
    private static let fullShare = 0.98
    private static let highShare = 0.9

    // MARK: Busy threads

    /// Threads that use a core and get nothing done.
    func busyThreads() -> [DoctorAnswer.Finding] {
        let earlier = Dictionary(process.earlier.threads.map { ($0.id, $0) }) { first, _ in first }
        guard process.window > 0 else { return [] }
        return process.later.threads.compactMap { thread -> DoctorAnswer.Finding? in
            guard !thread.isAgent, let old = earlier[thread.id] else { return nil }
            let used = (thread.processorTime - old.processorTime).inSeconds / process.window
            guard used >= Self.busyShare, let reason = reason(old, thread) else { return nil }
            return DoctorAnswer.Finding(
                .busy(share: min(used, 1), reason: reason), .fault,
                parties: [process.brief(thread: thread.id)], seconds: process.window)
        }.prefix(Self.mostOfAKind).map(\.self)
    }

    /// The threads that `stuck` has found to use most of a core, and that have no finding. Under a load that is
    /// served, any thread that serves has some of one.
    func otherBusyThreads() -> [DoctorAnswer.Finding] {
        let named = Set(findings.flatMap(\.parties).compactMap(\.thread))
        return (stuck.busy ?? []).filter { busy in
            busy.share >= Self.noticedShare
                && busy.party.thread.map { !named.contains($0) } ?? true
        }.map { .init(.busy(share: $0.share, reason: nil), .notice, parties: [$0.party]) }
    }

    private func reason(
        _ earlier: ThreadFacts, _ thread: ThreadFacts
    ) -> DoctorAnswer.BusyReason? {
        let functions = (earlier.stack + thread.stack).compactMap { $0.symbol ?? $0.function }
        func isIn(_ names: Set<String>) -> String? { functions.first { names.contains($0) } }
        if isFull(now), isFull(before) {
            if let call = isIn(["accept", "accept4"]) { return .noDescriptor(call: call) }
            let isPolling = isIn(["poll", "ppoll", "__poll", "epoll_wait"]) != nil
            if isPolling, listeners(now).contains(where: { $0.listener.waiting ?? 0 > 0 }) {
                return .noDescriptor(call: "accept")
            }
        }
        // A loop that returns at once is in the kernel half of the time; a handler that computes is not. One that
        // serves reads: that a descriptor has as much as before says nothing then.
        let used = (thread.processorTime - earlier.processorTime).inSeconds
        guard process.window >= Self.leastWindow, let use = now.uses[thread.id],
            let seconds = use.seconds, use.transfers != nil,
            let old = before.uses[thread.id], use.transfers == old.transfers,
            seconds - (old.seconds ?? seconds) >= Self.leastKernelShare * used
        else { return nil }
        for loop in process.later.eventLoops
        where loop.threads.contains(thread.id) || loop.waiting.contains(thread.id) {
            guard let old = process.earlier.eventLoops.first(where: { $0.id == loop.id }),
                let stale = Self.stale(old, loop),
                let descriptor = now.descriptors.first(where: { $0.number == stale.descriptor })
            else { continue }
            return .readyNeverTaken(descriptor: descriptor.shown)
        }
        return nil
    }

    private static let leastKernelShare = 0.1

    /// The descriptor for which a loop returns again and again. A loop that serves others has other descriptors
    /// ready from picture to picture; one that is edge-triggered isn't woken by what it leaves.
    private static func stale(
        _ old: EventLoopFacts, _ loop: EventLoopFacts
    ) -> EventLoopFacts.Ready? {
        guard old.isReadable, loop.isReadable, Set(old.ready) == Set(loop.ready) else { return nil }
        return loop.ready.first { $0.kind != .timer && $0.unread != nil }
    }

    // MARK: Descriptors

    private func isFull(_ border: BorderFacts) -> Bool {
        guard let limit = border.limit, limit > 0 else { return false }
        return border.open >= limit - 3 || Double(border.open) >= Self.fullShare * Double(limit)
    }

    func descriptorUse() -> [DoctorAnswer.Finding] {
        guard let limit = now.limit, limit > 0,
            Double(now.open) >= Self.highShare * Double(limit)
        else { return [] }
        let kinds = descriptorsByName.prefix(4).map { ($0.name, $0.numbers.count) }
        let isFull = isFull(now) && isFull(before)
        return [
            .init(
                .descriptors(
                    open: now.open, limit: limit, kinds: kinds.map { .init($0.0, $0.1) }),
                isFull ? .fault : .suspicion, seconds: isFull ? process.window : nil)
        ]
    }

    /// The descriptors of the commonest kind, if there are too many; otherwise none.
    package var crowd: Set<Int32> {
        let isCrowded = findings.contains {
            if case .descriptors = $0.evidence { true } else { false }
        }
        return isCrowded ? Set(descriptorsByName.first?.numbers ?? []) : []
    }

    /// The descriptors by kind and state, the commonest first.
    private var descriptorsByName: [(name: String, numbers: [Int32])] {
        var groups: [[String]: [Int32]] = [:]
        for descriptor in now.descriptors {
            let state = descriptor.state.map { $0 == "LISTEN" ? "" : " in \($0)" } ?? ""
            groups[[descriptor.kind, state], default: []].append(descriptor.number)
        }
        return groups.map { words, numbers in
            (name: words[0] + (numbers.count > 1 ? "s" : "") + words[1], numbers: numbers)
        }.sorted {
            ($1.numbers.count, $0.name) < ($0.numbers.count, $1.name)
        }
    }

    // MARK: Queues

    /// Queues whose head runs for long while others wait behind it.
    func lateQueues() -> [DoctorAnswer.Finding] {
        process.later.queues.compactMap { queue -> DoctorAnswer.Finding? in
            guard queue.kind != .global, process.unmovedQueues.contains(queue.address),
                !movedQueues.contains(queue.address),
                let owner = queue.owner.flatMap({ process.threads[$0] }), !owner.isAgent,
                // `stuck` knows more of a thread that stands still.
                !process.unmovedThreads.contains(owner.id),
                OtherEnds.call(of: owner) ?? .sleeps == .sleeps
            else { return nil }
            let items = process.hostItems(queue)
            let seconds = max(process.window, queue.oldestWait?.inSeconds ?? 0)
            guard items > 0, seconds >= 1 else { return nil }
            let sleep = now.sleeps[owner.id] ?? Self.timeout(of: owner)
            let isPolling = (owner.wait == .time || sleep != nil) && sleep ?? 0 <= process.window
            return DoctorAnswer.Finding(
                .late(
                    queue: process.subject(queue: queue.address), items: items,
                    isPolling: isPolling, sleepSeconds: isPolling ? sleep : nil),
                .suspicion, parties: [process.brief(thread: owner.id)], seconds: seconds)
        }.prefix(Self.mostOfAKind).map(\.self)
    }

    /// The time after which a thread asks anew that waits in `poll`, in seconds; `nil` if it is in no such call, or
    /// waits without an end.
    private static func timeout(of thread: ThreadFacts) -> Double? {
        guard case .waiting(let call) = thread.state, call.name == "poll",
            call.arguments.count >= 3
        else { return nil }
        let milliseconds = Int32(truncatingIfNeeded: call.arguments[2])
        return milliseconds < 0 ? nil : Double(milliseconds) / 1000
    }

    // MARK: Listeners

    struct OpenListener {
        var listener: DoctorAnswer.Listener
        var descriptor: BorderFacts.Descriptor
    }

    func listeners(_ border: BorderFacts) -> [OpenListener] {
        border.descriptors.compactMap { descriptor in
            guard let backlog = descriptor.backlog else { return nil }
            let name =
                descriptor.name.hasSuffix(" listens")
                ? String(descriptor.name.dropLast(8)) : descriptor.name
            return OpenListener(
                listener: .init(name: name, waiting: backlog.waiting, limit: backlog.limit),
                descriptor: descriptor)
        }
    }

    /// Listening sockets whose connections no thread and no event loop accepts.
    func deafListeners(_ ends: OtherEnds) -> [DoctorAnswer.Finding] {
        let isExplained = findings.contains {
            if case .busy(_, .noDescriptor) = $0.evidence { true } else { false }
        }
        return listeners(now).compactMap { open in
            guard !isExplained, let waiting = open.listener.waiting, waiting > 0,
                before.descriptors.contains(where: {
                    $0.file == open.descriptor.file && $0.backlog?.waiting ?? 0 > 0
                }),
                !ends.isAttended([open.descriptor]), !isAccepted(open.descriptor.number)
            else { return nil }
            let isFull = open.listener.limit.map { waiting > $0 } ?? false
            return .init(
                .deaf(listener: open.listener),
                isFull && process.window >= Self.leastWindow ? .fault : .suspicion,
                seconds: process.window)
        }
    }

    private func isAccepted(_ number: Int32) -> Bool {
        process.later.threads.contains { thread in
            guard case .waiting(let call) = thread.state, call.name.hasPrefix("accept") else {
                return false
            }
            return call.arguments.first.map { Int32(truncatingIfNeeded: $0) } == number
        }
    }
}
#endif
