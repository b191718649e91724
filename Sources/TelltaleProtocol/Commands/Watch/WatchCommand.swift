#if TELLTALE_COMPILED
/// `watch`: prints values or re-runs a command as they change; and `watch stuck`, the hang watch.
package enum WatchCommand: RepeatedCommand {
    package static let stuck = "stuck"
    /// More paths than this are not looked at together.
    package static let mostPaths = 16
    private static let usualEvery = 0.5
    private static let mostLooks = 1_000_000

    package struct Parameters: JSONCodable {
        /// `stuck`, for the hang watch; `values` for paths, `command` for another command.
        package var what: String
        /// The time without progress after which a dump is written, in seconds; `nil` for the
        /// configuration's. With paths, the interval of the client's requests.
        package var everySeconds: Double?
        package var off: Bool?
        /// The paths whose values are read, once.
        package var paths: [String]?
        /// Indicates a look after the first one, at which a name that does not exist is not an error:
        /// its object may be registered again.
        package var isLater: Bool?
        /// The number of times the client asks; `nil` for no end.
        package var count: Int?
        /// The line of another command, which the client sends instead of this one.
        package var command: String?
    }

    package typealias Answer = ControlAnswer

    package static let values = "values"
    package static let command = "command"
    /// A command's answer is more than a value, and read by a person.
    private static let usualCommandEvery = 1.0

    package static let description = CommandDescription(
        "watch PATH…|COMMAND|stuck [off] [--every TIME] [--count N]",
        "print values or re-run a command as they change",
        detail: """
            PATH: prints each value, and then each change with its time, the old and the new value; for
            numbers on a terminal also a small graph. At most 16 paths; an expression needs parentheses
            or quotes: watch (photos.items where state == .ready count).
            COMMAND: any that changes nothing, such as `watch queues` or `watch doctor`: redrawn in
            place; * marks the lines that were not in the answer before.
            --every TIME    the time between two reads: 500 ms without it, 1 s for a command, from 10ms
            --count N       the number of reads; without it until Ctrl-C
            The client reads again and again and stops when it exits. Each read runs once on the owner
            of each path. A value that changes and changes back between two reads is not seen.
            If no object or property of these names exists at the first read, that is an error.
            stuck: switches on the hang watch, in the service. If a registered owner makes no progress
            for TIME (such as 5s or 500ms), the service writes one dump that begins with the answer of
            `stuck`; then it stays quiet until everything it named has made progress. It stays on after
            this client has left, until `watch stuck off`. `watch stuck --strict` repeats the command
            `stuck` instead.
            """,
        example: "watch photos.items.count --every 1s --count 60")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let every = try arguments.time("--every")
        let count = try arguments.count("--count")
        if let count, count < 1 || count > mostLooks {
            throw usage("--count of watch needs a number from 1 to \(mostLooks)")
        }
        if let line = try commandLine(&arguments) {
            return Parameters(what: command, everySeconds: every, count: count, command: line)
        }
        let words = arguments.allTypedWords()
        guard let first = words.first else {
            throw usage("watch needs a path, or `stuck`")
        }
        guard first == stuck else {
            guard words.count <= mostPaths else {
                throw usage("\(words.count) paths; \(mostPaths) are watched at most")
            }
            return Parameters(
                what: values, everySeconds: every, paths: words, count: count)
        }
        if count != nil {
            throw usage("--count is for paths: `watch stuck` goes on until it is off")
        }
        if let off = words.dropFirst().first {
            guard off == "off", words.count == 2 else {
                throw usage("unexpected argument '\(off == "off" ? words[2] : off)'")
            }
        }
        return Parameters(
            what: stuck, everySeconds: every, off: words.count > 1 ? true : nil)
    }

    /// The line of a command, whose options are its own; `nil` if no command is watched.
    private static func commandLine(
        _ arguments: inout CommandArguments
    ) throws(CommandFailure) -> String? {
        guard let word = arguments.firstWord, let asked = CommandTable.command(named: word),
            // `stuck` alone, and with `off`, is the hang watch.
            asked.description.name != stuck || arguments.hasOption(among: asked.description.options)
        else { return nil }
        let description = asked.description
        guard description.effect == .reads, !description.isStreamed, !description.endsSession,
            !(asked is any RepeatedCommand.Type)
        else {
            throw usage("\(description.name) can't be watched: only commands that read can")
        }
        let line = arguments.takeRest()
        _ = try CommandLineParser.parse(line)
        return line
    }

    package static func completion(after words: [String]) -> CompletionPlace {
        if words.isEmpty { return .pathOr(CommandTable.readingNames) }
        if words[0] != stuck, let asked = CommandTable.command(named: words[0]) {
            return asked.completion(after: Array(words.dropFirst()))
        }
        if words[0] != stuck { return .path }
        return words.count == 1 ? .words(["off"]) : .nothing
    }

    // The hang watch of another process would be switched.
    package static func isHarmless(_ parameters: Parameters) -> Bool {
        parameters.paths != nil || parameters.command != nil
    }

    package static func repetition(of parameters: JSONValue) -> Repetition? {
        guard let parameters = try? Parameters(json: parameters),
            parameters.paths != nil || parameters.command != nil
        else { return nil }
        var later = parameters
        later.isLater = true
        let usual = parameters.command == nil ? usualEvery : usualCommandEvery
        let seconds = min(max(parameters.everySeconds ?? usual, 0.01), 86_400)
        return Repetition(
            every: .milliseconds(Int64(seconds * 1000)),
            count: parameters.count.map { min(max($0, 1), mostLooks) },
            command: parameters.command, later: try? later.json())
    }
}

/// A value as it was when it was looked at.
public struct WatchedValue: Codable, Sendable, Equatable {
    /// The path, as it was asked for.
    public var path: String
    /// The value on one line, as it would be typed; `nil` without one.
    public var text: String?
    /// The reason that there is no value.
    public var failure: String?

    package init(path: String, text: String?, failure: String? = nil) {
        self.path = path
        self.text = text
        self.failure = failure
    }

    /// The text that is compared and shown.
    var shown: String { text ?? "<\(failure ?? "not read")>" }
}
#endif
