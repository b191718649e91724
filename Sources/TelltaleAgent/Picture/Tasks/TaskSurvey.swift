#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// What `tasks` and `actors` answer, and their parts of the dump.
struct TaskSurvey {
    /// More tasks than this are counted and not shown.
    static let mostShown = 10_000
    /// More jobs of an actor than this are counted and not shown.
    static let mostJobs = 64

    let agent: Agent
    private let tasks: TaskTable
    private let actors: ActorTable
    private let byAddress: [UInt: TaskFacts]
    /// The threads that run tasks, by the tasks' addresses.
    private let threads: [UInt: ThreadFacts]
    private let deadline: MonotonicTime

    /// Looks at everything that it takes.
    init(agent: Agent, withFrames: Bool = true, deadline: MonotonicTime) {
        self.agent = agent
        self.deadline = deadline
        let look = ActorTable.look(withFrames: withFrames, deadline: deadline)
        tasks = look.tasks
        actors = look.actors
        byAddress = Dictionary(
            tasks.tasks.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
        threads = Self.threads(
            of: agent, running: tasks.tasks.contains { $0.state == .running },
            withFrames: withFrames, until: deadline)
    }

    // A thread that waits is read without being touched; one that runs is not interrupted here.
    private static func threads(
        of agent: Agent, running: Bool, withFrames: Bool, until deadline: MonotonicTime
    ) -> [UInt: ThreadFacts] {
        guard running else { return [:] }
        let table = agent.shared.threads
        let all = table.look(withFrames: false, until: deadline).samples
            .filter { $0.task != nil && !$0.isAgent }
        let waiting = all.filter { sample in
            if case .waiting = sample.state { return true }
            return false
        }
        let stacks =
            withFrames && !waiting.isEmpty
            ? table.look(at: .only(waiting.map(\.id)), until: deadline).samples : []
        var found: [UInt: ThreadFacts] = [:]
        for sample in all + stacks {
            if let task = sample.task { found[task] = sample }
        }
        return found
    }

    // MARK: Tasks

    /// What `tasks` answers.
    ///
    /// - Parameter full: With the whole stack of each.
    /// - Returns: The answer.
    /// - Throws: Where tasks are off.
    func tasksAnswer(full: Bool) throws(CommandFailure) -> TasksAnswer {
        if let reason = tasks.unavailable {
            throw CommandFailure(.unsupported, "tasks are \(reason)")
        }
        // A stack takes ten times the room of a line.
        let shown = tasks.tasks.prefix(full ? Self.mostShown / 5 : Self.mostShown)
        let frames = resolved(shown, full: full)
        let omitted = tasks.tasks.count - shown.count
        return TasksAnswer(
            tasks: shown.map { entry($0, frames: frames[$0.address] ?? []) },
            omitted: omitted > 0 ? omitted : nil, isFull: full, notes: tasks.notes)
    }

    private func entry(_ task: TaskFacts, frames: [StackFrame]) -> TasksAnswer.Entry {
        var notes: [String] = []
        if task.isUnstarted { notes.append("not begun") }
        if task.isMoving { notes.append("moving") }
        if task.areFramesCut { notes.append("more frames") }
        return TasksAnswer.Entry(
            id: task.id, name: task.name.map { Text.oneLine($0, limit: 128) },
            state: Self.word(task.state), priority: Int(task.priority),
            isCancelled: task.isCancelled, isChild: task.isChild,
            waitsFor: task.waitsFor.map(spelled),
            parent: task.parent.flatMap { byAddress[$0]?.id },
            thread: threads[task.address]?.id, frames: frames,
            address: Self.hexadecimal(task.address),
            note: notes.isEmpty ? nil : notes.joined(separator: ", "))
    }

    private func spelled(_ wait: TaskFacts.Wait) -> String {
        switch wait {
        case .task(let address): byAddress[address].map { "task \(title($0))" } ?? "a task"
        case .group: "group"
        case .continuation: "continuation"
        case .timer: "timer"
        case .executor(let executor): Self.spelled(executor: executor)
        }
    }

    private static func spelled(executor: UInt) -> String {
        let name = ActorTable.executorName(executor)
        let isNamed = executor != 0 && name != "MainActor" && !name.hasPrefix("executor ")
        return isNamed ? "actor \(name)" : name
    }

    private func title(_ task: TaskFacts) -> String {
        task.name.map { "#\(task.id) \(Text.oneLine($0, limit: 60))" } ?? "#\(task.id)"
    }

    private static func word(_ state: TaskFacts.State) -> String {
        switch state {
        case .running: "running"
        case .enqueued: "enqueued"
        case .suspended: "suspended"
        }
    }

    private static func hexadecimal(_ address: UInt) -> String {
        "0x" + String(address, radix: 16)
    }

    // MARK: Frames

    private func resolved(_ shown: ArraySlice<TaskFacts>, full: Bool) -> [UInt: [StackFrame]] {
        // Many tasks wait at one place, so that their stacks are the same.
        var stacks: [[RawFrame]: [StackFrame]] = [:]
        for task in shown { stacks[frames(of: task)] = [] }
        let raw = Array(Set(stacks.keys.joined()))
        let names = Dictionary(
            zip(raw, agent.symbols.resolve(raw, deadline: deadline)),
            uniquingKeysWith: { first, _ in first })
        for stack in Array(stacks.keys) {
            var told: [StackFrame] = []
            for frame in stack.lazy.flatMap({ names[$0] ?? [] })
            where frame.origin == .program || full && frame.origin == .system {
                told.append(StackFrame(frame))
                // Else only where it is, in the code that people know.
                if !full { break }
            }
            stacks[stack] = told
        }
        return Dictionary(
            shown.map { ($0.address, stacks[frames(of: $0)] ?? []) },
            uniquingKeysWith: { first, _ in first })
    }

    private func frames(of task: TaskFacts) -> [RawFrame] {
        task.frames.isEmpty ? threads[task.address]?.frames ?? [] : task.frames
    }

    // MARK: Actors

    /// What `actors` answers.
    ///
    /// - Parameter all: Also the idle ones.
    /// - Returns: The answer.
    /// - Throws: Where actors are off.
    func actorsAnswer(all: Bool) throws(CommandFailure) -> ActorsAnswer {
        if let reason = actors.unavailable {
            throw CommandFailure(.unsupported, "actors are \(reason)")
        }
        let names = registeredNames
        // Those that are registered are shown even if they are idle.
        let shown = actors.actors.filter { actor in
            all || actor.waiting > 0 || actor.state == .running || actor.state == .scheduled
                || names[actor.address] != nil
        }
        let entries = shown.prefix(Self.mostShown).map { actor in
            let omitted = actor.waiting - min(actor.jobs.count, Self.mostJobs)
            return ActorsAnswer.Entry(
                type: Text.oneLine(actor.typeName, limit: 128),
                address: Self.hexadecimal(actor.address), name: names[actor.address],
                state: Self.word(actor.state),
                jobs: actor.jobs.prefix(Self.mostJobs).map { job in
                    byAddress[job].map(title) ?? "a task that has just gone"
                },
                omitted: omitted > 0 ? omitted : nil, thread: thread(on: actor.address),
                note: actor.note)
        }
        let hidden = actors.actors.count - shown.count
        return ActorsAnswer(
            actors: Array(entries), hidden: hidden > 0 ? hidden : nil,
            notes: actors.notes + ["generic actors are seen only while a task waits for one"])
    }

    private func thread(on actor: UInt) -> Int32? {
        threads.values.first { $0.executor == actor }?.id
    }

    private var registeredNames: [UInt: String] {
        var names: [UInt: String] = [:]
        for entry in agent.shared.objects.all {
            guard case .actor = entry.owner, let actor = entry.reference?.address else {
                continue
            }
            names[actor] = entry.name
        }
        return names
    }

    private static func word(_ state: ActorFacts.State) -> String {
        switch state {
        case .idle: "idle"
        case .scheduled: "scheduled"
        case .running: "running"
        case .custom: "custom executor"
        }
    }

    // MARK: The dump

    /// The parts of the dump, bounded: the tasks that wait the longest stand first.
    var dumpLines: [String] { taskLines + actorLines }

    private static let mostLines = 64

    private var taskLines: [String] {
        if let reason = tasks.unavailable { return ["TASKS \(reason)"] }
        let all = tasks.tasks
        func count(_ state: TaskFacts.State) -> Int { all.filter { $0.state == state }.count }
        var lines = [
            "TASKS \(all.count): \(count(.running)) running, \(count(.enqueued)) enqueued, "
                + "\(count(.suspended)) suspended"
        ]
        let shown = all.prefix(Self.mostLines)
        let frames = resolved(shown, full: false)
        for task in shown {
            let entry = entry(task, frames: frames[task.address] ?? [])
            var line = "  \(title(task)) \(entry.state)"
            if let thread = entry.thread { line += " T\(thread)" }
            if let waitsFor = entry.waitsFor { line += " waits for \(waitsFor)" }
            if task.isCancelled { line += " cancelled" }
            if let parent = entry.parent { line += " child of #\(parent)" }
            if let note = entry.note { line += " (\(note))" }
            if let frame = entry.frames.first {
                line += "  \(Text.oneLine(frame.function ?? frame.address, limit: 120))"
                if let place = StackText.place(frame.file, frame.line) { line += "  \(place)" }
            }
            lines.append(line)
        }
        if all.count > shown.count {
            lines.append("  … \(all.count - shown.count) more (`tasks` shows them)")
        }
        return lines + tasks.notes.map { "  \(Text.oneLine($0))" }
    }

    private var actorLines: [String] {
        guard let answer = try? actorsAnswer(all: false) else {
            return ["ACTORS \(actors.unavailable ?? "not available")"]
        }
        let waiting = answer.actors.filter { !$0.jobs.isEmpty }.count
        var lines = ["ACTORS \(actors.actors.count): \(waiting) with jobs that wait"]
        for actor in answer.actors.prefix(Self.mostLines) {
            let count = actor.jobs.count + (actor.omitted ?? 0)
            var line = "  \(actor.name.map { "\($0) " } ?? "")\(actor.type) \(actor.address) "
            line += actor.state
            if let thread = actor.thread { line += " T\(thread)" }
            if count > 0 {
                line += " waiting=\(count): \(actor.jobs.prefix(4).joined(separator: ", "))"
            }
            lines.append(line)
        }
        let more = answer.actors.count - min(answer.actors.count, Self.mostLines)
        if more > 0 { lines.append("  … \(more) more (`actors` shows them)") }
        return lines
    }
}
#endif
