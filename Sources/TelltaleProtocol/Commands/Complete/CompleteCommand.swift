#if TELLTALE_COMPILED
/// `complete`: how a half-typed path or name goes on. A method of the wire, which nobody types.
package enum CompleteCommand: Command {
    package struct Parameters: JSONCodable {
        /// The half-typed path: `photos.it`, `photos.items[0].`.
        package var path: String
        /// What is half-typed instead of a path: `queue` for a queue's label, `thread` for an id. With
        /// `value` it is asked what the property at the path can be set to.
        package var of: String?
        /// Which argument of the call at the path, from 0, where `of` is `argument`.
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

/// What `complete` answers: how a half-typed line can go on.
public struct CompletionAnswer: CommandAnswer {
    package static let kind = "completion"

    /// Whole replacements for the word that was being typed, sorted as people count.
    public var candidates: [String]
    /// Of each candidate the type of what it stands for, empty where it has none. Older agents don't say.
    public var types: [String]?
    /// What is to be shown with the candidates, and replaces nothing: how the call is made whose argument is
    /// typed.
    public var hints: [String]?
    /// Whether there were more than were sent.
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
