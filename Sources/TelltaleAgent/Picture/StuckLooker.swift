#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Looks at the whole process, twice or up to five times, and says what doesn't move.
///
/// It waits for nobody in the process: all it does is to read memory and what the kernel says.
struct StuckLooker: Sendable {
    let agent: Agent
    let deadline: MonotonicTime
    var thresholds = Thresholds.standard
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
        if mayEndAtOnce, let diagnosis = Diagnosis(ofHealthy: before, thresholds: thresholds) {
            return answer(diagnosis, captures: 1, since: began)
        }
        pause(until: MonotonicTime(before.time).advanced(by: gap))
        var after = look()
        addRests(to: &after)
        var diagnosis = Diagnosis(of: before, after, thresholds: thresholds)
        var looks = 2
        // What had only just come to rest is seen at rest by another short look.
        if diagnosis.hasNewcomers, looks < mostLooks {
            before = after
            pause(until: MonotonicTime(before.time).advanced(by: gap))
            after = look()
            addRests(to: &after)
            diagnosis = Diagnosis(of: before, after, thresholds: thresholds)
            looks += 1
        }
        // What has been at rest for long enough needs no further look; what a look can't date does, and
        // what is still on its way: an answer over the network may yet wake who waits for it.
        let enough = Duration.seconds(thresholds.blocked) + .milliseconds(20)
        while diagnosis.mayFindMoreLater, looks < mostLooks,
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
            diagnosis = Diagnosis(of: before, after, thresholds: thresholds)
        }
        return answer(diagnosis, captures: looks, since: began)
    }

    private func answer(
        _ diagnosis: Diagnosis, captures: Int, since began: MonotonicTime
    ) -> StuckAnswer {
        var answer = diagnosis.answer(captures: captures, took: MonotonicTime.now.since(began))
        let now = WallClock.nanoseconds
        for index in answer.findings.indices {
            guard let seconds = answer.findings[index].seconds else { continue }
            let ago = UInt64(max(0, min(seconds, 1e9)) * 1e9)
            guard now > ago else { continue }
            answer.findings[index].since = WallClock.timestamp(nanoseconds: now - ago)
        }
        return answer
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
        look.swiftPool = dispatch.queues.first { $0.label == SwiftPool.label }?.address
        look.heldByClients = Set(
            dispatch.queues.filter { $0.suspendCount > 0 && agent.holds.isHeld($0.address) }
                .map(\.address))
        look.groups = dispatch.groups
        look.semaphores = dispatch.semaphores
        look.tasks = tasks.tasks
        look.actors = actors.actors
        look.gaps += dispatch.notes.map { Picture.Gap(.queues, $0) }
        look.gaps += tasks.notes.map { Picture.Gap(.tasks, $0) }
        look.gaps += actors.notes.map { Picture.Gap(.actors, $0) }
        look.gaps += threads.cuts.map { Picture.Gap(.threads, $0) }
        if let reason = tasks.unavailable {
            look.gaps.append(
                Picture.Gap(.tasks, "tasks are \(reason)", isWhole: true))
        }
        if let reason = actors.unavailable {
            look.gaps.append(
                Picture.Gap(.actors, "actors are \(reason)", isWhole: true))
        }
        if let reason = LockLayout.current.reason {
            look.gaps.append(
                Picture.Gap(
                    .stacks, "holders of locks are not available: \(reason)"))
        }
        add(threads.samples, to: &look)
        addNames(to: &look)
        add(survey.finish(until: operationDeadline), to: &look)
        addTimers(dispatch.timers, to: &look)
        look.sockets = sockets()
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
        look.gaps += survey.notes.map { Picture.Gap(.operations, $0) }
        var known: Set<UInt> = []
        for queue in survey.queues {
            for operation in queue.operations {
                guard known.insert(operation.address).inserted else { continue }
                var placed = PlacedOperation(
                    address: operation.address, name: operation.label,
                    type: operation.typeName, state: operation.state, queue: queue.name)
                placed.isCancelled = operation.isCancelled
                placed.isQueueSuspended = queue.isSuspended
                placed.dependencies = operation.dependencies.map(\.address)
                look.operations.append(placed)
            }
        }
        for dependency in survey.queues.flatMap(\.operations).flatMap(\.dependencies) {
            guard known.insert(dependency.address).inserted else { continue }
            var placed = PlacedOperation(
                address: dependency.address, name: dependency.label, type: dependency.typeName,
                state: dependency.state,
                queue: survey.isOutside(dependency) ? nil : "a queue that isn't observed")
            placed.isCancelled = dependency.isCancelled
            look.operations.append(placed)
        }
    }

    // MARK: What may still come

    // Only those that fire once are asked for: one that comes again and again wakes nobody who waits.
    private func addTimers(_ timers: [TimerFacts], to look: inout Picture) {
        look.timers = timers
        let once = timers.indices.filter {
            timers[$0].firesIn != nil && timers[$0].interval == nil
        }.prefix(200)
        let handlers = agent.symbols.names(
            of: once.map { timers[$0].handler ?? 0 }, deadline: deadline)
        for (index, handler) in zip(once, handlers) {
            look.timers[index].isDispatchsOwn = handler.function?.hasPrefix("_dispatch_") == true
        }
    }

    private func sockets() -> SocketFacts? {
        var sockets = CTelltaleSockets()
        let path = agent.listener.withLock { $0?.path } ?? ""
        let areListed = DescriptorReserve.shared.makingRoom(for: 2) {
            ctelltale_sockets(path, &sockets)
        }
        guard areListed else { return nil }
        return SocketFacts(
            listening: Int(sockets.listening), expecting: Int(sockets.expecting))
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
