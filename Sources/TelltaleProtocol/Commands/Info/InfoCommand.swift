#if TELLTALE_COMPILED
/// `info`: facts of the process and of the agent.
package enum InfoCommand: Command {
    package typealias Answer = InfoAnswer

    package static let description = CommandDescription(
        "info", "facts of the process and of the agent",
        detail: """
            Build, memory, descriptors, limits, signals, the socket, the agent's counters.
            """)
}
#endif
