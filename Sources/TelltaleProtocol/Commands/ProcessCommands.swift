#if TELLTALE_COMPILED
// The commands that look at the process.
extension CommandDescription {
    static let status = CommandDescription(
        "status", syntax: "status", summary: "how it is, in one line",
        detail: """
            Uptime, threads, memory, the slowest queue, the queues that did not answer, how long
            the process was stopped. The same line as the status signal writes.
            """,
        example: "status")

    static let dump = CommandDescription(
        "dump", syntax: "dump [ID] [--output FILE]",
        summary: "everything at once; with an id an earlier dump again",
        detail: """
            The same text as the dump signal writes, kept for a while under its id.
            --output FILE, -o FILE    also writes it into a file, where the client runs
            """,
        example: "dump --output photos.dump"
    ) { (arguments) throws(CommandFailure) in
        let output = try arguments.option("--output", "-o", needs: "a file")
        let word = arguments.optionalWord()
        try arguments.end()
        guard let word else { return DumpParameters(output: output) }
        guard let id = Int(word.first == "d" ? word.dropFirst() : word[...]), id > 0 else {
            throw arguments.command.usage("'\(word)' is no id of a dump, such as d7 or 7")
        }
        return DumpParameters(id: id, output: output)
    }

    static let info = CommandDescription(
        "info", syntax: "info", summary: "facts of the process and of the agent",
        detail:
            "Build, memory, descriptors, limits, signals, the socket, the agent's counters.",
        example: "info")
}
#endif
