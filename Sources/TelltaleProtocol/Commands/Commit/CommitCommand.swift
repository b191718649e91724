#if TELLTALE_COMPILED
/// `commit`: makes the changes that were collected.
package enum CommitCommand: Command {
    package typealias Answer = ChangeAnswer

    package static let description = CommandDescription(
        "commit", "make the changes collected since `begin`",
        detail: """
            In one turn of their owner. If one of them can't be made, those before it are put back in
            the same turn, and the changes are still kept. `undo` of one undoes all of them.
            """,
        effect: .changes)
}
#endif
