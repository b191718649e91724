#if TELLTALE_COMPILED
/// `get`: a value alone, as it would be typed.
package enum GetCommand: ConfirmedCommand {
    package struct Parameters: MemberCoded {
        package var path: String
        /// The number of levels shown below the value; `nil` for the agent's default.
        package var depth: Int?
        /// The number of elements shown of each collection; `nil` for the agent's default.
        package var limit: Int?
        /// The text to search for in the value; `nil` for the value itself.
        package var match: String?
        /// The properties of the elements that become columns of a table.
        package var fields: [String]?
        package var table: Bool?
        /// Indicates that the user has confirmed that a getter may crash the service.
        package var isConfirmed: Bool?
        /// The same as for `show`.
        package var brief: Bool?

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
            coder.member("match", &match)
            coder.member("fields", &fields)
            coder.member("table", &table)
            coder.member("isConfirmed", &isConfirmed)
            coder.member("brief", &brief)
        }
    }

    package typealias Answer = PlainAnswer

    package static let question = getterQuestion

    package static let description = CommandDescription(
        "get PATH [--depth N] [--limit N] [--match WORD] [--fields A,B] [--table] [--yes], p PATH",
        "just the value, as a Swift literal",
        detail: """
            One line: a number, a quoted string, `[1, 2]`, `Photo(title: "x")`.
            --depth N     how many levels below the value are shown
            --limit N     how many elements of each collection are shown; 100 without it
            --match, --fields, --table    as `show` has them
            The getter of a computed property that PATH names runs on the owner, as `call` runs a method,
            and is confirmed once a session, or by --yes: one that traps ends the service.
            PATH may be an expression: `get library.books.count + 1`, `get a.size > b.size * 2`.
            Numbers, texts and cases are compared by == != < <= > >=, texts by `contains` too; there
            are + - * / %, && || ! and parentheses. A minus has a space before it: a-b is a name.
            A collection has clauses behind it, as `help show` says.
            """,
        example: "get photos.items.count", aliases: ["p"], completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var parameters = Parameters(
            path: "", depth: try arguments.count("--depth"),
            limit: try arguments.count("--limit"))
        parameters.match = try arguments.option("--match", needs: "a word")
        parameters.fields = try arguments.fields()
        parameters.table = arguments.flag("--table")
        parameters.isConfirmed = arguments.flag("--yes")
        parameters.path = try arguments.expression("a path")
        return parameters
    }

    package static func isHarmless(_ parameters: Parameters) -> Bool {
        parameters.isConfirmed != true
    }
}

/// The answer to `get`: the value of `show`, rendered alone, as it would be typed.
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
        if shown.isSpecial { return shown.lines(style) }
        return [PlainValue(style: style).text(of: shown.value)]
    }

    package var remarks: [String] {
        shown.isSpecial ? [] : ValueRemarks.lines(of: shown.value, path: shown.path)
    }

    package func rendered(_ style: TextStyle) -> String {
        let lines = lines(style).map(TerminalEscape.line)
        // A value alone is copied: a line's end in it would be none of its own.
        return (shown.isSpecial ? style.fitted(lines) : lines).joined(separator: "\n")
    }

    package var packedResult: PackedResult? { shown.packedResult(kind: Self.kind) }

    package var exitStatus: ExitStatus { shown.exitStatus }
}
#endif
