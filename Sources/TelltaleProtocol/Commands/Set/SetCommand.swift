#if TELLTALE_COMPILED
/// `set`: changes a stored property.
package enum SetCommand: ConfirmedCommand {
    package struct Parameters: MemberCoded {
        package var path: String
        /// The value, as typed; parsed by the property's type.
        package var value: String
        /// The operator, if the value is not simply assigned: `+=`, `-=`.
        package var operation: String?
        /// Indicates a preview: the change is described but not made.
        package var preview: Bool?
        /// Indicates that the value is written to its storage, past the property's setter.
        package var isRaw: Bool?
        /// `false` to have a collection of many elements emptied only after a confirmation, as a
        /// session asks; `nil` to have it emptied.
        package var isConfirmed: Bool?

        package init(
            path: String, value: String, operation: String? = nil, preview: Bool? = nil,
            isRaw: Bool? = nil
        ) {
            self.path = path
            self.value = value
            self.operation = operation
            self.preview = preview
            self.isRaw = isRaw
        }

        package init() { self.init(path: "", value: "") }

        package mutating func code(_ coder: inout MemberCoder) {
            coder.member("path", &path)
            coder.member("value", &value)
            coder.member("operation", &operation)
            coder.member("preview", &preview)
            coder.member("isRaw", &isRaw)
            coder.member("isConfirmed", &isConfirmed)
        }
    }

    package typealias Answer = ChangeAnswer

    package static let isAskedEachTime = true
    package static let question = "Empty it? [y/N] "

    package static let description = CommandDescription(
        "set [--raw] PATH VALUE [--preview], PATH = VALUE", "change a value",
        detail: """
            Everything after the path is the value. It is parsed as the property's type, in Swift's syntax,
            as JSON or as `get` prints it. A wrong type is refused, and nothing is changed.
            A struct may be typed by some of its properties, (width: 3): the others keep theirs. An
            object is typed as the path of one or its handle: photos.cover = photos.items[2], = #7.
            `+=` and `-=` work on numbers, durations, texts and arrays.
            PATH.append(x), .insert(x, at: 0), .remove(at: 0), .removeAll(), .swapAt(0, 1), .toggle()
            and the like change collections, texts and Bools in the same way.
            A property with observers, a wrapper or a setter of its own is changed by its setter, and the
            answer says so. With `--raw` its storage is written, and the answer says what did not run.
            A value that is there already is not set again, unless a setter or observers would run. A session
            asks before a collection of more than 20 elements is emptied.
            The change runs on the value's owner and gets a number for `undo`. `--preview`,
            before the path or at the end, shows the result and changes nothing.
            """,
        example: "photos.prompt = \"WOOT!\"", effect: .changes, history: .keptWithoutSecrets,
        takesRawRest: true, completes: .path)

    package static func completion(after words: [String]) -> CompletionPlace {
        let typed = words.filter { $0 != "=" && !$0.hasPrefix("--") }
        return typed.isEmpty ? .path : typed.count == 1 ? .value(of: typed[0]) : .nothing
    }

    private static let previewOption = "--preview"

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var (line, isPreview) = withoutPreview(arguments.takeAll())
        var isRaw = false
        // In either order, and each once.
        while true {
            let option = TypedLine(line).head.word
            if option == previewOption, !isPreview {
                isPreview = true
            } else if option == rawOption, !isRaw {
                isRaw = true
            } else {
                break
            }
            line = line.dropFirst(option.count).trimmed
        }
        let (path, rest) = TypedLine(line).head
        guard !path.isEmpty else { throw usage("set needs a path and a value") }
        guard !path.hasPrefix("-") else { throw usage("set has no option '\(path)'") }
        var value = rest.trimmed
        // `set PATH = VALUE` is typed by everyone sooner or later; no value begins with `=`.
        if value.hasPrefix("="), !value.hasPrefix("==") {
            value = value.dropFirst().trimmed
        }
        var operation: String?
        for sign in operators where value.hasPrefix(sign) {
            operation = sign
            value = value.dropFirst(sign.count).trimmed
        }
        var made = try parameters(
            path: path, value: value, operation: operation, preview: isPreview ? true : nil)
        if isRaw { made.isRaw = true }
        return made
    }

    private static let rawOption = "--raw"

    /// The operators that may precede the `=` of an assignment.
    static let operators = ["+=", "-="]

    /// A line without the option at its end, which no value is.
    static func withoutPreview(_ line: String) -> (line: String, isPreview: Bool) {
        guard line.hasSuffix(" " + previewOption) else { return (line, false) }
        return (line.dropLast(previewOption.count).trimmed, true)
    }

    /// The parameters from either way of typing them.
    ///
    /// - Throws: `.usage` where one of them is missing.
    static func parameters(
        path: some StringProtocol, value: String, operation: String? = nil, preview: Bool? = nil
    ) throws(CommandFailure) -> Parameters {
        guard !path.isEmpty else {
            throw usage("what is to be set is missing: nothing stands before the `=`")
        }
        guard !value.isEmpty else {
            throw usage("the value for \(path) is missing; an empty string is \"\"")
        }
        return Parameters(
            path: String(path), value: value, operation: operation, preview: preview)
    }
}
#endif
