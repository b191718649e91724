#if TELLTALE_COMPILED
// The commands that look at dispatch's queues and what belongs to them, and that hold them.
extension CommandDescription {
    static let queues = CommandDescription(
        "queues", syntax: "queues [--all]",
        summary: "queues: state, what waits, how long each took to answer",
        detail: """
            Those that the service registered are asked to run an empty item; the one that does not
            answer is named, with the objects that it guards. The others were found in memory.
            --all    also the global queues and those of the system
            """,
        example: "queues"
    ) { (arguments) throws(CommandFailure) in
        let parameters = QueuesParameters(all: arguments.flag("--all"))
        try arguments.end()
        return parameters
    }

    static let queue = CommandDescription(
        "queue", syntax: "queue NAME [--limit N]",
        summary: "one queue: what waits on it, and who holds it",
        detail: """
            The waiting items in their order with the functions behind them, and the stack of the
            thread that holds the queue.
            NAME         its label, the end of it (`photos`), or its address
            --limit N    how many items are shown
            """,
        example: "queue com.telltale.photos"
    ) { (arguments) throws(CommandFailure) in
        let limit = try arguments.count("--limit")
        let name = try arguments.word("the label of a queue; `queues` lists them")
        try arguments.end()
        return QueueParameters(name: name, limit: limit)
    }

    static let groups = kind(
        "groups", "dispatch groups: what was not left yet, and who waits", rest: "idle ones")
    static let semaphores = kind(
        "semaphores", "dispatch semaphores: value, and who waits",
        rest: "those without a waiter"
    )
    static let timers = kind(
        "timers", "dispatch timers and `asyncAfter`: next fire, handler", rest: "cancelled ones"
    )

    static func kind(_ name: String, _ summary: String, rest: String) -> CommandDescription {
        CommandDescription(
            name, syntax: "\(name) [--all]", summary: summary,
            detail: "Found in memory, so none has to be registered.\n--all    also \(rest)",
            example: name
        ) { (arguments) throws(CommandFailure) in
            let parameters = KindParameters(all: arguments.flag("--all"))
            try arguments.end()
            return parameters
        }
    }

    static let suspend = CommandDescription(
        "suspend", syntax: "suspend QUEUE", summary: "hold a queue: it starts nothing more",
        detail: """
            As dispatch does; what runs on it ends first. `resume` lets it go on, and so does the
            agent when this connection ends.
            """,
        example: "suspend com.telltale.downloads", changesHost: true
    ) { (arguments) throws(CommandFailure) in try arguments.suspended() }

    static let resume = CommandDescription(
        "resume", syntax: "resume QUEUE", summary: "let a queue go on that `suspend` holds",
        detail: "Only as often as it was suspended from here: the service's own holds stay.",
        example: "resume com.telltale.downloads", changesHost: true
    ) { (arguments) throws(CommandFailure) in try arguments.suspended() }
}

extension CommandArguments {
    fileprivate mutating func suspended() throws(CommandFailure) -> SuspendParameters {
        let queue = try word("the label of a queue; `queues` lists them")
        try end()
        return SuspendParameters(queue: queue)
    }
}
#endif
