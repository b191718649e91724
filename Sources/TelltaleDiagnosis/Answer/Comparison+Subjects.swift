#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// The names of parties: queues by their labels, threads by their work.
extension Comparison {
    /// A node as a finding names it: a thread by its work.
    func subject(_ node: WaitForGraph.Node) -> StuckAnswer.Subject {
        switch node {
        case .thread(let id):
            threads[id].flatMap { work(of: $0) }
                ?? .init(.thread, threads[id]?.isMain == true ? "main" : title(ofThread: id))
        case .queue(let address): subject(queue: address)
        case .pool(let address): .init(.pool, subject(queue: address).name)
        case .lock(let address): .init(.lock, "\(lockKind(address)) \(Quantity.address(address))")
        case .semaphore(let address): .init(.semaphore, "semaphore \(Quantity.address(address))")
        case .group(let address): .init(.group, "group \(Quantity.address(address))")
        case .condition(let address): .init(.condition, "condition \(Quantity.address(address))")
        // As `tasks` lists it.
        case .task(let address):
            .init(
                .task,
                tasks[address].map { task in
                    "task #\(task.id)" + (task.name.map { " " + short($0, 60) } ?? "")
                } ?? "task \(Quantity.address(address))")
        case .actor(let address):
            .init(
                .actor,
                "actor " + (actors[address].map { short($0.typeName) } ?? Quantity.address(address))
            )
        case .operation(let address):
            .init(
                .operation,
                operations[address].map { "operation " + short($0.name, 80) } ?? "an operation")
        }
    }

    /// `thread 12`, and whether it is one of the agent's own.
    func title(ofThread id: Int32) -> String {
        "thread \(id)" + AgentMark.of(threads[id]?.isAgent)
    }

    /// The name that the service has given a thread: others have the process's, or their root queue's.
    func ownName(of thread: ThreadFacts) -> String? {
        guard let main = later.threads.first(where: \.isMain), thread.id != main.id,
            !thread.name.isEmpty, thread.name != main.name,
            !later.queues.contains(where: { $0.kind == .global && $0.label.hasSuffix(thread.name) })
        else { return nil }
        return thread.name
    }

    private func lockKind(_ address: UInt) -> String {
        for thread in later.threads {
            if case .lock(address, _, let kind) = thread.wait {
                return (kind == .readLocked ? .readerWriter : kind).rawValue
            }
        }
        return "lock"
    }

    /// A queue as `queue NAME` takes it; a pool where it only lends threads.
    func subject(queue address: UInt) -> StuckAnswer.Subject {
        guard let queue = queues[address] else {
            return .init(.queue, "queue \(Quantity.address(address))")
        }
        let isPool = queue.kind == .global || address == later.swiftPool
        let name =
            queue.kind == .main
            ? "main"
            : queue.label.isEmpty ? "queue \(Quantity.address(address))" : short(queue.label)
        return .init(isPool ? .pool : .queue, name)
    }

    /// Returns the work of a thread, without the pool that lent it: its innermost queue, its task.
    func work(of thread: ThreadFacts) -> StuckAnswer.Subject? {
        let queues = thread.held.lazy.filter { self.queues[$0] != nil }
            .map { self.subject(queue: $0) }
        return queues.first { $0.kind == .queue } ?? thread.task.map { subject(.task($0)) }
    }
}

private func short(_ text: String, _ limit: Int = 400) -> String {
    String(text.unicodeScalars.prefix(limit))
}

extension ThreadFacts {
    /// The innermost function of the host's own that it is in.
    var hostFrame: ResolvedFrame? { stack.hostFrame }
}

extension [ResolvedFrame] {
    /// The part of a stack that a finding shows: without the frames of the pool that runs the
    /// host's outermost one, and without frames made by the compiler.
    var hostsPart: [StackFrame] {
        let last = lastIndex(where: \.isHosts)
        return prefix(last.map { $0 + 1 } ?? count).filter {
            $0.origin != .thunk && !$0.isMadeByCompiler
        }.prefix(64).map { StackFrame($0) }
    }
}

extension ResolvedFrame {
    // The second half of a closure that the compiler has cut in two, which the first one names.
    fileprivate var isMadeByCompiler: Bool {
        (line ?? 0) == 0 && file != nil && sourceFile == nil
    }
}
#endif
