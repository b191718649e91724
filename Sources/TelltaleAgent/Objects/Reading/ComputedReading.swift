#if TELLTALE_AGENT
import TelltaleProtocol

extension PathReading {
    /// The nodes of the computed properties registered for an object, each read on its owner and with a
    /// deadline.
    ///
    /// - Important: Runs host code, on workers.
    /// - Returns: No nodes for a path below the object, or for an object without registered properties.
    func computed(_ text: String, limits: ReadLimits) throws(CommandFailure) -> [ValueNode] {
        let target = try resolve(text)
        guard target.path.isEmpty else { return [] }
        var below = limits
        below.depth = max(0, limits.depth - 1)
        below.asked = []
        let reading = ObjectReading(agent: context.agent, isConfirmed: isConfirmed)
        return target.entry.properties(in: context.agent.shared.objects).map { entry in
            context.announce(entry.name)
            let result = reading.read(
                ObjectReading.Wanted(entry: entry, limits: below, time: OwnerTime(in: context)),
                snapshot: false)
            var node: ValueNode
            switch result {
            case .read(let content, _): node = content.node
            case .failed(let failure):
                node = ValueNode(
                    type: entry.typeName, kind: .unavailable, note: failure.message)
            }
            node.label = entry.propertyName
            node.note = node.note.map { "computed; \($0)" } ?? "computed"
            return node
        }
    }
}
#endif
