#if TELLTALE_COMPILED
/// The syntax and effect of a command, and the client's rules for it.
package struct CommandDescription: Sendable {
    /// The effect of a command on the service.
    package enum Effect: Sendable {
        case reads
        /// Something changes, so that read-only mode refuses it.
        case changes
    }

    /// The lines of the command that a client's history keeps.
    package enum History: Sendable {
        case kept
        /// The line contains a value: it is not kept if the name of the changed object looks like a
        /// secret's.
        case keptWithoutSecrets
    }

    /// The command's name, which is also its method on the wire: the first word of its syntax.
    package var name: String
    /// Other words for it.
    package var aliases: [String]
    /// The syntax: optional parts in brackets, alternatives separated by commas.
    package var syntax: String
    /// A one-line summary without a full stop.
    package var summary: String
    /// Further help, one or more lines.
    package var detail: String
    /// A line that works against the example service.
    package var example: String
    package var effect: Effect
    /// The time a client waits for the answer by default.
    package var timeout: Duration
    package var history: History
    /// Indicates that the end of the line is taken verbatim, with spaces and quotes.
    package var takesRawRest: Bool
    /// Indicates that the answer is a ``StreamedAnswer`` and the parameters have `output` and
    /// `stream`.
    package var isStreamed: Bool
    /// The progress text shown at a terminal while the answer takes longer than usual; `nil` for
    /// none.
    package var progress: StaticString?
    /// Indicates that the command ends the session and is not sent.
    package var endsSession: Bool
    /// Indicates that the command's effect usually ends with its connection, so that it needs a
    /// session or a script.
    package var endsWithConnection: Bool
    /// The kind of the first argument, for completion.
    package var completes: CompletionPlace

    package init(
        _ syntax: String, _ summary: String, detail: String, example: String? = nil,
        aliases: [String] = [], effect: Effect = .reads, timeout: Duration = .seconds(5),
        history: History = .kept, takesRawRest: Bool = false, isStreamed: Bool = false,
        progress: StaticString? = nil, endsSession: Bool = false, endsWithConnection: Bool = false,
        completes: CompletionPlace = .nothing
    ) {
        name = String(syntax.prefix { $0 != " " })
        self.aliases = aliases
        self.syntax = syntax
        self.summary = summary
        self.detail = detail
        self.example = example ?? name
        self.effect = effect
        self.timeout = timeout
        self.history = history
        self.takesRawRest = takesRawRest
        self.isStreamed = isStreamed
        self.progress = progress
        self.endsSession = endsSession
        self.endsWithConnection = endsWithConnection
        self.completes = completes
    }

    package var options: [String] {
        var found: [String] = []
        for word in syntax.split(whereSeparator: { " []|=,".contains($0) })
        where word.hasPrefix("--") && !found.contains(String(word)) {
            found.append(String(word))
        }
        return found
    }

    /// A failure that says how the command is typed, with a working example.
    func usage(_ message: String) -> CommandFailure {
        CommandFailure(.usage, message, hint: "usage: \(syntax)\nfor example: \(example)")
    }
}

/// The kinds of text that can stand at a position of a half-typed line.
package enum CompletionPlace: Equatable {
    case nothing
    /// The name of a file, where the client runs.
    case file
    case words([String])
    /// The name of a command.
    case command
    /// A path into the registered objects.
    case path
    /// A path, or one of the words.
    case pathOr([String])
    /// A name that the agent knows, of queues, threads or types; or one of the words.
    case name(Named, or: [String] = [])
    /// A new value for the property at the end of a path.
    case value(of: String)
    /// An argument of a call, by its number from 0.
    case argument(of: String, index: Int)

    /// The last two on the wire, in `of` of `complete`.
    package static let value = "value"
    package static let argument = "argument"

    /// Kinds of names that the agent completes; on the wire in `complete`.
    package enum Named: String {
        case queue, thread, type
    }
}
#endif
