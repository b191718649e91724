#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension ObjectsCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let objects = context.agent.shared.objects
        let entries = objects.all.filter(\.isListed)
        let forgotten = objects.forgotten
        return ObjectsAnswer(
            objects: entries.map(Self.row), forgotten: forgotten > 0 ? forgotten : nil)
    }

    private static func row(_ entry: RegistryEntry) -> ObjectsAnswer.Entry {
        var state = entry.isGone ? "gone" : "value"
        var address: String?
        if let reference = entry.reference {
            address = reference.address.map { Quantity.address($0) }
            state = address == nil ? "gone" : "alive"
        }
        return ObjectsAnswer.Entry(
            name: entry.name, type: entry.typeName, owner: entry.ownerDescription,
            state: state, address: address)
    }
}
#endif
