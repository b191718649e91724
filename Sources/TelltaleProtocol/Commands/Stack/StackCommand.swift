#if TELLTALE_COMPILED
/// `stack`: stacks with functions and lines.
package enum StackCommand: Command {
    /// The parameters of `stack`. Without any: all threads of the host.
    package struct Parameters: JSONCodable {
        /// The ids of the threads; nil for all of the host's.
        package var threads: [Int32]?
        /// The main thread.
        package var main: Bool?
        /// Also the agent's own threads.
        package var all: Bool?
        /// Each thread by itself: the same stacks are not folded.
        package var full: Bool?
    }

    package typealias Answer = StackAnswer

    package static let description = CommandDescription(
        "stack [TID…|main|all] [--full], bt", "stacks with functions and lines",
        detail: """
            Without an argument those of all threads of the service; the same stacks stand together.
            TID…      one thread or several; `threads` lists them
            main      the main thread
            all       also the agent's own threads
            --full    each thread by itself
            Threads that wait are not touched; one that runs is interrupted for microseconds.
            """,
        example: "stack main", aliases: ["bt"])

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var parameters = Parameters(
            all: arguments.flag("--all"), full: arguments.flag("--full"))
        var threads: [Int32] = []
        for word in arguments.allWords() {
            switch word {
            case "main": parameters.main = true
            case "all": parameters.all = true
            default:
                guard let id = Int32(word), id > 0 else {
                    throw usage("'\(word)' is not the id of a thread; `threads` lists them")
                }
                threads.append(id)
            }
        }
        try arguments.end()
        if !threads.isEmpty { parameters.threads = threads }
        return parameters
    }

    package static func completion(after words: [String]) -> CompletionPlace {
        .name(.thread, or: words.isEmpty ? ["main", "all"] : [])
    }

    // A thread that runs is interrupted.
    package static func isHarmless(_ parameters: Parameters) -> Bool { false }
}
#endif
