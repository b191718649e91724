#if TELLTALE_COMPILED
/// `complete`: completes a half-typed path or name. A method of the wire that is never typed.
package enum CompleteCommand: Command {
    package struct Parameters: JSONCodable {
        /// The half-typed path: `photos.it`, `photos.items[0].`.
        package var path: String
        /// The kind of the half-typed text if it is not a path: `queue` for a queue's label,
        /// `thread` for an id; `value` asks for values of the property at the path.
        package var of: String?
        /// The argument's index, from 0, in the call at the path, if `of` is `argument`.
        package var index: Int?

        package init(path: String, of kind: CompletionPlace.Named? = nil) {
            self.path = path
            of = kind?.rawValue
        }

        package init(valuesOf path: String) {
            self.path = path
            of = CompletionPlace.value
        }

        package init(argument index: Int, of call: String) {
            path = call
            of = CompletionPlace.argument
            self.index = index
        }
    }

    package typealias Answer = CompletionAnswer

    package static let description = CommandDescription(
        "complete PATH", "how a half-typed path goes on", detail: "For a client's line editor.")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters { Parameters(path: try arguments.word("a path")) }
}

/// The answer to `complete`: the completions of a half-typed line.
public struct CompletionAnswer: CommandAnswer {
    package static let kind = "completion"

    /// Whole replacements for the word that was being typed, sorted as people count.
    public var candidates: [String]
    /// The type of each candidate's value, empty for a candidate without one. Missing from older
    /// agents.
    public var types: [String]?
    /// Hints shown with the candidates that replace nothing: the signature of the call whose
    /// argument is typed.
    public var hints: [String]?
    /// Indicates that there are more candidates than were sent.
    public var isCut: Bool

    package init(
        candidates: [String], types: [String]? = nil, hints: [String]? = nil, isCut: Bool
    ) {
        self.candidates = candidates
        self.types = types
        self.hints = hints
        self.isCut = isCut
    }

    package func lines(_ style: TextStyle) -> [String] { candidates + (isCut ? ["… more"] : []) }
}
#endif
