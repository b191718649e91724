#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Captures the process, or selected parts of it, at one moment.
///
/// The memory is searched once for all parts. The search results are then read, one part after another.
/// Threads are captured last; then names are added, which takes the longest and disturbs no thread. The
/// capture blocks on no host code: in the meantime workers ask the host's own code about its operations.
/// Data that is not available by the deadline is a gap of its part.
struct Capture: Sendable {
    /// Selects the threads, if that depends on the other captured parts.
    typealias Choice = @Sendable (Picture) -> ThreadCapture.Selection

    let agent: Agent
    let parts: Picture.Parts
    let deadline: MonotonicTime
    /// Enables the search of the memory. Without it, only the registered queues, the main queue and the
    /// global ones are captured.
    var isSearching = true
    /// The number of waiting items that are described for each queue.
    var items = 1
    /// The queue for which more items are described.
    var focus: DispatchCapture.Focus?
    var threads: Choice = { _ in .all }
    var stacks = ThreadCapture.Stacks.none

    /// Selects all threads if a task is running, and none otherwise: threads show which of them runs which
    /// task.
    static let whereTasksRun: Choice = { picture in
        picture.tasks.contains { $0.state == .running } ? .all : .only([])
    }

    private let began = MonotonicTime.now
    /// The maximum number of search hits, of 16 bytes each.
    private static let mostHits = 500_000

    init(_ parts: Picture.Parts, of agent: Agent, until deadline: MonotonicTime) {
        self.parts = parts
        self.agent = agent
        self.deadline = deadline
        if parts.contains(.stacks) { stacks = .all }
    }

    func take() -> Picture { NativeThread.givingCore { GuardedReading.unbuffered { taken() } } }

    private func taken() -> Picture {
        agent.shared.captures.countCapture()
        let operations =
            parts.contains(.operations)
            ? OperationCapture(agent: agent, until: operationDeadline) : nil
        let hasThreads = parts.contains(.threads)
        let dispatch = DispatchCapture(
            layout: parts.isDisjoint(with: DispatchCapture.all)
                ? .off("not wanted") : .known(by: share(1)),
            parts: parts,
            held: agent.shared.observedQueues.compactMap { QueueKind.inner($0.queue) },
            items: items, focus: focus)
        let classes =
            parts.contains(.actors) ? ActorClasses.current(until: share(2)) : nil
        let search = search(dispatch, classes?.classes, until: share(hasThreads ? 5 : 7))
        // Everything that is read from here on shows this moment, except for the time that reading takes.
        var picture = Picture(time: MonotonicTime.now.sinceStart)
        picture.date = WallClock.nanoseconds
        picture.parts = parts
        picture.lostTime = agent.stoppedTime
        if let cut = search.cut {
            picture.add(
                ["not all may have been found: \(cut.reason)"], to: .searched, isCut: true)
        }
        if !parts.isDisjoint(with: DispatchCapture.all) {
            dispatch.read(
                search.places, into: &picture, until: share(hasThreads ? 6 : 8))
        }
        if !parts.isDisjoint(with: [.tasks, .actors]) {
            addTasks(to: &picture, search, classes, until: share(hasThreads ? 7 : 9))
        }
        ForkGate.rest()
        if hasThreads { addThreads(to: &picture, until: share(9)) }
        ForkGate.rest()
        // Right after the threads, so that the waiters and the ready descriptors are of one moment.
        let loops =
            parts.contains(.eventLoops)
            ? EventLoopReading(picture.threads, agent.shared.eventLoops, until: deadline) : nil
        addNames(to: &picture)
        if let loops { addEventLoops(loops, to: &picture) }
        if let operations {
            let result = operations.finish(until: operationDeadline)
            picture.operationQueues = result.queues
            picture.addOperations(PlacedOperation.all(in: result.queues))
            picture.runLoop = result.runLoop
            picture.add(result.notes, to: .operations, isCut: result.isCut)
        }
        if .now >= deadline, !picture.isCut {
            picture.add(["the deadline came before all had been captured"], to: parts, isCut: true)
        }
        return picture
    }

    /// Returns the time at which this many tenths of the time limit have passed.
    private func share(_ tenths: Int) -> MonotonicTime {
        began.advanced(by: deadline.since(began) / 10 * tenths)
    }

    // Foundation's locks may be held; a queue that doesn't respond is reported and costs no more than this.
    private var operationDeadline: MonotonicTime {
        guard parts != .operations else { return deadline }
        return min(deadline, began.advanced(by: .milliseconds(200)))
    }

    // MARK: The search

    private struct Search {
        var places: [FirstWord: [UInt]] = [:]
        var cut: MemoryScan.Cut?
    }

    private func search(
        _ dispatch: DispatchCapture, _ classes: ActorClasses?, until deadline: MonotonicTime
    ) -> Search {
        guard isSearching else { return Search() }
        var words = dispatch.words
        if !parts.isDisjoint(with: [.tasks, .actors]), let word = TaskCapture.word {
            words.append(word)
        }
        if let classes { words += classes.classes.keys }
        guard !words.isEmpty else { return Search() }
        agent.shared.captures.countScan()
        let result = MemoryScan.find(
            words: words, capacity: Self.mostHits, deadline: deadline)
        var search = Search(cut: result.cut)
        for hit in result.hits { search.places[hit.word, default: []].append(hit.address) }
        return search
    }

    // MARK: Tasks, actors, threads

    private func addTasks(
        to picture: inout Picture, _ search: Search,
        _ classes: (classes: ActorClasses, areAll: Bool)?, until deadline: MonotonicTime
    ) {
        let places = TaskCapture.word.flatMap { search.places[$0] } ?? []
        let tasks = TaskCapture.read(
            at: places, withFrames: parts.contains(.tasks), until: deadline)
        if let reason = tasks.unavailable {
            picture.gaps.append(
                Picture.Gap(.tasks, "tasks are \(reason)", isWhole: true))
        }
        picture.tasks = tasks.tasks
        picture.add(tasks.notes, to: [.tasks, .actors], isCut: tasks.isCut)
        guard parts.contains(.actors) else { return }
        let layout = TaskLayout.known(by: deadline)
        guard layout.has(.actors), layout.has(.tasks), let classes else {
            let reason = layout.reason(.actors) ?? "not available: the images were not read"
            picture.gaps.append(
                Picture.Gap(.actors, "actors are \(reason)", isWhole: true))
            return
        }
        let actors = ActorCapture.read(
            at: search.places, classes.classes, tasks: tasks, until: deadline)
        picture.actors = actors.actors
        picture.add(actors.notes, to: .actors, isCut: actors.isCut)
        if !classes.areAll {
            picture.add(
                ["not all actor types had been listed by the deadline"], to: .actors, isCut: true)
        }
    }

    private func addThreads(to picture: inout Picture, until deadline: MonotonicTime) {
        let selection = threads(picture)
        if case .only(let ids) = selection, ids.isEmpty { return }
        let began = MonotonicTime.now
        let result = agent.shared.threads.capture(selection, stacks: stacks, until: deadline)
        picture.threads = result.threads
        picture.interruptions = Picture.Interruptions(
            count: result.interrupted, longest: result.longestHold,
            took: MonotonicTime.now.since(began))
        picture.add(result.notes, to: [.threads, .stacks], isCut: result.isCut)
        if result.threads.isEmpty, result.total == 0 {
            picture.gaps.append(
                Picture.Gap(
                    .threads, result.notes.first ?? "threads are not available",
                    isWhole: true))
        }
    }
}

extension Picture {
    /// Adds operations; the data from an operation's queue takes precedence over the data from a thread's
    /// stack.
    fileprivate mutating func addOperations(_ observed: [PlacedOperation]) {
        var known = Set(observed.map(\.address))
        operations =
            observed + operations.filter { known.insert($0.address).inserted }
    }
}

/// The number of captures of the process, and of searches of its memory.
final class CaptureCounts: Sendable {
    private let counts = Locked((captures: 0, scans: 0))

    func countCapture() { counts.withLock { $0.captures += 1 } }
    func countScan() { counts.withLock { $0.scans += 1 } }

    /// The numbers since the process started.
    var now: (captures: Int, scans: Int) { counts.withLock { $0 } }
}

extension Agent {
    /// Captures some parts of the process, including the gaps in them.
    func capture(_ parts: Picture.Parts, until deadline: MonotonicTime) -> Picture {
        Capture(parts, of: self, until: deadline).take()
    }
}
#endif
