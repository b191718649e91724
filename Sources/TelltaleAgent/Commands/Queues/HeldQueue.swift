#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

/// Finds a queue that may be suspended because the agent retains it.
enum HeldQueue {
    static func find(
        _ name: String, in context: CommandContext
    ) throws(CommandFailure) -> DispatchQueue {
        let agent = context.agent
        let all = agent.shared.observedQueues.map(\.queue) + agent.holds.queues
        var seen: Set<QueueIdentity> = []
        let known = all.filter { seen.insert(QueueIdentity(of: $0)).inserted }
        let layout = DispatchLayout.known(by: context.deadline)
        let reader = DispatchReader(layout: layout, deadline: context.deadline)
        let facts = known.compactMap { QueueKind.inner($0) }.compactMap { reader.queue(at: $0) }
        let found: QueueFacts
        do throws(CommandFailure) {
            found = try QueueSearch.find(name, among: facts)
        } catch  where error.code == .notFound {
            // The name may belong to a queue that isn't retained, which gets an error of its own.
            let other = try QueueSearch.find(name, among: context.capture(.queues).queues)
            guard other.kind != .main, other.kind != .global else { throw refusal(other) }
            throw CommandFailure(
                .unsupported,
                "\(other.label.escaped) is not registered: it may be freed at any time, so "
                    + "it is not held",
                hint: "have the service call Telltale.observe(queue)")
        }
        guard found.kind != .main, found.kind != .global else { throw refusal(found) }
        guard let queue = known.first(where: { QueueKind.inner($0) == found.address }) else {
            throw CommandFailure(.notFound, "there is no queue `\(name.escaped)`")
        }
        return queue
    }

    /// Returns the names that an access rule may use for a queue, independent of its spelling in the
    /// command.
    static func names(_ name: String, in context: CommandContext) -> [String] {
        guard context.agent.access.hasPatterns, let queue = try? find(name, in: context) else {
            return [name]
        }
        return [name, queue.label]
    }

    /// Records an action on a queue as a change, and returns the answer.
    static func answer(
        _ action: String, _ queue: DispatchQueue, result: String, note: String? = nil,
        in context: CommandContext
    ) -> ControlAnswer {
        let record = context.agent.changes.addHold(
            of: queue.shownLabel, result: result, by: context.author)
        return ControlAnswer(
            action: action, target: queue.shownLabel, result: result, note: note,
            change: record.number)
    }

    private static func refusal(_ facts: QueueFacts) -> CommandFailure {
        CommandFailure(
            .unsupported,
            facts.kind == .main
                ? "the main queue is not suspended: all of the service hangs on it"
                : "a global queue can't be suspended: Dispatch ignores it",
            hint: "`queues` lists the others")
    }
}
#endif
