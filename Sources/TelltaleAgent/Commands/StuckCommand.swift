#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

extension StuckCommand: AgentCommand {
    /// The part of the time limit that is reserved for the answer itself; at most half of a short limit.
    private static let margin = Duration.milliseconds(500)
    /// The time without progress, in seconds, after which a probe counts a wait as stuck.
    private static let probed = 30.0

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let after = parameters.afterSeconds.map { min(max($0, 0), 86_400) }
        var answer: StuckAnswer
        if parameters.probe == true {
            answer = try probe(after ?? probed, context.agent)
        } else {
            let left = context.deadline.remaining
            let time = left - min(margin, left / 2)
            var search = StuckSearch(
                agent: context.agent, deadline: .now.advanced(by: time),
                thresholds: after.map { Thresholds.all($0) })
            search.watchesCores = true
            answer = search.answer(from: search.capture())
        }
        answer.isStrict = parameters.strict
        return answer
    }

    private static func probe(
        _ after: Double, _ agent: Agent
    ) throws(CommandFailure) -> StuckAnswer {
        let answer = agent.shared.probeLooks.answer(
            after: after, known: agent.shared.judgement.dated, on: agent.threads
        ) { longest, doubt in
            var search = StuckSearch(
                agent: agent, deadline: .now.advanced(by: longest),
                thresholds: .all(after))
            search.isProbe = true
            search.mostPictures = 2
            search.doubt = doubt
            let judged = search.judgement(from: search.capture())
            return ProbeLooks.Outcome(answer: judged.answer, holds: judged.holds)
        }
        guard var answer else {
            throw CommandFailure(
                .timeout,
                "not known: looking at the process took longer than "
                    + "\(Quantity.time(ProbeLooks.longest)), which a busy machine may need",
                hint: "ask again: the look goes on, and the next probe gets its result")
        }
        if !answer.isStuck, let full = agent.shared.history.timeWithoutDescriptors(),
            full.time.seconds >= after
        {
            answer.add(full.limit, seconds: full.time.seconds)
        }
        if !answer.isStuck,
            let deaf = agent.shared.history.timeOfDeafListener(agent.shared.threads),
            deaf.time.seconds >= after
        {
            answer.add(deaf.listener, seconds: deaf.time.seconds)
        }
        return answer
    }
}

extension StuckAnswer {
    /// Adds that no descriptor is free: a service without one serves no new client.
    fileprivate mutating func add(_ limit: DescriptorLimit, seconds: Double) {
        findings.insert(
            Finding(
                .outOfDescriptors(open: limit.open, limit: limit.limit), .stuck, seconds: seconds,
                parties: []), at: 0)
        verdict = .blocked
        next = ["doctor", "info --files"]
    }

    /// Adds that no thread accepts the connections of a full listener.
    fileprivate mutating func add(_ deaf: DeafListener, seconds: Double) {
        findings.insert(
            Finding(
                .listenerDeaf(
                    name: deaf.name, waiting: deaf.backlog.waiting, limit: deaf.backlog.limit),
                .stuck, seconds: seconds, parties: []), at: 0)
        verdict = .blocked
        next = ["doctor", "threads"]
    }
}
#endif
