#if TELLTALE_COMPILED
/// One command: how it is typed, what it does, and how its arguments become parameters.
public struct CommandDescription: Sendable {
    /// The command's name, which is also its method on the wire.
    public var name: String
    /// Other words for it.
    public var aliases: [String]
    /// How it is typed; an optional part in brackets, ways of typing it apart by commas.
    public var syntax: String
    /// What it does, in one short line without a full stop.
    public var summary: String
    /// What else is to be known, one or more lines.
    public var detail: String
    /// A line that works against the example service.
    public var example: String
    /// Whether it changes the host, so that read-only mode refuses it.
    public var changesHost: Bool
    /// Whether the end of its line is taken as it stands, spaces and quotes too.
    var takesRawRest: Bool
    /// Makes the parameters of its method of what was typed after its name.
    var parameters: @Sendable (inout CommandArguments) throws(CommandFailure) -> any Encodable

    init(
        _ name: String, aliases: [String] = [], syntax: String, summary: String, detail: String,
        example: String, changesHost: Bool = false, takesRawRest: Bool = false,
        parameters:
            @escaping @Sendable (inout CommandArguments) throws(CommandFailure) -> any Encodable =
            {
                (_) throws(CommandFailure) in NoParameters()
            }
    ) {
        self.name = name
        self.aliases = aliases
        self.syntax = syntax
        self.summary = summary
        self.detail = detail
        self.example = example
        self.changesHost = changesHost
        self.takesRawRest = takesRawRest
        self.parameters = parameters
    }

    /// The options that its syntax names, each once.
    package var options: [String] {
        var found: [String] = []
        for word in syntax.split(whereSeparator: { " []|=,".contains($0) })
        where word.hasPrefix("--") && !found.contains(String(word)) {
            found.append(String(word))
        }
        return found
    }

    /// A failure that says how the command is typed.
    ///
    /// - Parameter message: What is wrong with what was typed.
    /// - Returns: The failure, with the syntax and a working example as its hint.
    func usage(_ message: String) -> CommandFailure {
        CommandFailure(.usage, message, hint: "usage: \(syntax)\nfor example: \(example)")
    }
}
#endif
