#if TELLTALE_COMPILED
/// `tasks`: every Swift task, what it waits for and where it goes on.
package enum TasksCommand: Command {
    /// The parameters of `tasks`.
    package struct Parameters: JSONCodable {
        /// With the whole stack of each.
        package var full: Bool?
    }

    package typealias Answer = TasksAnswer

    package static let description = CommandDescription(
        "tasks [--full]", "Swift tasks: state, what each waits for",
        detail: """
            Every live task, children below their parents, with where it goes on.
            --full    with the whole stack of each: its callers too
            """)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters { Parameters(full: arguments.flag("--full")) }
}
#endif
