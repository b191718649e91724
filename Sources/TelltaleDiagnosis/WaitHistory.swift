#if TELLTALE_AGENT
package import TelltalePicture

/// The start times of waits, over all pictures that were taken: a wait once found never becomes
/// younger by another capture.
///
/// The key of a wait changes when it moves, so two waits of one thread at one location are two: the
/// kernel counts how often each thread was scheduled. A stop of the whole process and a debugger
/// have each thread scheduled a few times without doing anything (measured: two). It keeps the
/// waits of the last picture and no more.
package struct WaitHistory: Sendable {
    private struct Seen {
        var state: Int
        /// The number of times it was scheduled, if counted.
        var turns: UInt64?
        var since: Duration
    }

    /// The record of a task, of which there may be tens of thousands.
    private struct SeenTask {
        var state: Int
        var since: Duration
    }

    /// Turns that a stop gives a thread at most.
    private static let turnsOfAStop: UInt64 = 3

    /// More than this is not remembered; each takes some 40 bytes.
    private static let most = 20_000
    /// More tasks than a picture has: one that is not remembered never grows old. 50,000 take 3 MB, and twice
    /// that while a picture is taken in.
    private static let mostTasks = 270_000
    private var seen: [WaitForGraph.Node: Seen] = [:]
    private var tasks: [UInt: SeenTask] = [:]
    /// The time since which the longest unchanged task of the last picture has been so.
    private(set) var oldestTask: Duration?
    private var lostTime = Duration.zero
    private var last = Duration.zero

    package init() {}

    /// Records the waits in a picture.
    ///
    /// - Parameter picture: A later one than those before.
    package mutating func note(_ picture: Picture) {
        guard picture.time >= last else { return }
        last = picture.time
        var now: [WaitForGraph.Node: Seen] = [:]
        now.reserveCapacity(min(Self.most, seen.count + 64))
        let wasStopped = picture.lostTime > lostTime
        lostTime = picture.lostTime
        func keep(
            _ node: WaitForGraph.Node, _ state: @autoclosure () -> Int, turns: UInt64? = nil
        ) {
            guard now.count < Self.most else { return }
            let state = state()
            var since = picture.time
            if let before = seen[node], before.state == state,
                Self.isSame(before.turns, turns, wasStopped)
            {
                since = before.since
            }
            now[node] = Seen(state: state, turns: turns, since: since)
        }
        for thread in picture.threads where !thread.isAgent {
            if let state = thread.waitingState {
                keep(.thread(thread.id), state, turns: thread.switches)
            }
        }
        for queue in picture.queues {
            if let state = queue.waitingState { keep(.queue(queue.address), state) }
        }
        noteTasks(of: picture)
        for actor in picture.actors where !actor.jobs.isEmpty {
            keep(.actor(actor.address), Self.hash(actor.state, actor.jobs.first))
        }
        for operation in picture.operations where operation.state != .finished {
            keep(
                .operation(operation.address),
                Self.hash(operation.state, operation.dependencies))
        }
        // Nodes missing from a cut picture may still exist.
        if picture.isCut {
            for (node, before) in seen where now[node] == nil && now.count < Self.most {
                now[node] = before
            }
        }
        seen = now
    }

    private mutating func noteTasks(of picture: Picture) {
        var oldest = picture.time
        var now: [UInt: SeenTask] = [:]
        now.reserveCapacity(min(Self.mostTasks, picture.tasks.count))
        for index in picture.tasks.indices where picture.tasks[index].waitsFor != nil {
            guard now.count < Self.mostTasks else { break }
            let address = picture.tasks[index].address
            var task = SeenTask(state: picture.tasks[index].waitingState, since: picture.time)
            if let before = tasks[address], before.state == task.state { task.since = before.since }
            now[address] = task
            oldest = min(oldest, task.since)
        }
        // Tasks missing from a cut picture may still exist.
        if picture.isCut {
            for (address, before) in tasks
            where now[address] == nil && now.count < Self.mostTasks {
                now[address] = before
                oldest = min(oldest, before.since)
            }
        }
        tasks = now
        oldestTask = oldest
    }

    /// The time since which a node has been unchanged, on the pictures' clock; `nil` if that was
    /// not seen.
    func since(_ node: WaitForGraph.Node) -> Duration? {
        if case .task(let address) = node { return tasks[address]?.since }
        return seen[node]?.since
    }

    private static func isSame(_ before: UInt64?, _ now: UInt64?, _ wasStopped: Bool) -> Bool {
        guard let before, let now else { return before == now }
        return now == before || (wasStopped && now > before && now - before <= turnsOfAStop)
    }

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
            call.number, Array(call.arguments.prefix(4)), wait, frames.first?.address,
            switches == nil ? processorTime : nil)
    }
}

extension QueueFacts {
    fileprivate var waitingState: Int? {
        guard let waiting, waiting > 0 else { return nil }
        return WaitHistory.hash(owner, suspendCount, isInBarrier, items.first?.address)
    }
}

extension TaskFacts {
    fileprivate var waitingState: Int { WaitHistory.hash(id, waitsFor, frames, mark) }
}
#endif
