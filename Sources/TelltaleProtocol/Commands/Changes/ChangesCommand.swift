#if TELLTALE_COMPILED
/// `changes`: what was changed, by whom.
package enum ChangesCommand: Command {
    package typealias Answer = ChangesAnswer

    package static let description = CommandDescription(
        "changes", "what was changed and called, and by whom",
        detail: """
            The number of each is what `undo` takes.
            """)
}
#endif
