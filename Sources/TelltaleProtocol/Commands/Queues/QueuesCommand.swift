#if TELLTALE_COMPILED
/// `queues`: every queue of the process, and how long the observed ones take to answer.
package enum QueuesCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = QueuesAnswer

    package static let description = CommandDescription(
        "queues [--all]", "queues: state, what waits, how long each took to answer",
        detail: """
            Below them event loops (epoll, poll, io_uring; SwiftNIO's and run loops by name): whether
            a thread waits for events, and how many descriptors have something that nobody fetched.
            Those that the service registered are asked to run an empty item; the one that does not
            answer is named, with the objects that it guards. The others were found in memory.
            --all    also the global queues and those of the system
            """)
}
#endif
