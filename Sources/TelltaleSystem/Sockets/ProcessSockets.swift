#if TELLTALE_AGENT
import CTelltaleSystem

/// The sockets of this process that may bring something.
package struct ProcessSockets: Sendable {
    package let listening: Int
    /// To how many an answer may come to what was sent last; and those that aren't streams.
    package let expecting: Int

    /// Those that there are, without the agent's own at `path`; nil where descriptors can't be listed.
    package init?(without path: String) {
        var counts = CTelltaleSockets()
        let areListed = DescriptorReserve.shared.makingRoom(for: 2) {
            ctelltale_sockets(path, &counts)
        }
        guard areListed else { return nil }
        listening = Int(counts.listening)
        expecting = Int(counts.expecting)
    }
}
#endif
