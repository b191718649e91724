#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

enum QueueSearch {
    /// The queue called `name`: its address, its label, or the end of that.
    ///
    /// - Throws: `.notFound`, or `.conflict` with the addresses.
    static func find(
        _ name: String, among queues: [QueueFacts]
    ) throws(CommandFailure) -> QueueFacts {
        if name.hasPrefix("0x"), let address = UInt(name.dropFirst(2), radix: 16),
            let queue = queues.first(where: { $0.address == address })
        {
            return queue
        }
        // Labels have no secrets any more; who knows one may type it.
        let name = HostLabel.shown(name)
        var found = queues.filter { $0.label == name }
        if found.isEmpty {
            found = queues.filter { $0.label.hasSuffix("." + name) }
        }
        if found.isEmpty, name == "main" { found = queues.filter { $0.kind == .main } }
        if found.isEmpty, !name.isEmpty {
            found = queues.filter { $0.label.hasSuffix(name) }
        }
        if found.count > 1 {
            let listed = found.prefix(8).map {
                "\(Quantity.address($0.address)) \($0.label.escaped(limit: 60))"
            }
            throw CommandFailure(
                .conflict,
                "\(found.count) queues are called `\(name.escaped(limit: 60))`: "
                    + listed.joined(separator: ", "),
                hint: "give the address of the one that you mean")
        }
        guard let queue = found.first else {
            throw CommandFailure(
                .notFound, "there is no queue `\(name.escaped(limit: 60))`",
                hint: "`queues --all` lists them")
        }
        return queue
    }
}
#endif
