#if TELLTALE_COMPILED
/// `undo`: puts a changed value back.
package enum UndoCommand: Command {
    package struct Parameters: JSONCodable {
        package var number: Int
    }

    package typealias Answer = ChangeAnswer

    package static let description = CommandDescription(
        "undo N", "put the value of a change back",
        detail: "Refused where the value has changed since. A call can't be undone.",
        example: "undo 1", effect: .changes)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let word = try arguments.word("the number of a change; `changes` lists them")
        try arguments.end()
        guard let number = Int(word), number > 0 else {
            throw usage("'\(word)' is no number of a change; `changes` lists them")
        }
        return Parameters(number: number)
    }
}
#endif
