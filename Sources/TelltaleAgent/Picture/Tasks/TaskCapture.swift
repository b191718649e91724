#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Every task of the process that has not ended, read where a search of its memory has found them.
///
/// The tasks of an `async let` are found too: they lie in memory of their parents'. Those of the
/// agent itself, and the helpers that wake the sleepers, are left out.
struct TaskCapture: Sendable {
    /// By their ids, which is the order in which they were made.
    var tasks: [TaskFacts]
    /// What is off or was cut, as sentences.
    var notes: [String]
    /// What is missing may be just what doesn't move.
    var isCut = false
    /// Places that began like a task and were none, or changed too fast to be read.
    var implausible: Int
    /// The agent's own, which are left out.
    var own: Set<UInt> = []
    /// Why there is nothing at all; nil as a rule.
    var unavailable: String?

    /// What is looked for; nil where the runtime is not known.
    static var word: UInt? { TaskRuntime.firstWord }
    /// More places than this are not looked at.
    static let mostPlaces = 500_000
    /// More tasks than this are not kept, of some 150 bytes each.
    static let mostTasks = 262_144

    private static func none(_ reason: String) -> TaskCapture {
        TaskCapture(tasks: [], notes: [], implausible: 0, unavailable: reason)
    }

    /// Reads what a search for the word of a task has found; at `deadline` it ends with what it has.
    static func read(
        at places: [UInt], withFrames: Bool = true, until deadline: MonotonicTime
    ) -> TaskCapture {
        let layout = TaskLayout.known(by: deadline)
        guard layout.has(.tasks), let runtime = TaskRuntime.known else {
            return none(layout.reason(.tasks) ?? "not available: \(TaskRuntime.reason)")
        }
        let text = TextRanges.current
        // Without them nothing can be told from a task that was freed.
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
        capture.relate()
        capture.apply(layout)
        return capture
    }

    /// Where a reading ended.
    private enum End {
        case done, late, full

        /// Why not all tasks were read; nil where they were.
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

    private mutating func relate() {
        var hasCopies = false
        // Two that come to stand side by side were compared.
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

    // Two with one id: the other one is a copy, say on the stack of whoever moved it.
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
