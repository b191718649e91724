#if TELLTALE_AGENT
import TelltaleProtocol

/// Names what stands in a finding: queues by their labels, threads by what they work for, functions
/// by the innermost one of the host's own.
struct StuckWords: Sendable {
    let state: StuckState

    // MARK: Names

    /// A queue as `queue NAME` takes it.
    func queue(_ address: UInt) -> String {
        guard let queue = state.queues[address] else { return "queue \(Self.hex(address))" }
        if queue.kind == .main { return "main" }
        return queue.label.isEmpty ? "queue \(Self.hex(address))" : Text.oneLine(queue.label)
    }

    /// A task as `tasks` lists it.
    func task(_ address: UInt) -> String {
        guard let task = state.tasks[address] else { return "task \(Self.hex(address))" }
        let name = task.name.map { " \(Text.oneLine($0, limit: 60))" } ?? ""
        return "task #\(task.id)\(name)"
    }

    func operation(_ address: UInt) -> String {
        guard let operation = state.operations[address] else { return "an operation" }
        return "operation \(Text.oneLine(operation.name, limit: 80))"
    }

    func actor(_ address: UInt) -> String {
        state.actors[address].map { "actor \(Text.oneLine($0.typeName))" }
            ?? "actor \(Self.hex(address))"
    }

    /// What a thread works for: its queue, its task, or itself.
    func place(ofThread id: Int32) -> String {
        guard let thread = state.threads[id] else { return "thread \(id)" }
        if let queue = workQueue(thread) { return self.queue(queue) }
        if let task = thread.task { return self.task(task) }
        return thread.isMain ? "main" : "thread \(id)"
    }

    /// The innermost queue that isn't only the pool which lent the thread.
    func workQueue(_ thread: ThreadFacts) -> UInt? {
        let own = thread.held.filter { state.queues[$0].map { $0.kind != .global } ?? false }
        return own.first { $0 != state.swiftPool?.address }
    }

    /// A node as a title names it.
    func title(_ node: WaitNode) -> String {
        switch node {
        case .thread(let id): place(ofThread: id)
        case .queue(let address), .pool(let address): queue(address)
        case .lock(let address): lock(address)
        case .semaphore(let address): "semaphore \(Self.hex(address))"
        case .group(let address): "group \(Self.hex(address))"
        case .condition(let address): "condition \(Self.hex(address))"
        case .task(let address): task(address)
        case .actor(let address): actor(address)
        case .operation(let address): operation(address)
        }
    }

    private func lock(_ address: UInt) -> String {
        for thread in state.after.threads {
            if case .lock(address, _, let kind) = thread.wait {
                return "\(kind.rawValue) \(Self.hex(address))"
            }
        }
        return "lock \(Self.hex(address))"
    }

    static func hex(_ address: UInt) -> String { "0x" + String(address, radix: 16) }

    // MARK: What is waited for

    /// What a thread waits for, in words.
    func relation(of thread: ThreadFacts) -> String {
        if state.operationWaiters.contains(thread.id) {
            return "waits for operations to finish"
        }
        switch thread.wait {
        case .running: return "runs"
        case .idle: return "waits for work"
        case .event(let call): return "waits for input or output in \(call)"
        case .time: return "waits for a time"
        case .queue(let address):
            let isBarrier =
                state.queues[address]?.items.first { $0.waiter == thread.id }?.isBarrier
                ?? false
            let verb = isBarrier && isConcurrent(address) ? "barrier sync" : "sync"
            return "\(verb) to \(queue(address))"
        case .lock(let address, let owner, let kind):
            return "waits for \(kind.rawValue) \(Self.hex(address))"
                + (owner.map { ", held by \(holder($0))" } ?? ", whose holder isn't known")
        case .semaphore(let address):
            let facts = state.semaphores[address]
            let made = facts.map { " (made with \($0.original), now \($0.value))" } ?? ""
            return "waits for semaphore \(Self.hex(address))\(made)"
        case .group(let address):
            let count = state.groups[address].map {
                ": \($0.outstanding) enter() without leave()"
            }
            return "waits for group \(Self.hex(address))\(count ?? "")"
        case .condition(let address): return "waits for condition \(Self.hex(address))"
        case .thread(let other): return "waits for the end of thread \(other)"
        case .unknown(let call): return "is in \(call)"
        }
    }

    private func isConcurrent(_ address: UInt) -> Bool {
        state.queues[address]?.kind == .concurrent
    }

    private func holder(_ id: Int32) -> String {
        guard let thread = state.threads[id] else { return "thread \(id), which has ended" }
        return thread.isMain ? "the main thread" : "thread \(id)"
    }

    // MARK: Frames

    /// The innermost function of the host's own: the first with a line, else the first with a name.
    static func hostFrame(_ frames: [ResolvedFrame]) -> ResolvedFrame? {
        let own = frames.filter { $0.origin == .program && $0.function != nil }
        return own.first { ($0.line ?? 0) > 0 } ?? own.first
            // A forwarder says at least for what.
            ?? frames.first { $0.origin == .thunk && $0.function != nil && frames.count == 1 }
    }

    static func frames(_ frames: [ResolvedFrame]) -> [StackFrame] {
        // The frames below the host's outermost one are those of the pool that runs it.
        let last = frames.lastIndex { $0.origin == .program }
        let shown = frames.prefix(last.map { $0 + 1 } ?? frames.count).filter {
            $0.origin != .thunk && !isMadeByCompiler($0)
        }
        return shown.prefix(64).map { frame in
            StackFrame(
                function: frame.shortFunction ?? frame.function, module: frame.module,
                file: frame.file,
                line: frame.line, address: hex(frame.address), isInlined: frame.isInlined,
                isAsync: frame.kind == .asyncResume)
        }
    }

    // The second half of a closure that the compiler has cut in two, which the first one names.
    private static func isMadeByCompiler(_ frame: ResolvedFrame) -> Bool {
        frame.file?.holds("<compiler-generated>") == true && (frame.line ?? 0) == 0
    }

    // MARK: Parties

    func party(thread id: Int32) -> StuckAnswer.Party {
        guard let thread = state.threads[id] else {
            return StuckAnswer.Party(
                kind: "thread", name: "thread \(id)", relation: "has ended", thread: id)
        }
        let host = Self.hostFrame(thread.stack)
        let work =
            workQueue(thread).map { queue($0) } ?? thread.task.map { task($0) }
            ?? thread.held.first.map { queue($0) }
        return StuckAnswer.Party(
            kind: "thread",
            name: thread.isMain ? "thread \(id) (main)" : "thread \(id)", on: work,
            relation: relation(of: thread),
            function: host.flatMap { $0.shortFunction ?? $0.function }, file: host?.file,
            line: host?.line, thread: id, frames: Self.frames(thread.stack),
            gap: thread.gap)
    }

    func party(queue address: UInt) -> StuckAnswer.Party {
        let name = queue(address)
        guard let queue = state.queues[address] else {
            return StuckAnswer.Party(kind: "queue", name: name)
        }
        let items = state.hostItems(queue)
        var words = "\(items) \(items == 1 ? "item waits" : "items wait")"
        if queue.isInactive {
            words = "inactive, \(words)"
        } else if queue.suspendCount > 0 {
            words =
                "suspended"
                + (queue.suspendCount > 1 ? " \(queue.suspendCount) times" : "") + ", \(words)"
        } else if queue.hasPendingBarrier || queue.items.first?.isBarrier == true,
            queue.kind == .concurrent
        {
            words = "a barrier waits for those in it, \(words)"
        }
        let head = queue.items.first { !state.isAgents($0) }
        var frame = head?.function.flatMap { Self.hostFrame(state.after.names[$0] ?? []) }
        if frame == nil, let waiter = head?.waiter, let thread = state.threads[waiter] {
            frame = Self.hostFrame(thread.stack)
        }
        return StuckAnswer.Party(
            kind: "queue", name: name, relation: words,
            function: frame.flatMap { $0.shortFunction ?? $0.function },
            file: frame?.file, line: frame?.line, thread: queue.owner)
    }

    func party(task address: UInt) -> StuckAnswer.Party {
        guard let task = state.tasks[address] else {
            return StuckAnswer.Party(kind: "task", name: self.task(address))
        }
        let frames = task.frames.flatMap { state.after.names[$0.address] ?? [] }
        let host = Self.hostFrame(frames)
        let actor = state.actor(ofFunctions: frames.compactMap(\.function))
        var words: String
        switch task.waitsFor {
        case .task(let other): words = "awaits \(self.task(other))"
        case .group: words = "awaits its \(task.children.count) child tasks"
        case .continuation: words = "waits for a continuation to be resumed"
        case .executor(let executor): words = "waits for its turn on \(self.actor(executor))"
        case .timer: words = "sleeps"
        case nil: words = task.state == .running ? "runs" : "is suspended"
        }
        if task.isCancelled { words = "cancelled, \(words)" }
        return StuckAnswer.Party(
            kind: "task", name: self.task(address), on: actor.map { self.actor($0) },
            relation: words, function: host.flatMap { $0.shortFunction ?? $0.function },
            file: host?.file, line: host?.line,
            frames: Self.frames(frames))
    }

    func party(actor address: UInt) -> StuckAnswer.Party {
        let jobs = state.actors[address]?.jobs.count ?? 0
        return StuckAnswer.Party(
            kind: "actor", name: actor(address),
            relation: "\(jobs) \(jobs == 1 ? "task waits" : "tasks wait") for it")
    }

    func party(operation address: UInt) -> StuckAnswer.Party {
        let name = self.operation(address)
        guard let operation = state.operations[address] else {
            return StuckAnswer.Party(kind: "operation", name: name)
        }
        var words = operation.state.rawValue
        if operation.isCancelled { words = "cancelled, " + words }
        let unfinished = operation.dependencies.filter {
            state.operations[$0].map { $0.state != .finished } ?? false
        }
        if !unfinished.isEmpty {
            words =
                "waits for " + unfinished.prefix(3).map(self.operation).joined(separator: ", ")
        } else if operation.queue == nil, operation.state != .executing {
            words += ", in no queue: nothing will start it"
        } else if operation.isQueueSuspended {
            words += ", its queue is suspended"
        }
        return StuckAnswer.Party(
            kind: "operation", name: name, on: operation.queue, relation: words)
    }
}
#endif
