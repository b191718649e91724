#if TELLTALE_COMPILED
// The commands that look at threads.
extension CommandDescription {
    static let threads = CommandDescription(
        "threads", syntax: "threads [--all]",
        summary: "threads: state, queue or task, cpu time",
        detail: """
            Main first. The service is not stopped, and no thread is interrupted.
            --all    also the agent's own
            """,
        example: "threads"
    ) { (arguments) throws(CommandFailure) in
        let parameters = ThreadsParameters(all: arguments.flag("--all"))
        try arguments.end()
        return parameters
    }

    static let stack = CommandDescription(
        "stack", aliases: ["bt"],
        syntax: "stack [TID…|main|all] [--full], bt",
        summary: "stacks with functions and lines",
        detail: """
            Without an argument those of all threads of the service; the same stacks stand together.
            TID…      one thread or several; `threads` lists them
            main      the main thread
            all       also the agent's own threads
            --full    each thread by itself
            Threads that wait are not touched; one that runs is interrupted for microseconds.
            """,
        example: "stack main"
    ) { (arguments) throws(CommandFailure) in
        try arguments.stack()
    }
}

extension CommandArguments {
    fileprivate mutating func stack() throws(CommandFailure) -> StackParameters {
        var parameters = StackParameters(all: flag("--all"), full: flag("--full"))
        var threads: [Int32] = []
        for word in allWords() {
            switch word {
            case "main": parameters.main = true
            case "all": parameters.all = true
            default:
                guard let id = Int32(word), id > 0 else {
                    throw command.usage(
                        "'\(word)' is no id of a thread; `threads` lists them")
                }
                threads.append(id)
            }
        }
        try end()
        if !threads.isEmpty { parameters.threads = threads }
        return parameters
    }
}
#endif
