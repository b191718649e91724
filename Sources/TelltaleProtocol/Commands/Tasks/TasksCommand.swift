#if TELLTALE_COMPILED
/// `tasks`: every Swift task, its wait and its resume location.
package enum TasksCommand: Command {
    /// The parameters of `tasks`.
    package struct Parameters: JSONCodable {
        /// With the whole stack of each.
        package var full: Bool?
        /// With a row for each, also of those that are alike.
        package var all: Bool?
    }

    package typealias Answer = TasksAnswer

    package static let description = CommandDescription(
        "tasks [--full] [--all]", "Swift tasks: state, what each waits for",
        detail: """
            Every live task, children below their parents, with the innermost function of the service's
            own, and what that waits in. Those that are alike share a row: ×48.
            --full    with the whole stack of each: its callers too
            --all     with a row for each
            """)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        Parameters(full: arguments.flag("--full"), all: arguments.flag("--all"))
    }
}
#endif
