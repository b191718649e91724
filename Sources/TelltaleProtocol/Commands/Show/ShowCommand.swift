#if TELLTALE_COMPILED
/// `show`: a value as a tree.
package enum ShowCommand: ConfirmedCommand {
    package struct Parameters: JSONCodable {
        /// The path, as typed: `photos.items[0]`, `#7`.
        package var path: String
        /// The number of levels shown below the value; `nil` for the agent's default.
        package var depth: Int?
        /// The number of elements shown of each collection; `nil` for the agent's default.
        package var limit: Int?
        /// Reads a frozen copy of the process instead of the live one.
        package var snapshot: Bool?
        /// Also runs the value's own `description`, on its owner.
        package var describe: Bool?
        /// Also reads an object's address, and its referrers.
        package var memory: Bool?
        /// Also shows the value's bytes.
        package var bytes: Bool?
        /// Also computes the properties that the service offers so.
        package var computed: Bool?
        /// Runs the getters of computed properties that were not registered.
        package var getters: Bool?
        /// The text to search for in the value; `nil` for the value itself.
        package var match: String?
        /// The properties of the elements that become columns of a table.
        package var fields: [String]?
        package var table: Bool?
        /// Indicates that the user has confirmed that a getter may crash the service.
        package var isConfirmed: Bool?
        /// Shows an object that leads back (by a weak or an unowned reference, to a registered object, or to one on
        /// the path) without its parts, as a client that shows text asks for.
        package var brief: Bool?
    }

    package typealias Answer = ValueAnswer

    package static let question = getterQuestion

    package static let description = CommandDescription(
        "show PATH [--depth N] [--limit N] [--match WORD] [--fields A,B] [--table] [--snapshot] "
            + "[--describe] [--memory] [--bytes] [--computed] [--getters] [--yes], po PATH, PATH",
        "a value as a tree",
        detail: """
            Read on the value's owner. No code of the service runs, except when PATH names a computed
            property: its getter runs, which you confirm once a session or with --yes.
            --depth N     how many levels below the value are shown
            --limit N     how many elements of each collection are shown; 100 without it
            --match WORD  each name and each value below PATH with WORD in it, with its whole path;
                          --limit N of them are shown, --depth N levels are looked through (16)
            --fields A,B  a table of these properties of the elements: title,size.width
            --table       a table of all their properties, as many as there is room for; --json has all
            --snapshot    reads a frozen copy of the process, so that nothing can block
            --describe    also runs the value's own `description`, on its owner, after a trial in a copy
                          of the process
            --memory      an object's address, size, block and references; no parts without --depth
            --bytes       the value's bytes; `--` stands for a byte of a secret or of no property
                          (padding); no parts without --depth
            --computed    also computes what was registered with Telltale.property, on the owner
                          or off it as registered, each tried in a copy of the process before its
                          first run; not with --snapshot
            --getters     also runs the getters of all that the type computes and that need no
                          compiler to be called, on the owner, one by one until one is late: only
                          of an agent that may change things; not with --snapshot
            What was left out is said: … 9,988 more, …depth, …deadline, …bytes.
            A part of a list: items[100..<200], items[1...2].title. Clauses can follow a list, a set or a
            dictionary, one after the other; they run none of the service's code:
              items where byteCount > 3400 && state == .ready
              items sorted by byteCount descending first 5
              items where attempts > 1 count, items max byteCount, items sum byteCount, numbers.max
            `self` is the element itself, `key` a dictionary's key. What is masked is never compared.
            """,
        example: "show photos.items[100..<200] --depth 2", aliases: ["po"])

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var parameters = Parameters(
            path: "", depth: try arguments.count("--depth"),
            limit: try arguments.count("--limit"),
            snapshot: arguments.flag("--snapshot"), describe: arguments.flag("--describe"),
            memory: arguments.flag("--memory"), bytes: arguments.flag("--bytes"),
            computed: arguments.flag("--computed"), getters: arguments.flag("--getters"))
        parameters.match = try arguments.option("--match", needs: "a word")
        parameters.fields = try arguments.fields()
        parameters.table = arguments.flag("--table")
        parameters.isConfirmed = arguments.flag("--yes")
        parameters.path = try arguments.expression("a path")
        return parameters
    }

    package static func completion(after words: [String]) -> CompletionPlace { .path }

    package static func isHarmless(_ parameters: Parameters) -> Bool {
        parameters.describe != true && parameters.computed != true && parameters.getters != true
            && parameters.isConfirmed != true
    }
}
#endif
