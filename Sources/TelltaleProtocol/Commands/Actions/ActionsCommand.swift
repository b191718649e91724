#if TELLTALE_COMPILED
/// `actions`: the registered actions.
package enum ActionsCommand: Command {
    package typealias Answer = ActionsAnswer

    package static let description = CommandDescription(
        "actions", "the actions that can be called",
        detail: """
            Each with the types of its arguments and its result, and where it runs.
            """)
}
#endif
