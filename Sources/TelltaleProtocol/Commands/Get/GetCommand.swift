#if TELLTALE_COMPILED
/// `get`: a value alone, as it would be typed.
package enum GetCommand: Command {
    /// The parameters of `get`.
    package struct Parameters: MemberCoded {
        /// The path, as typed.
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

        /// An empty one, to be read into.
        package init() { self.init(path: "") }

        /// Names the members.
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
#endif
