#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

/// Looks at the whole process, twice or up to five times, and says what doesn't move.
///
/// It waits for nobody in the process: all it does is to read memory and what the kernel says.
struct StuckLooker: Sendable {
    let agent: Agent
    let deadline: MonotonicTime
    var patience = StuckPatience()
    /// Between the first two looks.
    var gap = Duration.milliseconds(150)
    /// At most so many.
    var mostLooks = 5
    /// Whether one look is enough where nobody in it waits in a way that time could turn into a
    /// finding.
    var mayEndAtOnce = false

    /// Waiting items of a queue that are looked at.
    private static let items = 32
    /// Threads whose switches are read; a process with more of them tells it by processor time.
    private static let mostThreads = 4000
    /// Functions that are named besides those of threads.
    private static let mostNames = 2000

    /// Looks, and looks again: after a short while, and where something then seems not to move, after
    /// as long as it takes to be sure.
    ///
    /// - Parameter earlier: A look that was made before, to which the next can be compared at once.
    /// - Returns: What was found.
    func answer(since earlier: Picture? = nil) -> StuckAnswer {
        let began = MonotonicTime.now
        var before = earlier ?? look()
        if mayEndAtOnce, let finder = StuckFinder(unsuspicious: before, patience: patience) {
            return answer(finder, looks: 1, since: began)
        }
        pause(until: MonotonicTime(before.time).advanced(by: gap))
        var after = look()
        addRests(to: &after)
        var finder = StuckFinder(before: before, after: after, patience: patience)
        var looks = 2
        // What had only just come to rest is seen at rest by another short look.
        if finder.state.hasNewcomers, looks < mostLooks {
            before = after
            pause(until: MonotonicTime(before.time).advanced(by: gap))
            after = look()
            addRests(to: &after)
            finder = StuckFinder(before: before, after: after, patience: patience)
            looks += 1
        }
        // What has been at rest for long enough needs no further look; what a look can't date does, and
        // what is still on its way: an answer over the network may yet wake who waits for it.
        let enough = Duration.seconds(patience.wait) + .milliseconds(20)
        while finder.hasYoungSuspects, looks < mostLooks,
            MonotonicTime(after.time).advanced(by: enough + gap * 2) < deadline
        {
            let lost = agent.lostTime
            before = after
            pause(until: MonotonicTime(before.time).advanced(by: enough))
            after = look()
            addRests(to: &after)
            looks += 1
            // A process that was stopped meanwhile, or had no processor, had no time to move.
            guard agent.lostTime == lost else { continue }
            finder = StuckFinder(before: before, after: after, patience: patience)
        }
        return answer(finder, looks: looks, since: began)
    }

    private func answer(
        _ finder: StuckFinder, looks: Int, since began: MonotonicTime
    ) -> StuckAnswer {
        finder.answer(looks: looks, took: MonotonicTime.now.since(began)) { seconds in
            let ago = UInt64(max(0, min(seconds, 1e9)) * 1e9)
            let now = WallClock.nanoseconds
            return now > ago ? WallClock.timestamp(nanoseconds: now - ago) : nil
        }
    }

    private func pause(until moment: MonotonicTime) {
        _ = TimedCondition(false).wait(until: min(moment, deadline)) { $0 ? true : nil }
    }

    // MARK: One look

    /// Looks once.
    func look() -> Picture {
        var look = Picture(time: MonotonicTime.now.sinceStart)
        look.date = WallClock.nanoseconds
        let survey = OperationSurvey(agent: agent, until: operationDeadline)
        // The threads say most, and come last: the others must not take all the time, nor one look
        // that of the next.
        let part = deadline.remaining / 10
        let began = MonotonicTime.now
        let dispatch = QueueTable.look(
            for: .all, items: Self.items, deadline: began.advanced(by: part * 2))
        let (tasks, actors) = ActorTable.look(
            withFrames: true, deadline: began.advanced(by: part * 3))
        let threads = agent.shared.threads.look(
            at: .all, withFrames: true, until: began.advanced(by: part * 5))
        look.queues = dispatch.queues
        look.heldByClients = Set(
            dispatch.queues.filter { $0.suspendCount > 0 && agent.holds.isHeld($0.address) }
                .map(\.address))
        look.groups = dispatch.groups
        look.semaphores = dispatch.semaphores
        look.tasks = tasks.tasks
        look.actors = actors.actors
        look.gaps += dispatch.notes.map { Picture.Gap(parts: .queues, reason: $0) }
        look.gaps += tasks.notes.map { Picture.Gap(parts: .tasks, reason: $0) }
        look.gaps += actors.notes.map { Picture.Gap(parts: .actors, reason: $0) }
        look.gaps += threads.cuts.map { Picture.Gap(parts: .threads, reason: $0) }
        if let reason = tasks.unavailable {
            look.gaps.append(
                Picture.Gap(parts: .tasks, reason: "tasks are \(reason)", isWhole: true))
        }
        if let reason = actors.unavailable {
            look.gaps.append(
                Picture.Gap(parts: .actors, reason: "actors are \(reason)", isWhole: true))
        }
        if let reason = LockLayout.current.reason {
            look.gaps.append(
                Picture.Gap(
                    parts: .stacks, reason: "holders of locks are not available: \(reason)"))
        }
        add(threads.samples, to: &look)
        addNames(to: &look)
        add(survey.finish(until: operationDeadline), to: &look)
        look.mayBeWoken = waker(timers: dispatch.timers, tasks: tasks.tasks)
        look.isCut = threads.samples.isEmpty || MonotonicTime.now >= deadline
        return look
    }

    private func add(_ samples: [ThreadFacts], to look: inout Picture) {
        let raw = samples.filter { !$0.isAgent }.flatMap(\.frames)
        let unique = Array(Set(raw))
        let resolved = agent.symbols.resolve(unique, deadline: deadline)
        let names = Dictionary(zip(unique, resolved)) { first, _ in first }
        let reader = WaitReader(
            word: { GuardedMemory.load(UInt64.self, at: $0) },
            groups: Set(look.groups.map(\.address)),
            semaphores: Set(look.semaphores.map(\.address)),
            queues: Set(look.queues.map(\.address)), layout: .current)
        for (index, sample) in samples.enumerated() {
            let frames = sample.frames.flatMap { names[$0] ?? [] }
            let wait = reader.wait(of: sample, frames: frames)
            var switches: UInt64?
            if wait != .running, wait != .idle, index < Self.mostThreads {
                switches = RestingTimes.switches(of: sample.id)
            }
            var thread = sample
            thread.stack = frames
            thread.wait = wait
            thread.held = reader.held(by: sample, frame: sample.queueFrame)
            thread.switches = switches
            look.threads.append(thread)
        }
    }

    private func addNames(to look: inout Picture) {
        let functions = look.queues.flatMap(\.items).compactMap(\.function)
        let items = Array(Set(functions).prefix(Self.mostNames))
        for (address, frame) in zip(items, agent.symbols.bodies(of: items, deadline: deadline)) {
            look.names[address] = [frame]
        }
        let waiting = look.tasks.filter { $0.waitsFor != .timer }
        let frames = Array(Set(waiting.flatMap(\.frames)).prefix(Self.mostNames))
        for (frame, names) in zip(frames, agent.symbols.resolve(frames, deadline: deadline)) {
            look.names[frame.address] = names
        }
    }

    // To be asked after the threads were looked at: a journey to each core takes a moment.
    private func addRests(to look: inout Picture) {
        var times = RestingTimes()
        for index in look.threads.indices.prefix(Self.mostThreads) {
            switch look.threads[index].wait {
            case .running, .idle: continue
            default: break
            }
            guard MonotonicTime.now < deadline else { return }
            if look.threads[index].isAgent { continue }
            look.threads[index].restingFor = times.resting(look.threads[index].id)
        }
    }

    // MARK: Operations

    // Foundation's locks may be held; what doesn't answer is said and costs no more than this.
    private var operationDeadline: MonotonicTime {
        min(deadline, MonotonicTime.now.advanced(by: .milliseconds(200)))
    }

    private func add(_ survey: OperationSurvey.Result, to look: inout Picture) {
        look.gaps += survey.notes.map { Picture.Gap(parts: .operations, reason: $0) }
        var known: Set<UInt> = []
        for queue in survey.queues {
            for operation in queue.operations {
                guard known.insert(operation.address).inserted else { continue }
                look.operations.append(
                    PlacedOperation(
                        address: operation.address, name: operation.label,
                        type: operation.typeName, state: operation.state,
                        isCancelled: operation.isCancelled, queue: queue.name,
                        isQueueSuspended: queue.isSuspended,
                        dependencies: operation.dependencies.map(\.address)))
            }
        }
        for dependency in survey.queues.flatMap(\.operations).flatMap(\.dependencies) {
            guard known.insert(dependency.address).inserted else { continue }
            look.operations.append(
                PlacedOperation(
                    address: dependency.address, name: dependency.label,
                    type: dependency.typeName, state: dependency.state,
                    isCancelled: dependency.isCancelled,
                    queue: survey.isOutside(dependency) ? nil : "a queue that isn't observed",
                    isQueueSuspended: false, dependencies: []))
        }
    }

    // MARK: What may still come

    private func waker(timers: [TimerFacts], tasks: [TaskFacts]) -> String? {
        // One that comes again and again is housekeeping in all but few programs, Dispatch's own look
        // after its threads among them; a timeout, or something put off, comes once.
        let armed = timers.filter {
            $0.firesIn != nil && $0.interval == nil && !$0.isCancelled && $0.suspendCount == 0
        }
        let handlers = agent.symbols.names(
            of: armed.prefix(200).map { $0.handler ?? 0 }, deadline: deadline)
        if armed.count > handlers.count
            || handlers.contains(where: { $0.function?.hasPrefix("_dispatch_") != true })
        {
            return "a timeout"
        }
        if tasks.contains(where: { $0.waitsFor == .timer }) { return "a task that sleeps" }
        if tasks.contains(where: { $0.state == .running }) { return "a task that runs" }
        var sockets = CTelltaleSockets()
        let path = agent.listener.withLock { $0?.path } ?? ""
        let areListed = DescriptorReserve.shared.makingRoom(for: 2) {
            ctelltale_sockets(path, &sockets)
        }
        guard areListed else {
            return "the descriptors can't be listed"
        }
        if sockets.listening > 0 { return "a client that connects" }
        if sockets.expecting > 0 { return "an answer over the network" }
        return nil
    }
}

extension MonotonicTime {
    /// A picture's moment.
    init(_ time: Duration) {
        let parts = time.components
        self.init(
            nanoseconds: UInt64(clamping: parts.seconds &* 1_000_000_000)
                + UInt64(clamping: parts.attoseconds / 1_000_000_000))
    }

    /// The moment as a picture keeps it.
    var sinceStart: Duration { .nanoseconds(Int64(clamping: nanoseconds)) }
}
#endif
