#if TELLTALE_COMPILED
/// `show`: a value as a tree.
package enum ShowCommand: Command {
    package struct Parameters: JSONCodable {
        /// The path, as typed: `photos.items[0]`, `#7`.
        package var path: String
        /// How many levels below the value are shown; nil for the agent's default.
        package var depth: Int?
        /// How many elements of each collection are shown; nil for the agent's default.
        package var limit: Int?
        /// Reads a frozen copy of the process instead of the live one.
        package var snapshot: Bool?
        /// Also runs the value's own `description`, on its owner.
        package var describe: Bool?
        /// Also says where an object stands, and who refers to it.
        package var memory: Bool?
        /// Also shows the value's bytes.
        package var bytes: Bool?
        /// Also computes the properties that the service offers so.
        package var computed: Bool?
    }

    package typealias Answer = ValueAnswer

    package static let description = CommandDescription(
        "show PATH [--depth N] [--limit N] [--snapshot] [--describe] [--memory] [--bytes] [--computed], po PATH, PATH",
        "a value as a tree",
        detail: """
            Read on the value's owner; no code of the service runs.
            --depth N     how many levels below the value are shown
            --limit N     how many elements of each collection are shown
            --snapshot    reads a frozen copy of the process, so that nothing can block
            --describe    also runs the value's own description, on its owner
            --memory      an object's address, size, block and references; no parts without --depth
            --bytes       the value's bytes, those of secrets as --; no parts without --depth
            --computed    also computes what was registered with Telltale.property, on the owner
            What was left out is said: … 9,988 more, …depth, …deadline, …bytes.
            """,
        example: "show photos.items[100..<200] --depth 2", aliases: ["po"])

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var parameters = Parameters(
            path: "", depth: try arguments.count("--depth"),
            limit: try arguments.count("--limit"),
            snapshot: arguments.flag("--snapshot"), describe: arguments.flag("--describe"),
            memory: arguments.flag("--memory"), bytes: arguments.flag("--bytes"),
            computed: arguments.flag("--computed"))
        parameters.path = try arguments.word("a path")
        return parameters
    }

    package static func completion(after words: [String]) -> CompletionPlace { .path }

    package static func isHarmless(_ parameters: Parameters) -> Bool {
        parameters.describe != true && parameters.computed != true
    }
}
#endif
