#if TELLTALE_COMPILED
/// `get`: a value alone, as it would be typed.
package enum GetCommand: Command {
    package struct Parameters: MemberCoded {
        package var path: String
        /// How many levels below the value are shown; nil for the agent's default.
        package var depth: Int?
        /// How many elements of each collection are shown; nil for the agent's default.
        package var limit: Int?

        package init(path: String, depth: Int? = nil, limit: Int? = nil) {
            self.path = path
            self.depth = depth
            self.limit = limit
        }

        package init() { self.init(path: "") }

        package mutating func code(_ coder: inout MemberCoder) {
            coder.member("path", &path)
            coder.member("depth", &depth)
            coder.member("limit", &limit)
        }
    }

    package typealias Answer = PlainAnswer

    package static let description = CommandDescription(
        "get PATH [--depth N] [--limit N], p PATH", "the value alone, as it would be typed",
        detail: """
            One line: a number, a quoted string, `[1, 2]`, `Photo(title: "x")`.
            --depth N     how many levels below the value are shown
            --limit N     how many elements of each collection are shown
            """,
        example: "get photos.items.count", aliases: ["p"], completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var parameters = Parameters(
            path: "", depth: try arguments.count("--depth"),
            limit: try arguments.count("--limit"))
        parameters.path = try arguments.word("a path")
        return parameters
    }
}

/// What `get` answers: what `show` does, rendered as the value alone, as it would be typed.
public struct PlainAnswer: CommandAnswer, MemberCoded {
    package static let kind = "plain"

    /// The value, and how it was read.
    public var shown: ValueAnswer

    package init(_ shown: ValueAnswer) { self.shown = shown }

    /// An empty one, to be read into.
    public init() { shown = ValueAnswer() }

    /// Names the members of the value's answer.
    public mutating func code(_ coder: inout MemberCoder) { shown.code(&coder) }

    package func lines(_ style: TextStyle) -> [String] {
        [PlainValue(style: style).text(of: shown.value)]
    }

    package func rendered(_ style: TextStyle) -> String {
        guard case .packed(let packed) = shown.content, packed.isPlainText, !style.color else {
            return lines(style).map(TerminalEscape.line).joined(separator: "\n")
        }
        return packed.plain
    }

    package var packedResult: PackedResult? { shown.packedResult(kind: Self.kind) }

    package var exitStatus: ExitStatus { shown.exitStatus }
}
#endif
