#if TELLTALE_COMPILED
// The commands that look at objects.
extension CommandDescription {
    static let objects = CommandDescription(
        "objects", syntax: "objects", summary: "registered objects: name, type, owner, state",
        detail: """
            Every object that the service has registered, alive or gone, with the queue, actor or
            lock that guards it.
            """,
        example: "objects")

    static let show = CommandDescription(
        "show", aliases: ["po"],
        syntax: "show PATH [--depth N] [--limit N] [--snapshot] [--describe], po PATH, PATH",
        summary: "a value as a tree",
        detail: """
            Read on the value's owner; no code of the service runs.
            --depth N     how many levels below the value are shown
            --limit N     how many elements of each collection are shown
            --snapshot    reads a frozen copy of the process, so that nothing can block
            --describe    also runs the value's own description, on its owner
            What was left out is said: … 9,988 more, …depth, …deadline, …bytes.
            """,
        example: "show photos.items[100..<200] --depth 2"
    ) { (arguments) throws(CommandFailure) in
        let parameters = ShowParameters(
            path: "", depth: try arguments.count("--depth"),
            limit: try arguments.count("--limit"),
            snapshot: arguments.flag("--snapshot"), describe: arguments.flag("--describe"))
        return try arguments.path(into: parameters)
    }

    static let get = CommandDescription(
        "get", aliases: ["p"], syntax: "get PATH, p PATH",
        summary: "the value alone, as it would be typed",
        detail: "One line: a number, a quoted string, `[1, 2]`, `Photo(title: \"x\")`.",
        example: "get photos.items.count"
    ) { (arguments) throws(CommandFailure) in
        let path = try arguments.word("a path")
        try arguments.end()
        return GetParameters(path: path)
    }
}

extension CommandArguments {
    fileprivate mutating func path(
        into parameters: ShowParameters
    ) throws(CommandFailure) -> ShowParameters {
        var parameters = parameters
        parameters.path = try word("a path")
        try end()
        return parameters
    }
}
#endif
