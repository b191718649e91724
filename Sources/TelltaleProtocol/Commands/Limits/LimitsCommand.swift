#if TELLTALE_COMPILED
/// `limits`: what the process is held to, and how near it is to each.
package enum LimitsCommand: Command {
    package typealias Answer = LimitsAnswer

    package static let description = CommandDescription(
        "limits", "limits of the process, and how near it is to each",
        detail: """
            Descriptors, threads, memory, core size, locked memory: what the kernel and the
            control group (a container's) allow, and what is used of it. The process may raise a
            soft limit as far as the hard one. What is at 90 % or more stands out.
            """)
}
#endif
