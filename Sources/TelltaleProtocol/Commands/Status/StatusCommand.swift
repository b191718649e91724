#if TELLTALE_COMPILED
/// `status`: the line of the status signal.
package enum StatusCommand: Command {
    package typealias Answer = StatusAnswer

    package static let description = CommandDescription(
        "status", "one-line status",
        detail: """
            Uptime, threads, memory, the slowest queue, the queues that did not answer, how long
            the process was stopped. The same line as the status signal writes.
            """)
}
#endif
