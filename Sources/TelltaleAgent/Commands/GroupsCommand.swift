#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

extension GroupsCommand: AgentCommand {
    static func run(
        _ parameters: AllParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        var capture = context.capturing([.groups, .threads])
        capture.threads = { $0.groups.contains(where: \.hasWaiters) ? .all : .only([]) }
        let picture = capture.take()
        let all = picture.groups
        let isIdle = { (group: GroupFacts) in
            group.outstanding == 0 && !group.hasWaiters && !group.hasNotify
        }
        let shown = parameters.all == true ? all : all.filter { !isIdle($0) }
        let waiters = ObjectWaiters(picture)
        let entries = shown.sorted { $0.outstanding > $1.outstanding }.map { group in
            let threads = waiters.threads(inGroup: group.address)
            var entry = GroupsAnswer.Entry(
                address: Quantity.address(group.address), outstanding: group.outstanding)
            entry.waiters = threads
            entry.agentThreads = waiters.agents(among: threads)
            entry.hasWaiters = group.hasWaiters
            entry.hasNotify = group.hasNotify
            return entry
        }
        let hidden = all.count - shown.count
        return GroupsAnswer(
            groups: entries, hidden: hidden > 0 ? hidden : nil,
            notes: picture.notes(on: picture.parts))
    }
}
#endif
