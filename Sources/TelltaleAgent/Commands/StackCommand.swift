#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension StackCommand: AgentCommand {
    /// The maximum number of ids in one command.
    private static let mostThreads = 1024

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var ids = parameters.threads ?? []
        if parameters.main == true { ids.append(ProcessIdentity.pid) }
        guard ids.count <= mostThreads else {
            throw CommandFailure(
                .usage, "\(ids.count) threads are asked for; at most \(mostThreads) can be",
                hint: "`stack` shows all of them")
        }
        let isAll = ids.isEmpty || parameters.all == true
        var capture = context.capturing([.threads, .stacks])
        if !isAll { capture.threads = { [ids] _ in .only(ids) } }
        let picture = capture.take()
        if let reason = picture.absence(of: .threads) {
            throw CommandFailure(.unsupported, reason)
        }
        let seen = Set(picture.threads.map(\.id))
        if let missing = ids.first(where: { !seen.contains($0) }) {
            throw CommandFailure(
                .notFound, "there is no thread \(missing)", hint: "`threads` lists them")
        }
        // A thread that is requested by its id is shown, even if it is the agent's.
        return StackAnswer(
            picture, full: parameters.full ?? false,
            all: !isAll || parameters.all ?? false)
    }
}
#endif
