#if TELLTALE_COMPILED
/// `queue`: one queue, its waiting items, and the thread that holds it.
package enum QueueCommand: Command {
    package struct Parameters: JSONCodable {
        /// The queue's label, the end of it where that is enough, or its address.
        package var name: String
        /// The number of items shown; `nil` for the agent's default.
        package var limit: Int?
    }

    package typealias Answer = QueueAnswer

    package static let description = CommandDescription(
        "queue NAME [--limit N]", "one queue: what waits on it, and who holds it",
        detail: """
            The waiting items in their order with the functions behind them, and the stack of the
            thread that holds the queue.
            NAME         its label, the end of it (`photos`), or its address
            --limit N    how many items are shown
            """,
        example: "queue com.telltale.photos", completes: .name(.queue))

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let limit = try arguments.count("--limit")
        return Parameters(name: try arguments.queue(), limit: limit)
    }
}
#endif
