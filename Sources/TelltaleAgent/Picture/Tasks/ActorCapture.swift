#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The actors of the process: those that a search of its memory has found, and those that a task waits for.
struct ActorCapture: Sendable {
    /// The actors; those with jobs come first, then by address.
    var actors: [ActorFacts]
    /// Disabled parts and truncations, as sentences.
    var notes: [String]
    /// True if actors are missing; the stuck one may be among them.
    var isCut: Bool { !notes.isEmpty }

    /// The maximum number of actors.
    static let mostActors = 50_000

    /// Reads the objects that a search for actor classes has found; stops at `deadline` with the actors
    /// read so far.
    static func read(
        at places: [FirstWord: [UInt]], _ classes: ActorClasses, tasks: TaskCapture,
        until deadline: MonotonicTime
    ) -> ActorCapture {
        let layout = TaskLayout.known(by: deadline)
        var capture = ActorCapture(actors: [], notes: [])
        var waiting: [UInt: [UInt]] = [:]
        for index in tasks.tasks.indices {
            if case .executor(let executor) = tasks.tasks[index].waitsFor, executor != 0 {
                waiting[executor, default: []].append(tasks.tasks[index].address)
            }
        }
        let hits = classes.classes.keys.flatMap { word in
            (places[word] ?? []).map { MemoryScan.Hit(address: $0, word: word) }
        }
        for (index, hit) in hits.enumerated() {
            if index & 63 == 63, let reason = capture.end(by: deadline) {
                capture.notes.append("not all actors were read\(reason)")
                break
            }
            guard let type = classes.classes[hit.word],
                ActorReader.isPlausible(hit.address, isDefault: type.isDefault, layout),
                let facts = facts(at: hit.address, type, waiting: waiting[hit.address] ?? [])
            else { continue }
            waiting[hit.address] = nil
            capture.actors.append(facts.without(tasks.own))
        }
        for (index, (address, waiters)) in waiting.enumerated() {
            if index & 63 == 63, let reason = capture.end(by: deadline) {
                capture.notes.append("not all that tasks wait for was read\(reason)")
                break
            }
            if let facts = waitedFor(address, classes, waiters) {
                capture.actors.append(facts.without(tasks.own))
            }
        }
        capture.actors.sort {
            ($0.waiting == 0 ? 1 : 0, $0.state == .idle ? 1 : 0, $0.address)
                < ($1.waiting == 0 ? 1 : 0, $1.state == .idle ? 1 : 0, $1.address)
        }
        return capture
    }

    /// The reason to stop, as the end of a sentence; nil while there is time and capacity left.
    func end(by deadline: MonotonicTime) -> String? {
        if actors.count > Self.mostActors {
            return ": no more than \(Quantity.count(Self.mostActors)) are kept"
        }
        return MonotonicTime.now > deadline ? " by the deadline" : nil
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

    // A generic actor, or an executor that is not an actor.
    private static func waitedFor(
        _ address: UInt, _ classes: ActorClasses, _ tasks: [UInt]
    ) -> ActorFacts? {
        if let type = classes.ofObject(at: address) {
            return facts(at: address, type, waiting: tasks)
        }
        return custom(address, executorName(address), tasks, "an executor")
    }

    /// The display name of an executor: `MainActor`, `Bank`, `the thread pool` (0), or its address.
    static func executorName(_ address: UInt) -> String {
        guard address != 0 else { return "the thread pool" }
        guard let name = ActorClasses.className(at: address) else {
            return "executor " + Quantity.address(address)
        }
        // The main actor's jobs wait in the main queue.
        return name == "DispatchMainExecutor" ? "MainActor" : name
    }
}
#endif
