#if TELLTALE_COMPILED
/// `get`: a value alone, as it would be typed.
package enum GetCommand: Command {
    /// The parameters of `get`.
    package struct Parameters: MemberCoded {
        /// The path, as typed.
        package var path: String

        package init(path: String) { self.path = path }

        /// An empty one, to be read into.
        package init() { path = "" }

        /// Names the member.
        package mutating func code(_ coder: inout MemberCoder) { coder.member("path", &path) }
    }

    package typealias Answer = PlainAnswer

    package static let description = CommandDescription(
        "get PATH, p PATH", "the value alone, as it would be typed",
        detail: "One line: a number, a quoted string, `[1, 2]`, `Photo(title: \"x\")`.",
        example: "get photos.items.count", aliases: ["p"], completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters { Parameters(path: try arguments.word("a path")) }
}
#endif
