#if TELLTALE_COMPILED
/// `dump`: the full dump, new or kept.
package enum DumpCommand: Command {
    package struct Parameters: JSONCodable {
        /// The number of an earlier dump to show again; nil makes a new one.
        package var id: Int?
        /// The file the client writes; the agent never opens a path that a client names.
        package var output: String?
        /// Has the lines come ahead as `part` notifications; the answer's own `lines` are then empty.
        package var stream: Bool?
    }

    package typealias Answer = DumpAnswer

    package static let description = CommandDescription(
        "dump [ID] [--output FILE]", "write a full dump, or show an earlier one by id",
        detail: """
            The same text as the dump signal writes, kept for a while under its id.
            --output FILE, -o FILE    also writes it into a file, where the client runs
            """,
        example: "dump --output photos.dump", timeout: .seconds(30), isStreamed: true)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let output = try arguments.option("--output", "-o", needs: "a file")
        let word = arguments.optionalWord()
        try arguments.end()
        guard let word else { return Parameters(output: output) }
        guard let id = Int(word.first == "d" ? word.dropFirst() : word[...]), id > 0 else {
            throw usage("'\(word)' is not the id of a dump, such as d7 or 7")
        }
        return Parameters(id: id, output: output)
    }

    package static func completion(after words: [String]) -> CompletionPlace {
        words.last == "--output" || words.last == "-o" ? .file : .nothing
    }

    // Each object is read by its owner, and the wrong process would keep the dump.
    package static func isHarmless(_ parameters: Parameters) -> Bool { false }
}

/// The answer to `dump`. Its lines are sent ahead as `part` notifications while it is made.
public struct DumpAnswer: StreamedAnswer {
    package static let kind = "dump"

    /// Its number; `d7` on the screen.
    public var id: Int
    /// The time it began, UTC with milliseconds.
    public var time: String
    /// All lines, each with the prefix, without line ends.
    public var lines: [String]
    /// The number of things that were asked for but not available.
    public var missing: Int
    /// The file it was also written to, if one was asked for.
    public var file: String?

    package init(id: Int, time: String, lines: [String], missing: Int, file: String?) {
        self.id = id
        self.time = time
        self.lines = lines
        self.missing = missing
        self.file = file
    }

    package var again: String { "dump d\(id)" }

    package func lines(_ style: TextStyle) -> [String] {
        guard let file else { return lines }
        let gap = missing > 0 ? ", missing=\(missing)" : ""
        return ["\(again): \(lines.count) lines written to \(file)\(gap)"]
    }
}
#endif
