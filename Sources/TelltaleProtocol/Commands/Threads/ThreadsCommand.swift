#if TELLTALE_COMPILED
/// `threads`: what each thread does. None of them is interrupted.
package enum ThreadsCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = ThreadsAnswer

    package static let description = CommandDescription(
        "threads [--all]", "threads: state, queue or task, cpu time",
        detail: """
            Main first. The service is not stopped, and no thread is interrupted.
            --all    also the agent's own
            """)
}
#endif
