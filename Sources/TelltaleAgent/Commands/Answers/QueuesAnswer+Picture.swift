#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension QueuesAnswer {
    /// The maximum number of listed queues; the others are counted. Queues that are not idle are listed up
    /// to twice that number.
    private static let mostShown = 5000

    /// Lists the queues of a picture: first those that were probed, then the others. With `all`, system
    /// queues are included.
    init(_ picture: Picture, asked: [QueueAsking.Outcome], all: Bool) {
        let facts = Dictionary(picture.queues.map { ($0.address, $0) }) { first, _ in first }
        var entries = asked.map { outcome in
            var entry = Entry(outcome)
            if let facts = outcome.address.flatMap({ facts[$0] }) {
                entry.complete(facts, in: picture)
            }
            return entry
        }
        let seen = Set(asked.compactMap(\.address))
        var hidden = 0
        var omitted = 0
        var main: Entry?
        for queue in picture.queues where !seen.contains(queue.address) {
            if queue.isSystem, !all {
                hidden += 1
            } else if queue.kind == .main {
                main = Entry(queue, in: picture)
            } else if entries.count >= Self.mostShown, queue.isAtRest {
                omitted += 1
            } else if entries.count >= Self.mostShown * 2 {
                omitted += 1
            } else {
                entries.append(Entry(queue, in: picture))
            }
        }
        if let main { entries.insert(main, at: 0) }
        var notes = picture.notes(on: [.queues, .eventLoops])
        if omitted > 0 { notes.append("\(omitted) more queues are not listed") }
        self.init(
            queues: entries, hidden: hidden > 0 ? hidden : nil,
            notes: notes.isEmpty ? nil : notes)
        let loops = picture.eventLoops.prefix(Self.mostShown).map { EventLoop($0) }
        if !loops.isEmpty { eventLoops = loops }
    }
}

extension QueuesAnswer.EventLoop {
    fileprivate init(_ facts: EventLoopFacts) {
        let threads = facts.waiting.isEmpty ? facts.threads : facts.waiting
        let state =
            !facts.waiting.isEmpty
            ? "waiting" : threads.isEmpty ? "not attended" : "in a handler"
        self.init(label: facts.label, kind: facts.kind.rawValue, state: state)
        make = facts.make == .other ? nil : facts.make.rawValue
        descriptor = facts.descriptor
        self.threads = threads
        members = facts.members
        channels = facts.channels
        ready = facts.isReady ? facts.readyCount : 0
        tasks = facts.tasks?.waiting
        scheduled = facts.tasks?.scheduled
        // A running loop is in a handler for a moment in many pictures.
        if threads.isEmpty || !facts.waiting.isEmpty { return }
        awaySeconds = facts.away.flatMap { $0 > .milliseconds(10) ? $0.seconds : nil }
    }
}

extension QueuesAnswer.Entry {
    fileprivate init(_ outcome: QueueAsking.Outcome) {
        self.init(label: outcome.label, kind: outcome.kind, qos: outcome.qos)
        latencyMicroseconds = outcome.latency?.microseconds
        finding = outcome.finding
        objects = outcome.objects
        address = outcome.address.map { Quantity.address($0) }
        isObserved = true
    }

    /// Creates the entry of a queue that was not probed.
    fileprivate init(_ facts: QueueFacts, in picture: Picture) {
        let isPool = facts.label == SwiftPool.label && facts.kind == .concurrent
        self.init(
            label: facts.label, kind: isPool ? "pool" : facts.kind.rawValue, qos: facts.qos)
        complete(facts, in: picture)
    }

    fileprivate mutating func complete(_ facts: QueueFacts, in picture: Picture) {
        address = Quantity.address(facts.address)
        target = facts.target.flatMap { picture.labels[$0] }
        waiting = facts.waiting
        isMoving = facts.waiting == nil && picture.hasQueueItems ? true : nil
        isCut = facts.isCut ? true : nil
        // An item that was first seen in this picture has no known waiting time.
        let oldest = facts.oldestWait ?? .zero
        oldestSeconds = oldest > .milliseconds(10) ? oldest.seconds : nil
        // A global queue has no meaningful state of its own.
        guard picture.hasQueueStates, facts.kind != .global else { return }
        state = facts.stateWord
        if facts.suspendCount > 0 { suspendCount = facts.suspendCount }
        guard !facts.isBoundToThread else { return }
        if facts.kind != .main {
            width = facts.width
            widthInUse = facts.widthInUse
        }
        thread = facts.owner
        isAgent = facts.owner.flatMap { NativeThread.isAgents($0) ? true : nil }
    }
}

extension QueueFacts {
    /// True for queues of Dispatch itself, or of the agent.
    fileprivate var isSystem: Bool {
        kind == .global || label.hasPrefix("com.apple.libdispatch")
            || label.hasPrefix("com.apple.root.") || label.hasPrefix("telltale.")
    }

    fileprivate var isAtRest: Bool {
        waiting == 0 && suspendCount == 0 && owner == nil && widthInUse == 0
    }

    fileprivate var stateWord: String {
        if isInactive { return "inactive" }
        if suspendCount > 0 { return "suspended" }
        if !isBoundToThread {
            if isInBarrier { return kind == .concurrent ? "barrier" : "running" }
            if owner != nil || widthInUse > 0 { return "running" }
        }
        return isEnqueued || (waiting ?? 0) > 0 ? "enqueued" : "idle"
    }
}

extension QueueAnswer {
    /// The maximum number of threads waiting in `sync` that are shown with their location.
    static let mostWaiters = 16

    /// Describes one queue of a picture that has the stacks of its threads: its waiting items and the
    /// thread that holds it, and the result of the probe if the host has registered it.
    init(
        _ queue: QueueFacts, in picture: Picture, asked: QueueAsking.Outcome?, items: Int
    ) {
        var entry = QueuesAnswer.Entry(queue, in: picture)
        if let asked {
            entry.objects = asked.objects
            entry.qos = asked.qos
            entry.latencyMicroseconds = asked.latency?.microseconds
            entry.finding = asked.finding
            entry.isObserved = true
        }
        let threads = Dictionary(picture.threads.map { ($0.id, $0) }) { first, _ in first }
        let shown = queue.items.prefix(items)
        var notes = picture.notes(on: [.queues, .threads])
        if let owner = entry.thread, threads[owner] == nil {
            notes.append("thread \(owner) is not there any more")
        }
        let omitted = (queue.waiting ?? 0) - shown.count
        self.init(
            queue: entry,
            items: shown.enumerated().map { Item($1, at: $0, in: picture, threads) },
            omitted: omitted > 0 ? omitted : nil,
            holder: entry.thread.flatMap { threads[$0] }.flatMap { thread in
                var group = StackAnswer.Group([thread], in: picture)
                // For a thread that drains a queue, the Dispatch variable may not name that queue yet.
                group?.threads[0].queue = queue.label
                return group
            }, notes: notes)
    }
}

extension QueueAnswer.Item {
    fileprivate init(
        _ item: PendingItem, at index: Int, in picture: Picture, _ threads: [Int32: ThreadFacts]
    ) {
        // The closure that a thread will run in `sync` stays on its stack; the function that called `sync`
        // gives the location.
        let frame =
            item.function.flatMap { picture.names[$0]?.first }
            ?? item.waiter.flatMap { threads[$0] }.flatMap { thread in
                thread.stack.hostFrame
            }
        self.init()
        self.index = index
        kind = Self.rendered(item.kind)
        function = frame?.title
        file = frame?.sourceFile
        line = frame?.line
        address = Quantity.address(item.address)
        isBarrier = item.isBarrier
        isCancelled = item.isCancelled
        isInGroup = item.isInGroup
        waiter = item.waiter
        let isAgents =
            item.waiter.map { NativeThread.isAgents($0) }
            ?? item.function.flatMap { picture.names[$0] }?.contains { $0.origin == .agent }
        isAgent = isAgents == true ? true : nil
        object = item.object.map { object in
            let label = item.kind == .queue ? picture.labels[object] : nil
            return label ?? Quantity.address(object)
        }
    }

    private static func rendered(_ kind: PendingItem.Kind) -> String {
        switch kind {
        case .block: "block"
        case .function: "function"
        case .workItem: "work item"
        case .syncWaiter: "sync"
        case .task: "task"
        case .source: "source"
        case .queue: "queue"
        case .other: "other"
        }
    }
}
#endif
