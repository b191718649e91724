#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The names in a picture: those of functions, queues, tasks and executors, and the wait of each thread,
/// which is derived from the names of its functions.
extension Capture {
    /// The maximum number of threads whose context switches are read; beyond it, progress shows in
    /// processor time only.
    static let mostThreads = 4000
    /// The maximum number of functions that are named in addition to those of threads.
    private static let mostNames = 20_000

    func addNames(to picture: inout Picture) {
        picture.labels = Dictionary(picture.queues.map { ($0.address, $0.label) }) { first, _ in
            first
        }
        for index in picture.queues.indices
        where DispatchSymbols.isOfChannel(picture.queues[index].label) {
            picture.queues[index].isDispatchsOwn = true
        }
        picture.swiftPool = picture.queues.first { $0.label == SwiftPool.label }?.address
        picture.heldByClients = Set(
            picture.queues.lazy.filter { $0.suspendCount > 0 && agent.holds.isHeld($0.address) }
                .map(\.address))
        picture.owners = owners
        addFunctions(to: &picture)
        addExecutors(to: &picture)
        addServed(to: &picture)
        if parts.contains(.stacks) { addStacks(to: &picture) }
        if parts.contains(.waits) { addSockets(to: &picture) }
    }

    /// The queues and actors that the host has registered as owners.
    private var owners: Set<UInt> {
        let queues = agent.shared.observedQueues.compactMap { QueueKind.inner($0.queue) }
        let actors = agent.shared.objects.all.compactMap { entry -> UInt? in
            guard case .actor(let actor) = entry.owner else { return nil }
            return UInt(bitPattern: actor.identity)
        }
        return Set(queues + actors)
    }

    // MARK: Functions

    private func addFunctions(to picture: inout Picture) {
        let items = picture.queues.lazy.flatMap(\.items).compactMap(\.function)
        let functions = Array(
            Set(items + picture.timers.compactMap(\.handler)).prefix(Self.mostNames))
        let bodies = agent.symbols.bodies(of: functions, deadline: deadline)
        for (address, frame) in zip(functions, bodies) { picture.names[address] = [frame] }
        for index in picture.timers.indices {
            let handler = picture.timers[index].handler.flatMap { picture.names[$0]?.first }
            picture.timers[index].isDispatchsOwn = DispatchSymbols.isOwn(handler?.function)
        }
        let frames = Array(Self.frames(of: picture.tasks).prefix(Self.mostNames))
        for (frame, names) in zip(frames, agent.symbols.resolve(frames, deadline: deadline)) {
            picture.names[frame.address] = names
        }
    }

    /// Returns each frame once. A server's tasks wait at a few places, so most have the same frames as the
    /// task before.
    private static func frames(of tasks: [TaskFacts]) -> Set<RawFrame> {
        var frames: Set<RawFrame> = []
        var last: [RawFrame] = []
        for index in tasks.indices where tasks[index].frames != last {
            last = tasks[index].frames
            frames.formUnion(last)
        }
        return frames
    }

    private func addExecutors(to picture: inout Picture) {
        for index in picture.tasks.indices {
            guard case .executor(let executor) = picture.tasks[index].waitsFor,
                picture.executors[executor] == nil
            else { continue }
            picture.executors[executor] = ActorCapture.executorName(executor)
        }
    }

    // MARK: Queues and tasks of threads

    private func addServed(to picture: inout Picture) {
        let asked = tasksToTitle(in: picture)
        // Copies only the needed fields of each task: a copy of the whole task costs as much as the rest.
        for index in picture.tasks.indices where !asked.isEmpty {
            let address = picture.tasks[index].address
            guard asked.contains(address) else { continue }
            picture.taskTitles[address] = Self.title(
                picture.tasks[index].id, picture.tasks[index].name)
        }
        let queues = Set(picture.threads.compactMap(\.queue)).subtracting(picture.labels.keys)
        if !queues.isEmpty {
            let reader = DispatchReader(layout: .known(by: deadline), deadline: deadline)
            for queue in queues { picture.labels[queue] = reader.label(of: queue) }
        }
        let tasks = Set(picture.threads.compactMap(\.task)).subtracting(picture.taskTitles.keys)
        let layout = TaskLayout.known(by: deadline)
        guard !tasks.isEmpty, layout.has(.tasks), let runtime = TaskRuntime.known else { return }
        let reader = TaskReader(runtime: runtime, text: TextRanges.current, endings: layout.endings)
        for task in tasks {
            let facts = reader.read(at: task, withFrames: false).reading?.facts
            picture.taskTitles[task] = facts.map { Self.title($0.id, $0.name) }
        }
    }

    /// The tasks that threads, actors or other tasks refer to. 50,000 tasks to which none of them refers
    /// get no title.
    private func tasksToTitle(in picture: Picture) -> Set<UInt> {
        var asked = Set(picture.threads.compactMap(\.task))
        for actor in picture.actors { asked.formUnion(actor.jobs) }
        for index in picture.tasks.indices {
            if case .task(let other) = picture.tasks[index].waitsFor { asked.insert(other) }
        }
        return asked
    }

    private static func title(_ task: UInt64, _ name: String?) -> String {
        name.map { "#\(task) \($0.escaped(limit: 60))" } ?? "#\(task)"
    }

    // MARK: Stacks

    private func addStacks(to picture: inout Picture) {
        // Many threads wait at the same place: their stacks are resolved once and share one array.
        var stacks: [[RawFrame]: [ResolvedFrame]] = [:]
        for thread in picture.threads { stacks[thread.frames] = [] }
        let raw = Array(Set(stacks.keys.joined()))
        let resolved = agent.symbols.resolve(raw, deadline: deadline)
        let names = Dictionary(zip(raw, resolved)) { first, _ in first }
        for frames in Array(stacks.keys) { stacks[frames] = frames.flatMap { names[$0] ?? [] } }
        let locks = LockLayout.known(by: deadline)
        let word: @Sendable (UInt) -> UInt64? = { GuardedMemory.load(UInt64.self, at: $0) }
        let reader = WaitReader(
            word: word,
            groups: Set(picture.groups.map(\.address)),
            semaphores: Set(picture.semaphores.map(\.address)),
            queues: Set(picture.queues.map(\.address)),
            locks: LockReader(word: word, layout: locks, picture.threads),
            dispatch: .known(by: deadline))
        for index in picture.threads.indices {
            var thread = picture.threads[index]
            thread.stack = stacks[thread.frames] ?? []
            thread.wait = reader.wait(of: thread, frames: thread.stack)
            thread.held = reader.held(by: thread, frame: thread.queueFrame)
            thread.isInMainItem = thread.isMain && reader.isInMainItem(thread)
            thread.isResuming = reader.isResuming(thread)
            if parts.contains(.waits), thread.wait != .running, thread.wait != .idle,
                index < Self.mostThreads
            {
                thread.switches = agent.shared.schedules.schedule(of: thread)?.switches
            }
            picture.threads[index] = thread
        }
        if parts.contains(.waits) { WaitReader.closeCircles(&picture.threads) }
        if parts.contains(.waits) { addOwnOperations(to: &picture) }
        if parts.contains(.waits) { picture.add(locks.notes, to: .waits, isCut: locks.isBlind) }
    }

    /// Adds operations whose waiting thread is the one that executes them, also in a queue that the host
    /// has not registered.
    private func addOwnOperations(to picture: inout Picture) {
        let waiting = picture.threads.indices.filter { index in
            if case .operations = picture.threads[index].wait { true } else { false }
        }
        guard !waiting.isEmpty else { return }
        let reader = OperationReader(picture.threads, until: deadline)
        for index in waiting {
            guard case .operations(let word) = picture.threads[index].wait,
                let own = reader.ownOperations(of: picture.threads[index], asleepOn: word)
            else { continue }
            picture.threads[index].ownOperations = OwnOperations(
                awaited: own.awaited.address, executed: own.executed.address)
            // If both are the same operation, the picture keeps one of them.
            picture.operations += [own.executed, own.awaited]
        }
    }

    // MARK: Expected connections

    private func addSockets(to picture: inout Picture) {
        let path = agent.listener.withLock { $0?.path } ?? ""
        guard let sockets = ProcessSockets(without: path) else { return }
        picture.sockets = SocketFacts(
            listening: sockets.listening, expecting: sockets.expecting)
    }
}
#endif
