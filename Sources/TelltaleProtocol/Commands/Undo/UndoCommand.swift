#if TELLTALE_COMPILED
/// `undo`: puts a changed value back.
package enum UndoCommand: Command {
    package typealias Parameters = ChangeNumber

    package typealias Answer = ChangeAnswer

    package static let description = CommandDescription(
        "undo N [--preview]", "put the value of a change back",
        detail: """
            Refused where the value has changed since. A call can't be undone. Changes that were made
            as one are undone as one. With `--preview` it is checked and shown, and not done.
            """,
        example: "undo 1", effect: .changes)
}

/// The number of a change, which is to be undone or made again.
package struct ChangeNumber: JSONCodable, TypedParameters {
    package var number: Int
    /// Indicates a preview: the change is described but not made.
    package var preview: Bool?

    package init(number: Int, preview: Bool? = nil) {
        self.number = number
        self.preview = preview
    }

    package init(of arguments: inout CommandArguments) throws(CommandFailure) {
        preview = arguments.flag("--preview")
        let word = try arguments.word("the number of a change; `changes` lists them")
        try arguments.end()
        guard let number = Int(word), number > 0 else {
            throw arguments.command.usage(
                "'\(word)' is not the number of a change; `changes` lists them")
        }
        self.number = number
    }
}
#endif
