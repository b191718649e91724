#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

extension SemaphoresCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var capture = context.capturing([.semaphores, .threads])
        capture.threads = { $0.semaphores.contains { $0.value < 0 } ? .all : .only([]) }
        let picture = capture.take()
        let all = picture.semaphores
        let shown = parameters.all == true ? all : all.filter { $0.value < 0 }
        let waiters = ObjectWaiters(picture)
        let entries = shown.sorted { $0.value < $1.value }.map { semaphore in
            let threads = waiters.threads(inSemaphore: semaphore.address)
            var entry = SemaphoresAnswer.Entry(
                address: Quantity.address(semaphore.address), value: semaphore.value,
                original: semaphore.original)
            entry.waiters = threads
            entry.agentThreads = waiters.agents(among: threads)
            return entry
        }
        let hidden = all.count - shown.count
        return SemaphoresAnswer(
            semaphores: entries, hidden: hidden > 0 ? hidden : nil,
            notes: picture.notes(on: picture.parts))
    }
}
#endif
