#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension QueueCommand: AgentCommand {
    private static let items = 32

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let agent = context.agent
        let limit = min(max(parameters.limit ?? items, 0), 10_000)
        let find: @Sendable ([QueueFacts]) -> QueueFacts? = { [name = parameters.name] queues in
            try? QueueSearch.find(name, among: queues)
        }
        var capture = context.capturing([.queues, .threads, .stacks])
        capture.focus = DispatchCapture.Focus(items: limit, find: find)
        // Captures the thread that holds the queue, and those that wait in `sync` for it; no other thread
        // is touched.
        capture.threads = { picture in
            let queue = find(picture.queues)
            let waiters = queue?.items.compactMap(\.waiter).prefix(QueueAnswer.mostWaiters)
            return .only([queue?.owner].compactMap { $0 } + (waiters ?? []))
        }
        let picture = capture.take()
        guard !picture.queues.isEmpty else {
            throw CommandFailure(
                .unsupported,
                picture.notes(on: .queues).first ?? "not available: no queue can be read")
        }
        let queue = try QueueSearch.find(parameters.name, among: picture.queues)
        let asked = QueueAsking(agent: agent).finish(until: .now, picture).first {
            $0.address == queue.address
        }
        return QueueAnswer(queue, in: picture, asked: asked, items: limit)
    }
}
#endif
