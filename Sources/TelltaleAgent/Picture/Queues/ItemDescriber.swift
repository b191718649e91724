#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Gives names to what was found on queues.
struct ItemDescriber {
    let agent: Agent
    let listing: QueueListing
    let deadline: MonotonicTime

    /// The names of functions.
    func names(of functions: [UInt]) -> [UInt: ResolvedFrame] {
        let all = Array(Set(functions))
        let frames = agent.symbols.bodies(of: all, deadline: deadline)
        return Dictionary(zip(all, frames), uniquingKeysWith: { first, _ in first })
    }

    /// The items as they are shown.
    func items(_ items: [PendingItem]) -> [QueueAnswer.Item] {
        let names = names(of: items.compactMap(\.function))
        let waiters = callers(of: items.compactMap(\.waiter))
        return items.enumerated().map { index, item in
            let frame =
                item.function.flatMap { names[$0] } ?? item.waiter.flatMap { waiters[$0] }
            return QueueAnswer.Item(
                index: index, kind: Self.spelled(item.kind), function: frame.flatMap(Self.name),
                file: frame?.file, line: frame?.line, address: QueueListing.hex(item.address),
                isBarrier: item.isBarrier, isCancelled: item.isCancelled,
                isInGroup: item.isInGroup, waiter: item.waiter, object: object(of: item))
        }
    }

    /// How many of the threads that wait in `sync` are looked at.
    private static let waiters = 16

    // What a thread will run in `sync` stays on its stack; the function that called says where it is.
    private func callers(of threads: [Int32]) -> [Int32: ResolvedFrame] {
        guard !threads.isEmpty else { return [:] }
        let look = agent.shared.threads.look(
            at: .only(Array(threads.prefix(Self.waiters))), until: deadline)
        var callers: [Int32: ResolvedFrame] = [:]
        for sample in look.samples {
            let frames = agent.symbols.resolve(sample.frames, deadline: deadline).joined()
            callers[sample.id] = frames.first { $0.origin == .program && $0.function != nil }
        }
        return callers
    }

    private func object(of item: PendingItem) -> String? {
        guard let object = item.object else { return nil }
        switch item.kind {
        case .queue: return listing.label(of: object) ?? QueueListing.hex(object)
        default: return QueueListing.hex(object)
        }
    }

    static func name(_ frame: ResolvedFrame) -> String? {
        frame.shortFunction ?? frame.function
            ?? frame.module.map { "\($0)+0x" + String(frame.moduleOffset, radix: 16) }
    }

    private static func spelled(_ kind: PendingItem.Kind) -> String {
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

    /// A thread with its stack.
    func stack(of thread: Int32, queue: String, notes: inout [String]) -> StackAnswer.Group? {
        let look = agent.shared.threads.look(at: .only([thread]), until: deadline)
        notes += look.cuts
        guard let sample = look.samples.first else {
            notes.append("thread \(thread) is not there any more")
            return nil
        }
        let resolved = agent.symbols.resolve(sample.frames, deadline: deadline)
        let frames = resolved.flatMap { $0.map { StackFrame($0) } }
        var state = "unknown"
        var call: String?
        var note: String?
        switch sample.state {
        case .running: state = "running"
        case .waiting(let system):
            state = "waiting"
            call = system.name
        case .stopped: state = "stopped"
        case .unknown(let reason): note = reason
        }
        let entry = ThreadEntry(
            id: sample.id, name: sample.name, state: state, call: call, queue: queue,
            cpuSeconds: sample.processorTime.seconds, isMain: sample.isMain,
            isAgent: sample.isAgent, note: note)
        return StackAnswer.Group(threads: [entry], frames: frames, gap: sample.gap)
    }
}
#endif
