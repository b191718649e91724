#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

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
#endif
