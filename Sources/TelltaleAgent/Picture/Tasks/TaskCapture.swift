#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// All tasks of the process that have not ended, read at the addresses that a search of its memory has
/// found.
///
/// The tasks of an `async let` are found too, although they are allocated in memory of their parents. The
/// agent's own tasks, and the helper tasks that wake sleeping tasks, are left out.
struct TaskCapture: Sendable {
    /// Sorted by id, which is the order of creation.
    var tasks: [TaskFacts]
    /// Disabled parts and truncations, as sentences.
    var notes: [String]
    /// True if tasks are missing; the stuck one may be among them.
    var isCut = false
    /// The number of addresses that looked like a task and were not, or that changed too fast to be read.
    var implausible: Int
    /// The agent's own tasks, which are left out.
    var own: Set<UInt> = []
    /// The reason why no tasks are available; usually nil.
    var unavailable: String?

    /// The word that the search looks for; nil if the runtime is not known.
    static var word: FirstWord? { TaskRuntime.firstWord.map(FirstWord.init) }
    /// The maximum number of addresses that are examined.
    static let mostPlaces = 500_000
    /// The maximum number of tasks, of some 150 bytes each.
    static let mostTasks = 262_144

    private static func none(_ reason: String) -> TaskCapture {
        TaskCapture(tasks: [], notes: [], implausible: 0, unavailable: reason)
    }

    /// Reads the addresses that a search for a task's first word has found; stops at `deadline` with the
    /// tasks read so far.
    static func read(
        at places: [UInt], withFrames: Bool = true, until deadline: MonotonicTime
    ) -> TaskCapture {
        let layout = TaskLayout.known(by: deadline)
        guard layout.has(.tasks), let runtime = TaskRuntime.known else {
            return none(layout.reason(.tasks) ?? "not available: \(TaskRuntime.reason)")
        }
        let text = TextRanges.current
        // Without them a live task can't be told from one that was freed.
        guard text.count > 0 else {
            return none("not available: the process's mappings can't be listed")
        }
        var capture = TaskCapture(tasks: [], notes: [], implausible: 0, unavailable: nil)
        let reader = TaskReader(runtime: runtime, text: text, endings: layout.endings)
        let end = capture.read(
            places.prefix(mostPlaces), with: reader,
            frames: withFrames && layout.has(.frames), until: deadline)
        if let reason = end.reason(of: places.count) {
            capture.notes.append(reason)
            capture.isCut = true
        }
        capture.dropEnded()
        capture.relate()
        capture.apply(layout)
        return capture
    }

    /// The reason why a read ended.
    private enum End {
        case done, late, full

        /// The reason why not all tasks were read; nil if they were.
        func reason(of places: Int) -> String? {
            switch self {
            case .late: "not all tasks were read by the deadline"
            case .full: "of the tasks \(Quantity.count(mostTasks)) were read, and there are more"
            case .done where places > mostPlaces:
                "of \(Quantity.count(places)) places that may be tasks "
                    + "\(Quantity.count(mostPlaces)) were looked at"
            case .done: nil
            }
        }
    }

    private mutating func read(
        _ places: ArraySlice<UInt>, with reader: TaskReader, frames: Bool,
        until deadline: MonotonicTime
    ) -> End {
        var sleepers: Set<UInt> = []
        var helpers: [(task: TaskFacts, sleeper: UInt)] = []
        let ours = UInt(bitPattern: TypeMetadata(WorkerExecutor.self).pointer)
        var preferred: [UInt: Bool] = [:]
        var isFull = false
        tasks.reserveCapacity(min(places.count, Self.mostTasks))
        for start in stride(from: places.startIndex, to: places.endIndex, by: TaskReader.atOnce) {
            ForkGate.rest()
            if MonotonicTime.now > deadline { return .late }
            let end = min(start + TaskReader.atOnce, places.endIndex)
            reader.read(at: places[start..<end], withFrames: frames) { place, result, reading in
                guard let reading else {
                    if TaskReader.isImplausible(result) { implausible += 1 }
                    return
                }
                guard tasks.count < Self.mostTasks else {
                    isFull = true
                    return
                }
                if let executor = reading.facts.preferredExecutor {
                    let isOurs =
                        preferred[executor] ?? (GuardedMemory.load(UInt.self, at: executor) == ours)
                    preferred[executor] = isOurs
                    if isOurs {
                        own.insert(place)
                        return
                    }
                }
                if let sleeper = reading.sleeper {
                    helpers.append((reading.facts, sleeper))
                } else {
                    tasks.append(reading.facts)
                }
            }
            if isFull { return .full }
        }
        guard !helpers.isEmpty else { return .done }
        let waiting = Set(tasks.lazy.filter { $0.waitsFor == .continuation }.map(\.address))
        for (task, sleeper) in helpers {
            if waiting.contains(sleeper) {
                sleepers.insert(sleeper)
            } else {
                tasks.append(task)
            }
        }
        guard !sleepers.isEmpty else { return .done }
        for index in tasks.indices where sleepers.contains(tasks[index].address) {
            tasks[index].waitsFor = .timer
        }
        return .done
    }

    /// Leaves out, and counts, the tasks that ended while they were read: their memory has another content by
    /// now, and what was read as an id is none.
    mutating func dropEnded() {
        // Ids are given in order (swift-6.3.1, Task.cpp), and one that moves may be newer than all others.
        let newest = tasks.lazy.filter { !$0.isMoving }.map(\.id).max() ?? 0
        let bound = newest &+ 1_000_000
        let count = tasks.count
        tasks.removeAll { $0.isMoving && $0.id > bound }
        guard tasks.count < count else { return }
        notes.append(
            "left out, since changed while being read: "
                + Quantity.count(count - tasks.count, "task", "tasks"))
    }

    private mutating func relate() {
        var hasCopies = false
        // Elements that end up adjacent have been compared with each other.
        tasks.sort {
            if $0.id != $1.id { return $0.id < $1.id }
            if $0.address != $1.address { hasCopies = true }
            return $0.address < $1.address
        }
        if hasCopies { dropCopies() }
        var children: [UInt: [UInt]] = [:]
        for index in tasks.indices {
            guard let parent = tasks[index].parent else { continue }
            children[parent, default: []].append(tasks[index].address)
        }
        guard !children.isEmpty else { return }
        for index in tasks.indices {
            if let own = children[tasks[index].address] { tasks[index].children = own }
        }
    }

    // Drops copies with the same id, such as one on the stack of a thread that moved the task.
    private mutating func dropCopies() {
        var kept: [TaskFacts] = []
        kept.reserveCapacity(tasks.count)
        for task in tasks {
            guard let last = kept.indices.last, kept[last].id == task.id else {
                kept.append(task)
                continue
            }
            if !TaskReader.isPlausible(kept[last].address) { kept[last] = task }
        }
        tasks = kept
    }

    private mutating func apply(_ layout: TaskLayout) {
        notes += layout.notes
        if layout.isBlind { isCut = true }
        for part in layout.failures.keys {
            for index in tasks.indices {
                switch part {
                case .names: tasks[index].name = nil
                case .waits: tasks[index].waitsFor = nil
                case .cancellation: tasks[index].isCancelled = false
                case .tree:
                    tasks[index].parent = nil
                    tasks[index].children = []
                case .frames: tasks[index].frames = []
                default: break
                }
            }
        }
    }
}
#endif
