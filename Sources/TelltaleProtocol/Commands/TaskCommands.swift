#if TELLTALE_COMPILED
// The commands that look at Swift tasks, actors and operations, and that cancel.
extension CommandDescription {
    static let tasks = CommandDescription(
        "tasks", syntax: "tasks [--full]", summary: "Swift tasks: state, what each waits for",
        detail: """
            Every live task, children below their parents, with where it goes on.
            --full    with the whole stack of each: its callers too
            """,
        example: "tasks"
    ) { (arguments) throws(CommandFailure) in
        let parameters = TasksParameters(full: arguments.flag("--full"))
        try arguments.end()
        return parameters
    }

    static let actors = kind(
        "actors", "actors: busy or idle, and the jobs that wait", rest: "idle ones")

    static let operations = CommandDescription(
        "operations", syntax: "operations",
        summary: "operation queues, dependencies, the main run loop",
        detail: """
            Each operation with its state and what it waits for. The service links
            TelltaleFoundation for it.
            """,
        example: "operations")

    static let cancel = CommandDescription(
        "cancel", syntax: "cancel KIND NAME",
        summary: "cancel a task, an operation or a work item",
        detail: """
            Cancelling only asks: code that runs has to look. It can't be undone.
            cancel task N                the number that `tasks` shows
            cancel operation NAME        its name or its address, as `operations` shows them
            cancel item QUEUE ADDRESS    a work item that waits, as `queue QUEUE` shows it
            """,
        example: "cancel task 12", changesHost: true
    ) { (arguments) throws(CommandFailure) in
        let kind = try arguments.word(
            "what is to be cancelled: a task, an operation or an item")
        let parameters: CancelParameters
        switch kind {
        case "task":
            let word = try arguments.word("the number of a task; `tasks` lists them")
            let digits = word.hasPrefix("#") ? String(word.dropFirst()) : word
            guard UInt64(digits) != nil else {
                throw arguments.command.usage("'\(word)' is no number of a task")
            }
            parameters = CancelParameters(kind: kind, id: digits)
        case "operation":
            parameters = CancelParameters(
                kind: kind, id: try arguments.word("the name of an operation"))
        case "item":
            let queue = try arguments.word("the label of a queue")
            parameters = CancelParameters(
                kind: kind, id: try arguments.word("the address of an item; `queue` shows it"),
                queue: queue)
        default:
            throw arguments.command.usage(
                "'\(kind)' can't be cancelled; a task, an operation or an item can")
        }
        try arguments.end()
        return parameters
    }
}
#endif
