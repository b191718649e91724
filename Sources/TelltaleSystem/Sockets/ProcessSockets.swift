#if TELLTALE_AGENT
import CTelltaleSystem

/// The sockets of this process that may bring something.
package struct ProcessSockets: Sendable {
    package let listening: Int
    /// The number of streams on which an answer to the last sent data may come; and of sockets that
    /// aren't streams.
    package let expecting: Int

    /// The sockets without the agent's own at `path`; `nil` if descriptors can't be listed.
    package init?(without path: String) {
        var counts = CTelltaleSockets()
        let areListed = DescriptorReserve.shared.givingUp(2) {
            ctelltale_sockets(path, &counts)
        }
        guard areListed else { return nil }
        listening = Int(counts.listening)
        expecting = Int(counts.expecting)
    }
}
#endif
