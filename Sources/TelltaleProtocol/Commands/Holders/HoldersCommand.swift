#if TELLTALE_COMPILED
/// `holders`: the referrers of an object.
package enum HoldersCommand: Command {
    package struct Parameters: JSONCodable {
        /// A path to the object, as typed: `#7`, `photos.items[0]`.
        package var path: String
        /// Also looks for a shortest way from where a way begins.
        package var way: Bool?
    }

    package typealias Answer = HoldersAnswer

    package static let description = CommandDescription(
        "holders PATH [--path]", "who refers to an object, by property, element, variable, stack",
        detail: """
            Searches the memory for words that lead to the object, and says where each stands.
            What is only weak or unowned is said to be so, and keeps nothing alive.
            --path    a shortest way to it from a variable, a registered object, a queue's waiting
                      item, a suspended task or a thread's stack
            """, example: "holders photos --path", timeout: .seconds(20),
        progress: "searching the memory", completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let way = arguments.flag("--path")
        return Parameters(path: try arguments.word("an object, such as #7"), way: way)
    }
}
#endif
