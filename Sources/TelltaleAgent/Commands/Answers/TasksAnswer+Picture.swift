#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension TasksAnswer {
    /// The maximum number of tasks that are shown; the others are counted.
    private static let mostShown = 10_000

    /// Lists the tasks of a picture that includes the threads which run them. With `full`, each has its
    /// whole stack; with `all`, each has a row of its own.
    init(_ picture: Picture, full: Bool, all: Bool = false) {
        // A stack takes ten times the space of a line.
        let shown = picture.tasks.prefix(full ? Self.mostShown / 5 : Self.mostShown)
        let tasks = Dictionary(picture.tasks.map { ($0.address, $0.id) }) { first, _ in first }
        let threads = Dictionary(
            picture.threads.lazy.filter { !$0.isAgent }.compactMap { thread in
                thread.task.map { ($0, thread) }
            }
        ) { first, _ in first }
        var stacks: [[RawFrame]: Told] = [:]
        let entries = shown.map { task in
            let thread = threads[task.address]
            // Many tasks wait at the same place, so their stacks are the same.
            let raw = task.frames.isEmpty ? thread?.frames ?? [] : task.frames
            let told =
                stacks[raw]
                ?? Told(
                    task.frames.isEmpty
                        ? thread?.stack ?? [] : raw.flatMap { picture.names[$0.address] ?? [] },
                    full: full)
            stacks[raw] = told
            return Entry(
                task, in: picture, parent: task.parent.flatMap { tasks[$0] }, thread: thread?.id,
                told)
        }
        let omitted = picture.tasks.count - shown.count
        self.init(
            tasks: entries, omitted: omitted > 0 ? omitted : nil, isFull: full,
            isAll: all ? true : nil, notes: picture.notes(on: .tasks))
    }

    /// The shown part of a stack.
    fileprivate struct Told {
        var frames: [StackFrame]
        var waitsIn: String?
        /// True if the stack has frames, but no host function.
        var isForeign: Bool

        init(_ stack: [ResolvedFrame], full: Bool) {
            // Only the current location, in the innermost code that users know.
            let shown =
                full
                ? stack.filter { $0.isHosts || $0.origin == .system }
                : [stack.hostFrame ?? stack.first { $0.origin == .system && $0.function != nil }]
                    .compactMap(\.self)
            frames = shown.map { StackFrame($0) }
            waitsIn = stack.machinery
            isForeign = !stack.isEmpty && !stack.hasHostsOwn
        }
    }
}

extension TasksAnswer.Entry {
    fileprivate init(
        _ task: TaskFacts, in picture: Picture, parent: UInt64?, thread: Int32?,
        _ told: TasksAnswer.Told
    ) {
        var notes: [String] = []
        if task.isUnstarted { notes.append("not started") }
        if task.isMoving { notes.append("moving") }
        if task.areFramesCut { notes.append("more frames") }
        if told.isForeign, !task.isUnstarted { notes.append("library code only") }
        self.init()
        id = task.id
        name = task.name.map { $0.escaped(limit: 128) }
        switch task.state {
        case .running: state = "running"
        case .enqueued: state = "enqueued"
        case .suspended: state = "suspended"
        }
        priority = Int(task.priority)
        isCancelled = task.isCancelled
        isChild = task.isChild
        waitsFor = task.waitsFor.map { Self.rendered($0, in: picture) }
        self.parent = parent
        self.thread = thread
        frames = told.frames
        waitsIn = told.waitsIn
        address = Quantity.address(task.address)
        note = notes.isEmpty ? nil : notes.joined(separator: ", ")
    }

    private static func rendered(_ wait: TaskFacts.Wait, in picture: Picture) -> String {
        switch wait {
        case .task(let address): picture.taskTitles[address].map { "task \($0)" } ?? "a task"
        case .group: "group"
        case .continuation: "continuation"
        case .timer: "timer"
        case .executor(let executor): rendered(executor: executor, in: picture)
        }
    }

    private static func rendered(executor: UInt, in picture: Picture) -> String {
        let name = picture.executors[executor] ?? "executor \(Quantity.address(executor))"
        let isNamed = executor != 0 && name != "MainActor" && !name.hasPrefix("executor ")
        return isNamed ? "actor \(name)" : name
    }
}

extension ActorsAnswer {
    /// The maximum number of actors that are shown; the others are counted.
    private static let mostShown = 10_000
    /// The maximum number of jobs that are shown for each actor; the others are counted.
    private static let mostJobs = 64

    /// Lists the actors of a picture that includes the tasks and the threads that run them. Idle actors are
    /// left out, unless they are registered or `all` is set.
    init(_ picture: Picture, registered: [UInt: String], all: Bool) {
        let shown = picture.actors.filter { actor in
            all || actor.waiting > 0 || actor.state == .running || actor.state == .scheduled
                || registered[actor.address] != nil
        }
        let entries = shown.prefix(Self.mostShown).map { actor in
            let omitted = actor.waiting - min(actor.jobs.count, Self.mostJobs)
            let thread = picture.threads.first { $0.executor == actor.address }
            return Entry(
                type: actor.typeName.escaped(limit: 128),
                address: Quantity.address(actor.address), name: registered[actor.address],
                state: Self.word(actor.state),
                jobs: actor.jobs.prefix(Self.mostJobs).map { job in
                    picture.taskTitles[job] ?? "a task that has just gone"
                },
                omitted: omitted > 0 ? omitted : nil,
                thread: thread?.id, isAgent: thread?.isAgent == true ? true : nil,
                note: actor.note)
        }
        let hidden = picture.actors.count - shown.count
        self.init(
            actors: Array(entries), hidden: hidden > 0 ? hidden : nil,
            notes: picture.notes(on: .actors)
                + ["generic actors are seen only while a task waits for one"])
    }

    private static func word(_ state: ActorFacts.State) -> String {
        switch state {
        case .idle: "idle"
        case .scheduled: "scheduled"
        case .running: "running"
        case .custom: "custom executor"
        }
    }
}

extension Registry<RegistryEntry> {
    var actorNames: [UInt: String] {
        var names: [UInt: String] = [:]
        for entry in all {
            guard case .actor = entry.owner, let actor = entry.reference?.address else {
                continue
            }
            names[actor] = entry.name
        }
        return names
    }
}
#endif
