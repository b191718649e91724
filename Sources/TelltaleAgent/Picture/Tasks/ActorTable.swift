#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleSystem

/// The actors of the process: those that a search of its memory found, and those that a task waits
/// for.
struct ActorTable: Sendable {
    /// Those with jobs first, then by address.
    var actors: [ActorFacts]
    /// What is off or was cut, as sentences.
    var notes: [String]
    /// Why there is nothing at all; nil as a rule.
    var unavailable: String?

    /// More actors than this are not kept.
    static let mostActors = 50_000
    /// The bytes of a default actor without its own fields.
    static let smallestSize = 112

    /// Both tables from one search of the memory.
    ///
    /// - Parameters:
    ///   - withFrames: Whether the async backtraces of tasks are kept.
    ///   - deadline: When it ends with what it has.
    /// - Returns: The tasks and the actors.
    static func look(
        withFrames: Bool, deadline: MonotonicTime
    ) -> (tasks: TaskTable, actors: ActorTable) {
        let layout = TaskLayout.shared(until: deadline)
        guard layout.has(.actors), layout.has(.tasks), let runtime = TaskRuntime.known,
            let (classes, areAll) = ActorClasses.current(until: deadline)
        else {
            let reason = layout.reason(.actors) ?? "not available: the images were not read"
            return (
                TaskTable.look(withFrames: withFrames, deadline: deadline),
                ActorTable(actors: [], notes: [], unavailable: reason)
            )
        }
        var found = find(classes, runtime, deadline)
        let tasks = TaskTable.make(
            from: found, layout: layout, runtime: runtime, withFrames: withFrames,
            deadline: deadline)
        found.hits.removeAll { $0.word == runtime.task_metadata }
        var actors = make(from: found, classes, tasks: tasks, layout: layout, until: deadline)
        if !areAll {
            actors.notes.append("not all actor types had been listed by the deadline")
        }
        return (tasks, actors)
    }

    // As many searches as it takes; one as a rule.
    private static func find(
        _ classes: ActorClasses, _ runtime: CTelltaleTaskRuntime, _ deadline: MonotonicTime
    ) -> MemoryScan.Result {
        var words = classes.classes.keys.sorted()
        words.insert(runtime.task_metadata, at: 0)
        var result = MemoryScan.Result(hits: [], bytes: 0, cut: nil)
        for start in stride(from: 0, to: words.count, by: MemoryScan.maximumWords) {
            let end = min(start + MemoryScan.maximumWords, words.count)
            let part = MemoryScan.find(
                words: Array(words[start..<end]), capacity: TaskTable.mostPlaces,
                deadline: deadline)
            result.hits += part.hits
            result.bytes = part.bytes
            result.cut = result.cut ?? part.cut
            if part.cut != nil { break }
        }
        return result
    }

    private static func make(
        from found: MemoryScan.Result, _ classes: ActorClasses, tasks: TaskTable,
        layout: TaskLayout, until deadline: MonotonicTime
    ) -> ActorTable {
        var table = ActorTable(actors: [], notes: [], unavailable: nil)
        if let cut = found.cut { table.notes.append(cut.reason) }
        var waiting: [UInt: [UInt]] = [:]
        for task in tasks.tasks {
            if case .executor(let executor) = task.waitsFor, executor != 0 {
                waiting[executor, default: []].append(task.address)
            }
        }
        for (index, hit) in found.hits.enumerated() {
            if index & 63 == 63, MonotonicTime.now > deadline || table.actors.count > mostActors {
                table.notes.append("the rest was not read by the deadline")
                break
            }
            guard let type = classes.classes[hit.word],
                ctelltale_object_is_plausible(
                    hit.address, type.isDefault ? smallestSize : 16, layout.hasChunks),
                let facts = facts(at: hit.address, type, waiting: waiting[hit.address] ?? [])
            else { continue }
            waiting[hit.address] = nil
            table.actors.append(facts.without(tasks.own))
        }
        for (index, (address, waiters)) in waiting.enumerated() {
            if index & 63 == 63, MonotonicTime.now > deadline || table.actors.count > mostActors {
                table.notes.append(
                    "the rest of what tasks wait for was not read by the deadline")
                break
            }
            if let facts = waitedFor(address, classes, waiters) {
                table.actors.append(facts.without(tasks.own))
            }
        }
        table.actors.sort {
            ($0.waiting == 0 ? 1 : 0, $0.state == .idle ? 1 : 0, $0.address)
                < ($1.waiting == 0 ? 1 : 0, $1.state == .idle ? 1 : 0, $1.address)
        }
        return table
    }

    private static func facts(
        at address: UInt, _ type: ActorClasses.Class, waiting: [UInt]
    ) -> ActorFacts? {
        guard type.isDefault else {
            return custom(address, type.name, waiting, "it has an executor of its own")
        }
        guard let reading = ActorReader.read(at: address) else { return nil }
        var facts = ActorFacts(address: address, typeName: type.name)
        facts.state = reading.state
        facts.jobs = reading.jobs
        facts.waiting = reading.waiting
        facts.note = reading.note
        return facts
    }

    private static func custom(
        _ address: UInt, _ name: String, _ jobs: [UInt], _ note: String
    ) -> ActorFacts {
        var facts = ActorFacts(address: address, typeName: name)
        facts.state = .custom
        facts.jobs = jobs
        facts.waiting = jobs.count
        facts.note = note
        return facts
    }

    // A generic actor, or an executor that is none.
    private static func waitedFor(
        _ address: UInt, _ classes: ActorClasses, _ tasks: [UInt]
    ) -> ActorFacts? {
        if let type = classes.ofObject(at: address) {
            return facts(at: address, type, waiting: tasks)
        }
        return custom(address, executorName(address), tasks, "an executor")
    }

    /// An executor as a line names it: `MainActor`, `Bank`, `the thread pool`.
    ///
    /// - Parameter address: Its identity, 0 for the thread pool.
    /// - Returns: The name; the address where it has none.
    static func executorName(_ address: UInt) -> String {
        guard address != 0 else { return "the thread pool" }
        guard let name = ActorClasses.className(at: address) else {
            return "executor 0x" + String(address, radix: 16)
        }
        // The main actor's jobs wait in the main queue.
        return name == "DispatchMainExecutor" ? "MainActor" : name
    }
}
#endif
