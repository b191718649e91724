#if TELLTALE_COMPILED
/// `set`: changes a stored property.
package enum SetCommand: Command {
    package struct Parameters: JSONCodable {
        package var path: String
        /// The value, as typed; parsed by the property's type.
        package var value: String
    }

    package typealias Answer = ChangeAnswer

    package static let description = CommandDescription(
        "set PATH VALUE, PATH = VALUE", "change a value",
        detail: """
            The value is parsed as the property's type, in Swift's syntax or as JSON, and is all
            that follows the path. A wrong type is refused, and nothing is changed.
            The change runs on the value's owner and gets a number for `undo`.
            """,
        example: "photos.prompt = \"WOOT!\"", effect: .changes, history: .keptWithoutSecrets,
        takesRawRest: true, completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let (path, rest) = TypedLine(arguments.takeAll()).head
        guard !path.isEmpty else { throw usage("set needs a path and a value") }
        guard !path.hasPrefix("-") else { throw usage("set has no option '\(path)'") }
        var value = TypedLine.trimmed(rest)
        // `set PATH = VALUE` is typed by everyone sooner or later; no value begins with `=`.
        if value.hasPrefix("="), !value.hasPrefix("==") {
            value = TypedLine.trimmed(value.dropFirst())
        }
        return try parameters(path: path, value: value)
    }

    /// The parameters from either way of typing them.
    ///
    /// - Throws: `.usage` where one of them is missing.
    static func parameters(
        path: some StringProtocol, value: String
    ) throws(CommandFailure) -> Parameters {
        guard !path.isEmpty else {
            throw usage("what is to be set is missing: nothing stands before the `=`")
        }
        guard !value.isEmpty else {
            throw usage("the value for \(path) is missing; an empty string is \"\"")
        }
        return Parameters(path: String(path), value: value)
    }
}
#endif
