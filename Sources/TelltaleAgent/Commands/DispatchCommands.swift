#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Threads that wait inside of an object, by the address that the kernel has them wait at.
struct ObjectWaiters {
    private let waits: [(place: UInt, thread: Int32)]

    init(agent: Agent, deadline: MonotonicTime) {
        let look = agent.shared.threads.look(withFrames: false, until: deadline)
        waits = look.samples.compactMap { sample in
            guard case .waiting(let call) = sample.state, call.name == "futex",
                let place = call.arguments.first
            else { return nil }
            return (place, sample.id)
        }
    }

    /// The threads that wait in the `size` bytes of the object at `address`.
    func threads(in address: UInt, size: UInt) -> [Int32] {
        waits.filter { $0.place >= address && $0.place - address < size }.map(\.thread).sorted()
    }
}

/// `groups`: what was not left yet, and who waits.
enum GroupsCommand: AgentCommand {
    static let name = "groups"

    static func run(
        _ parameters: KindParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let table = QueueTable.look(for: .groups, deadline: context.deadline)
        let isIdle = { (group: GroupFacts) in
            group.outstanding == 0 && !group.hasWaiters && !group.hasNotify
        }
        let shown = parameters.all == true ? table.groups : table.groups.filter { !isIdle($0) }
        let waiters =
            shown.contains { $0.hasWaiters }
            ? ObjectWaiters(agent: context.agent, deadline: context.deadline) : nil
        let entries = shown.sorted { $0.outstanding > $1.outstanding }.map { group in
            GroupsAnswer.Entry(
                address: QueueListing.hex(group.address), outstanding: group.outstanding,
                waiters: waiters?.threads(in: group.address, size: 72) ?? [],
                hasWaiters: group.hasWaiters, hasNotify: group.hasNotify)
        }
        let hidden = table.groups.count - shown.count
        return .groups(
            GroupsAnswer(
                groups: entries, hidden: hidden > 0 ? hidden : nil, notes: table.notes))
    }
}

/// `semaphores`: value, and who waits.
enum SemaphoresCommand: AgentCommand {
    static let name = "semaphores"

    static func run(
        _ parameters: KindParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let table = QueueTable.look(for: .semaphores, deadline: context.deadline)
        let shown =
            parameters.all == true ? table.semaphores : table.semaphores.filter { $0.value < 0 }
        let waiters =
            shown.contains { $0.value < 0 }
            ? ObjectWaiters(agent: context.agent, deadline: context.deadline) : nil
        let entries = shown.sorted { $0.value < $1.value }.map { semaphore in
            SemaphoresAnswer.Entry(
                address: QueueListing.hex(semaphore.address), value: semaphore.value,
                original: semaphore.original,
                waiters: waiters?.threads(in: semaphore.address, size: 104) ?? [])
        }
        let hidden = table.semaphores.count - shown.count
        return .semaphores(
            SemaphoresAnswer(
                semaphores: entries, hidden: hidden > 0 ? hidden : nil, notes: table.notes))
    }
}

/// `timers`: dispatch timers and `asyncAfter`, the next to fire first.
enum TimersCommand: AgentCommand {
    static let name = "timers"

    static func run(
        _ parameters: KindParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let listing = QueueListing(
            survey: QueueSurvey(agent: context.agent), isSearching: true, items: 0,
            deadline: context.deadline)
        let table = QueueTable.look(for: .timers, deadline: context.deadline)
        let shown =
            parameters.all == true ? table.timers : table.timers.filter { !$0.isCancelled }
        let describer = ItemDescriber(
            agent: context.agent, listing: listing, deadline: context.deadline)
        let names = describer.names(of: shown.compactMap(\.handler))
        let sorted = shown.sorted {
            ($0.firesIn ?? .infinity, $0.address) < ($1.firesIn ?? .infinity, $1.address)
        }
        let entries = sorted.compactMap { timer -> TimersAnswer.Entry? in
            let frame = timer.handler.flatMap { names[$0] }
            // Dispatch watches its own threads by a timer; it is nobody's business but its own.
            if parameters.all != true, frame?.function?.hasPrefix("_dispatch_") == true {
                return nil
            }
            return TimersAnswer.Entry(
                address: QueueListing.hex(timer.address),
                kind: timer.isAfter ? "asyncAfter" : "timer",
                queue: listing.label(of: timer.queue), firesInSeconds: timer.firesIn,
                intervalSeconds: timer.interval, handler: frame.flatMap(ItemDescriber.name),
                file: frame?.file, line: frame?.line, isCancelled: timer.isCancelled,
                suspendCount: timer.suspendCount)
        }
        return .timers(TimersAnswer(timers: entries, notes: table.notes))
    }
}
#endif
