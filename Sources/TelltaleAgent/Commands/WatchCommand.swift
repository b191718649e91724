#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension WatchCommand: AgentCommand {
    /// The name of what `watch stuck` switches.
    private static let hangWatch = "hang watch"

    /// The threshold without `--every` and without a configured one.
    private static let usual = Duration.seconds(5)

    /// The depth at which a watched value is shown, and the number of elements of its collections.
    private static let depth = 3
    private static let elements = 20
    /// The maximum number of bytes of a value's line; more are truncated.
    private static let longest = 4096

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        if let paths = parameters.paths {
            return try look(at: paths, isFirst: parameters.isLater != true, in: context)
        }
        if parameters.command != nil {
            throw CommandFailure(
                .unsupported, "a command is watched by the client, which asks it again and again",
                hint: "type it again, or use `telltale`")
        }
        guard parameters.what == stuck else {
            throw CommandFailure(
                .usage, "'\(parameters.what.escaped(limit: 60))' can't be watched",
                hint: "watch stuck")
        }
        let agent = context.agent
        if parameters.off == true {
            let was = agent.hangWatch.threshold != nil
            try? agent.hangWatch.set(nil, for: agent)
            return ControlAnswer(
                action: description.name, target: hangWatch,
                result: was ? "off" : "off, as it was before")
        }
        let seconds = min(max(parameters.everySeconds ?? 0, 0), 86_400)
        let threshold =
            parameters.everySeconds == nil
            ? agent.configuration.hangWatch ?? usual
            : max(.milliseconds(Int64(seconds * 1000)), AgentConfiguration.shortestHang)
        do throws(SystemError) {
            try agent.hangWatch.set(threshold, for: agent)
        } catch {
            throw CommandFailure(.bound, "nothing is watched: \(error)")
        }
        return ControlAnswer(
            action: description.name, target: hangWatch,
            result:
                "on; if a registered owner makes no progress for \(Quantity.time(threshold)), the "
                + "service writes a dump",
            note: "it stays on after this client has left, until `watch stuck off`")
    }

    /// Reads the values once, since the client repeats the command. A value that can't be read doesn't
    /// affect the others.
    private static func look(
        at paths: [String], isFirst: Bool, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard !paths.isEmpty, paths.count <= mostPaths else {
            throw CommandFailure(
                .usage, "1 to \(mostPaths) paths are watched", hint: description.example)
        }
        let reading = PathReading(context: context)
        var values: [WatchedValue] = []
        var unknown: CommandFailure?
        var isAnyKnown = false
        for path in paths {
            var limits = context.agent.readLimits(
                until: context.deadline, depth: depth, elements: elements)
            limits.isBrief = true
            do throws(CommandFailure) {
                let answer = try reading.read(path, limits: limits, snapshot: false)
                values.append(WatchedValue(path: path, text: line(of: answer)))
                isAnyKnown = true
            } catch {
                // A path that can't be parsed will never be valid.
                if error.code == .usage { throw error }
                if !error.isUnknownName {
                    isAnyKnown = true
                } else if unknown == nil {
                    unknown = error
                }
                values.append(WatchedValue(path: path, text: nil, failure: error.message))
            }
        }
        // A mistyped name would be waited for without end.
        if let unknown, !isAnyKnown, isFirst { throw unknown }
        return ControlAnswer(
            action: description.name, target: Self.values, result: "looked at", values: values)
    }

    private static func line(of answer: ValueAnswer) -> String {
        let text = PlainAnswer(answer).rendered(TextStyle())
        guard text.utf8.count > longest else { return text }
        return String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
    }
}
#endif
