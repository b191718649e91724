#if TELLTALE_COMPILED
/// `redo`: makes a change again that was undone.
package enum RedoCommand: Command {
    package typealias Parameters = ChangeNumber

    package typealias Answer = ChangeAnswer

    package static let description = CommandDescription(
        "redo N [--preview]", "reapply an undone change",
        detail: """
            Refused where the value has changed since it was put back. With `--preview` it is checked
            and shown, and not done.
            """,
        example: "redo 1", effect: .changes)
}
#endif
