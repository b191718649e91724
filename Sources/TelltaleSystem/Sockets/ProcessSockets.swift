#if TELLTALE_AGENT
import CTelltaleSystem

/// The sockets of this process that may bring something.
package struct ProcessSockets: Sendable {
    /// Whether one waits for connections.
    package let areListening: Bool
    /// Whether an answer may come to what was sent last; true for those that aren't streams.
    package let areExpecting: Bool

    /// Those that there are, without the agent's own; nil where descriptors can't be listed.
    ///
    /// - Parameter path: The agent's.
    package init?(without path: String) {
        var counts = CTelltaleSockets()
        let areListed = DescriptorReserve.shared.makingRoom(for: 2) {
            ctelltale_sockets(path, &counts)
        }
        guard areListed else { return nil }
        areListening = counts.listening > 0
        areExpecting = counts.expecting > 0
    }
}
#endif
