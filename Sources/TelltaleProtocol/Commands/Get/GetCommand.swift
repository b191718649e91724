#if TELLTALE_COMPILED
/// `get`: a value alone, as it would be typed.
package enum GetCommand: Command {
    package struct Parameters: MemberCoded {
        package var path: String

        package init(path: String) { self.path = path }

        package init() { path = "" }

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

    package var exitStatus: ExitStatus { shown.exitStatus }
}
#endif
