#if TELLTALE_AGENT
package import TelltalePicture

/// Since when what waits has been seen to wait, over all pictures that were taken: what was found once
/// never becomes younger by another look at it.
///
/// What it knows something by is all that changes when it moves, so that two waits of one thread at one
/// place are two. It keeps what was in the last picture and no more.
package struct WaitHistory: Sendable {
    private struct Seen {
        var state: Int
        var since: Duration
    }

    /// More than this is not remembered; each takes some 40 bytes.
    private static let most = 20_000
    private var seen: [WaitForGraph.Node: Seen] = [:]

    package init() {}

    /// Takes what waits in a picture.
    ///
    /// - Parameter picture: A later one than those before.
    package mutating func note(_ picture: Picture) {
        var now: [WaitForGraph.Node: Seen] = [:]
        func keep(_ node: WaitForGraph.Node, _ state: Int) {
            guard now.count < Self.most else { return }
            let before = seen[node]
            let since = before?.state == state ? before?.since : nil
            now[node] = Seen(state: state, since: since ?? picture.time)
        }
        for thread in picture.threads where !thread.isAgent {
            if let state = thread.waitingState { keep(.thread(thread.id), state) }
        }
        for queue in picture.queues {
            if let state = queue.waitingState { keep(.queue(queue.address), state) }
        }
        for task in picture.tasks where task.waitsFor != nil {
            keep(.task(task.address), task.waitingState)
        }
        for actor in picture.actors where !actor.jobs.isEmpty {
            keep(.actor(actor.address), Self.hash(actor.state, actor.jobs.first))
        }
        for operation in picture.operations where operation.state != .finished {
            keep(
                .operation(operation.address),
                Self.hash(operation.state, operation.dependencies))
        }
        seen = now
    }

    /// Since when something has been as it is, on the pictures' clock; nil where that was not seen.
    func since(_ node: WaitForGraph.Node) -> Duration? { seen[node]?.since }

    fileprivate static func hash<each Value: Hashable>(_ values: repeat each Value) -> Int {
        var hasher = Hasher()
        repeat hasher.combine(each values)
        return hasher.finalize()
    }
}

extension ThreadFacts {
    fileprivate var waitingState: Int? {
        guard case .waiting(let call) = state, wait != .idle, wait != .running else { return nil }
        return WaitHistory.hash(
            call.number, Array(call.arguments.prefix(4)), wait, switches, processorTime)
    }
}

extension QueueFacts {
    fileprivate var waitingState: Int? {
        guard let waiting, waiting > 0 else { return nil }
        return WaitHistory.hash(owner, suspendCount, isInBarrier, items.first?.address)
    }
}

extension TaskFacts {
    fileprivate var waitingState: Int { WaitHistory.hash(id, waitsFor, frames) }
}
#endif
