#if TELLTALE_COMPILED
/// How a command is typed, what it does, and how a client is to treat it.
package struct CommandDescription: Sendable {
    /// What comes of a command in the service.
    package enum Effect: Sendable {
        case reads
        /// Something changes, so that read-only mode refuses it.
        case changes
    }

    /// Which of its lines a client's history keeps.
    package enum History: Sendable {
        case kept
        /// The line has a value in it: it is not kept where what it is for is named as a secret is.
        case keptWithoutSecrets
    }

    /// The command's name, which is also its method on the wire: the first word of its syntax.
    package var name: String
    /// Other words for it.
    package var aliases: [String]
    /// How it is typed; an optional part in brackets, ways of typing it apart by commas.
    package var syntax: String
    /// What it does, in one short line without a full stop.
    package var summary: String
    /// What else is to be known, one or more lines.
    package var detail: String
    /// A line that works against the example service.
    package var example: String
    package var effect: Effect
    /// How long a client waits for its answer, unless it is told otherwise.
    package var timeout: Duration
    package var history: History
    /// Whether the end of its line is taken as it stands, spaces and quotes too.
    package var takesRawRest: Bool
    /// Whether its answer is a ``StreamedAnswer``, and its parameters have `output` and `stream`.
    package var isStreamed: Bool
    /// What a terminal is told while the answer takes longer than one is used to; nil for nothing.
    package var progress: StaticString?
    /// Whether it ends the session instead of being asked for.
    package var endsSession: Bool
    /// What its first argument is, for completion.
    package var completes: CompletionPlace

    package init(
        _ syntax: String, _ summary: String, detail: String, example: String? = nil,
        aliases: [String] = [], effect: Effect = .reads, timeout: Duration = .seconds(5),
        history: History = .kept, takesRawRest: Bool = false, isStreamed: Bool = false,
        progress: StaticString? = nil, endsSession: Bool = false,
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

/// What can stand at a place of a half-typed line.
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
    /// What the property at the end of a path can be set to.
    case value(of: String)
    /// An argument of a call, by its number from 0.
    case argument(of: String, index: Int)

    /// The last two on the wire, in `of` of `complete`.
    package static let value = "value"
    package static let argument = "argument"

    /// What the agent knows names of; on the wire in `complete`.
    package enum Named: String {
        case queue, thread, type
    }
}
#endif
