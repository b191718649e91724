#if TELLTALE_COMPILED
/// `cancel`: asks a task, an operation, a work item or a job to end.
package enum CancelCommand: Command {
    package struct Parameters: JSONCodable {
        /// The kind of the cancelled object; a struct, so that a newer client's kind is refused
        /// with a sentence.
        package struct Kind: RawRepresentable, Codable, Sendable, Hashable {
            /// The kind's wire form, which is also its typed form.
            package var rawValue: String
            /// Makes a kind from its wire form.
            package init(rawValue: String) { self.rawValue = rawValue }

            package static let task = Kind(rawValue: "task")
            package static let operation = Kind(rawValue: "operation")
            /// A work item that waits on a queue.
            package static let item = Kind(rawValue: "item")

            /// A running call.
            package static let job = Kind(rawValue: "job")

            static let all = [task, operation, item, job]
        }

        package var kind: Kind
        /// The task's or the job's number, the operation's name or address, the item's address.
        package var id: String
        package var queue: String?
    }

    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "cancel KIND NAME", "cancel a task, an operation, a work item or a job",
        detail: """
            Cancelling only asks: code that runs has to look. It can't be undone.
            cancel task N                the number that `tasks` shows
            cancel operation NAME        its name or its address, as `operations` shows them
            cancel item QUEUE ADDRESS    a work item that waits, as `queue QUEUE` shows it
            cancel job N                 a call of an async action or method that goes on, as `jobs` shows it
            """,
        example: "cancel task 12", effect: .changes)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let word = try arguments.word(
            "what is to be cancelled: a task, an operation, an item or a job")
        let kind = Parameters.Kind(rawValue: word)
        switch kind {
        case .task:
            let word = try arguments.word("the number of a task; `tasks` lists them")
            let digits = word.hasPrefix("#") ? String(word.dropFirst()) : word
            guard UInt64(digits) != nil else {
                throw usage("'\(word)' is not the number of a task")
            }
            return Parameters(kind: kind, id: digits)
        case .operation:
            return Parameters(kind: kind, id: try arguments.word("the name of an operation"))
        case .item:
            let queue = try arguments.queue()
            let address = try arguments.word("the address of an item; `queue` shows it")
            return Parameters(kind: kind, id: address, queue: queue)
        case .job:
            let word = try arguments.word("the number of a job; `jobs` lists them")
            guard Int(word) != nil else { throw usage("'\(word)' is not the number of a job") }
            return Parameters(kind: kind, id: word)
        default:
            throw usage("'\(word)' can't be cancelled; a task, an operation, an item or a job can")
        }
    }

    package static func completion(after words: [String]) -> CompletionPlace {
        if words.isEmpty { return .words(Parameters.Kind.all.map(\.rawValue)) }
        return words == [Parameters.Kind.item.rawValue] ? .name(.queue) : .nothing
    }
}
#endif
