#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

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
#endif
