#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

extension ThreadEntry {
    init(_ thread: ThreadFacts, in picture: Picture) {
        self.init()
        id = thread.id
        name = thread.name.escaped(limit: 64)
        queue = thread.queue.map { queue in
            picture.labels[queue].map { $0.escaped(limit: 128) } ?? Quantity.address(queue)
        }
        task = thread.task.map { picture.taskTitles[$0] ?? Quantity.address($0) }
        cpuSeconds = thread.processorTime.seconds
        isMain = thread.isMain
        isAgent = thread.isAgent
        switch thread.state {
        case .running: state = "running"
        case .waiting(let system):
            state = "waiting"
            call = system.name
        case .stopped: state = "stopped"
        case .unknown(let reason):
            state = "unknown"
            note = reason
        }
    }
}

extension ThreadsAnswer {
    /// Lists the threads of a picture; with `all`, the agent's own are included.
    init(_ picture: Picture, all: Bool) {
        let shown = picture.shownThreads(all: all)
        self.init(
            threads: shown.map { thread in
                var entry = ThreadEntry(thread, in: picture)
                // The program's entry says nothing of a main thread that only dispatches.
                let frame = thread.stack.hostFrame.flatMap { $0.symbol == "_start" ? nil : $0 }
                entry.function = frame?.title
                entry.file = frame?.sourceFile
                entry.line = frame?.line
                return entry
            },
            agentThreads: picture.threads.count - shown.count, notes: picture.notes(on: .threads))
    }
}

extension StackAnswer {
    /// Lists the stacks of a picture; with `full`, each thread is separate; with `all`, the agent's own are
    /// included.
    init(_ picture: Picture, full: Bool, all: Bool) {
        let shown = picture.shownThreads(all: all)
        let groups = full ? shown.map { [$0] } : Self.folded(shown)
        self.init(
            groups: groups.compactMap { Group($0, in: picture) },
            agentThreads: picture.threads.count - shown.count,
            interrupted: picture.interruptions.count,
            longestHoldNanoseconds: Int(clamping: picture.interruptions.longest),
            microseconds: picture.interruptions.took.microseconds,
            notes: picture.notes(on: .threads))
    }

    private struct Kind: Hashable {
        var frames: [RawFrame]
        var gap: String?
        var state: ThreadFacts.State
    }

    /// Groups threads with the same stack: the main thread's group first, then the largest.
    private static func folded(_ threads: [ThreadFacts]) -> [[ThreadFacts]] {
        var places: [Kind: Int] = [:]
        var groups: [[ThreadFacts]] = []
        for thread in threads {
            // Threads without frames have only the reason in common.
            let kind = Kind(
                frames: thread.frames, gap: thread.gap, state: thread.state.withoutArguments)
            if let place = places[kind] {
                groups[place].append(thread)
            } else {
                places[kind] = groups.count
                groups.append([thread])
            }
        }
        let order = groups.enumerated().sorted { left, right in
            let isMain = (
                left.element.contains(where: \.isMain), right.element.contains(where: \.isMain)
            )
            if isMain.0 != isMain.1 { return isMain.0 }
            if left.element.count != right.element.count {
                return left.element.count > right.element.count
            }
            return left.offset < right.offset
        }
        return order.map(\.element)
    }
}

extension StackAnswer.Group {
    /// Creates a group of threads with the same stack; nil for no threads.
    init?(_ threads: [ThreadFacts], in picture: Picture) {
        guard let first = threads.first else { return nil }
        self.init(
            threads: threads.map { ThreadEntry($0, in: picture) },
            frames: first.stack.map { StackFrame($0) }, gap: first.gap)
    }
}

extension ThreadFacts.State {
    /// The state without arguments: two threads in the same call are in the same state.
    fileprivate var withoutArguments: ThreadFacts.State {
        guard case .waiting(var call) = self else { return self }
        call.arguments = []
        return .waiting(call)
    }
}

extension Picture {
    fileprivate func shownThreads(all: Bool) -> [ThreadFacts] {
        all ? threads : threads.filter { !$0.isAgent }
    }
}
#endif
