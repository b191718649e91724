#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

enum QueueSearch {
    /// Finds the queue named `name`: its address, its label, or a suffix of the label.
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
        // Secrets in labels are masked here, so a client that knows the original label may type it.
        let name = HostLabel.shown(name)
        var found = queues.filter { $0.label == name }
        if found.isEmpty {
            found = queues.filter { $0.label.endsWithPart(name) }
        }
        if found.isEmpty, name == "main" { found = queues.filter { $0.kind == .main } }
        if found.isEmpty, !name.isEmpty {
            found = queues.filter { $0.label.hasSuffix(name) }
        }
        if found.count > 1 {
            let listed = found.map {
                "\(Quantity.address($0.address)) \($0.label.escaped(limit: 60))"
            }.listed(8)
            throw CommandFailure(
                .conflict,
                "\(found.count) queues are called `\(name.escaped(limit: 60))`: "
                    + listed,
                hint: "give the address of the one that you mean")
        }
        guard let queue = found.first else {
            throw unknown(name, among: queues.map(\.label))
        }
        return queue
    }

    /// Builds the failure for an unknown name. Suggestions also match the last part of a label: `photos`
    /// for `com.telltale.photos`.
    private static func unknown(_ name: String, among labels: [String]) -> CommandFailure {
        var near = NearestNames.of(name, among: labels)
        if near.isEmpty {
            let ends = labels.map { label in
                (end: String(label.split(separator: ".").last ?? ""), label: label)
            }
            let words = Set(NearestNames.of(name, among: Set(ends.map(\.end)).sorted()))
            near = Array(ends.filter { words.contains($0.end) }.map(\.label).prefix(3))
        }
        let names = near.map { $0.escaped(limit: 60) }.joined(separator: ", ")
        return CommandFailure(
            .notFound, "there is no queue `\(name.escaped(limit: 60))`",
            hint: (near.isEmpty ? "" : "did you mean \(names)? ") + "`queues --all` lists them")
    }
}
#endif
