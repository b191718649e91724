#if TELLTALE_COMPILED
/// `heap`: the objects on the heap, by class.
package enum HeapCommand: Command {
    package struct Parameters: JSONCodable {
        /// The number of classes listed; `nil` for 20.
        package var top: Int?
        /// Keeps this count, so that later ones are compared with it.
        package var mark: Bool?
        /// Lists the changes since the mark, or since the count before.
        package var diff: Bool?
    }

    package typealias Answer = HeapAnswer

    package static let description = CommandDescription(
        "heap [--top N] [--mark] [--diff]", "what is on the heap: classes by count and bytes",
        detail: """
            Every block of the C library's allocator is counted, and nothing is stopped: instances
            by class, arrays, strings, what closures have captured, tasks; all else by size.
            --top N    how many classes are listed; 20 without it
            --mark     keeps this count: `heap --diff` compares with it from then on
            --diff     what has grown or shrunk since the mark, or since the last `heap`
            """, example: "heap --top 10")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let parameters = Parameters(
            top: try arguments.count("--top"), mark: arguments.flag("--mark"),
            diff: arguments.flag("--diff"))
        if parameters.mark == true, parameters.diff == true {
            throw usage("heap takes --mark or --diff, not both")
        }
        return parameters
    }
}
#endif
