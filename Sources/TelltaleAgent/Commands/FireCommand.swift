#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension FireCommand: AgentCommand {
    /// What fires by itself before that would be brought forward by nothing.
    private static let soonest = 0.05

    static func changed(_ parameters: Parameters) -> String? { parameters.target }

    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        context.names(ofPath: parameters.target)
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let object = ForcedObject<TimerFacts>(
            context: context, kind: "timer", list: "timers", part: .timers,
            read: { $0.timer(at: $1) })
        let found = try object.find(parameters.target)
        _ = try check(found.facts, parameters)
        try object.confirm(
            parameters, description,
            "the handler runs before its time, and what it relies on may not have happened")
        // As it is now.
        guard let now = found.reader.timer(at: found.address) else {
            throw CommandFailure(.gone, "the timer is gone")
        }
        let left = try check(now, parameters)
        guard found.reader.fire(found.address) else {
            throw CommandFailure(
                .unsupported, "its clock counts the time asleep too, which can't be set from here")
        }
        let interval = now.interval.map { Quantity.time(seconds: $0) }
        return object.answer(
            description, found, parameters,
            result: "fires now, instead of in \(Quantity.time(seconds: left))",
            note: interval.map { "it goes on every \($0) from now, without leeway" }
                ?? "it doesn't fire again")
    }

    /// In how many seconds it fires.
    ///
    /// - Throws: Why it can't be brought forward.
    private static func check(
        _ timer: TimerFacts, _ parameters: Parameters
    ) throws(CommandFailure) -> Double {
        let name = parameters.target.escaped(limit: 100)
        let reason: String
        if timer.isCancelled {
            reason = "is cancelled"
        } else if timer.suspendCount > 0 {
            reason = "is suspended: only its own resume() lets it fire"
        } else if let seconds = timer.firesIn {
            guard seconds <= soonest else { return seconds }
            reason = "fires by itself now"
        } else {
            reason = "is not set to any time"
        }
        throw CommandFailure(
            .conflict, "\(name) \(reason)", hint: "`timers --all` shows the state of each")
    }
}
#endif
