#if TELLTALE_COMPILED
/// `undo`: puts a changed value back.
package enum UndoCommand: Command {
    package struct Parameters: JSONCodable {
        /// The change's number; `nil` for the user's last one.
        package var number: Int?
        /// Indicates a preview: the change is described but not made.
        package var preview: Bool?
    }

    package typealias Answer = ChangeAnswer

    package static let description = CommandDescription(
        "undo [N] [--preview]", "put the value of a change back",
        detail: """
            Without N it is the last change of your user that is not undone yet; calls don't count.
            Refused where the value has changed since. A call can't be undone. Changes that were made
            as one are undone as one. With `--preview` it is checked and shown, and not done.
            """,
        example: "undo 1", effect: .changes)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let preview = arguments.flag("--preview")
        guard arguments.firstWord != nil else { return Parameters(preview: preview) }
        var made = Parameters(number: try ChangeNumber(of: &arguments).number)
        made.preview = preview
        return made
    }
}

/// The number of a change, which is to be made again.
package struct ChangeNumber: JSONCodable, TypedParameters {
    package var number: Int
    /// Indicates a preview: the change is described but not made.
    package var preview: Bool?

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
