#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension DoctorCommand: AgentCommand {
    /// The time for the captures and searches, beyond the time of watching.
    private static let work = Duration.seconds(8)
    /// The time for finding who keeps the objects that grow.
    private static let holderSearch = Duration.milliseconds(1500)

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let length = min(
            max(parameters.forSeconds ?? Parameters.usualSeconds, 0), Parameters.mostSeconds)
        var answer = try self.answer(watching: length, in: context)
        answer.isStrict = parameters.strict
        return answer
    }

    private static func answer(
        watching seconds: Double, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let agent = context.agent
        var search = StuckSearch(
            agent: agent, deadline: .now.advanced(by: .seconds(seconds) + work))
        search.watchesCores = true
        var heap = GrownClasses(until: search.deadline)
        var samples: [GrowthSample] = []
        func capture() -> Picture {
            var picture = search.capture()
            picture.border = BorderReader.read(picture.threads, until: search.deadline)
            var sample = GrowthSample(picture)
            heap.count(into: &sample)
            samples.append(sample)
            return picture
        }
        let first = capture()
        let began = MonotonicTime(first.time)
        let end = began.advanced(by: .seconds(seconds))
        let stuck = search.answer(from: first)
        try wait(until: began.advanced(by: .seconds(seconds / 2)), in: context)
        _ = capture()
        try wait(until: end, in: context)
        let last = capture()
        var doctor = Doctor(
            of: first, last, stuck: stuck, history: agent.shared.waits.withLock { $0 })
        if let owner = DescriptorOwners.owner(of: doctor.crowd, until: search.deadline) {
            doctor.add(holderOfCrowd: owner.type)
        }
        let slow = agent.shared.history.growths(heap.gap == nil ? samples.last : nil)
        let known = Set(slow.map(\.subject))
        let recent = Growth.all(in: samples).filter { !known.contains($0.subject) }
        var grown = heap.named(slow + recent)
        if let first = grown.first {
            grown[0].growth.holder = GrowthHolders.holder(
                of: heap.examples(of: first.growth, atMost: 3), in: last, agent: agent,
                until: min(search.deadline, .now.advanced(by: holderSearch)))
        }
        doctor.add(grown)
        let facts = last.border ?? BorderFacts()
        var answer = doctor.answer(
            of: Answer.Process(
                name: agent.name, pid: ProcessIdentity.pid, uptimeSeconds: facts.uptimeSeconds,
                residentBytes: facts.residentBytes, usedCores: doctor.usedCores,
                cores: ProcessIdentity.cores, threads: last.threads.count { !$0.isAgent },
                tasks: last.absence(of: .tasks) == nil ? last.tasks.count : nil))
        if let gap = heap.gap { answer.notes.append(gap) }
        return answer
    }

    /// Waits, and gives the connection's thread back soon if its client leaves.
    private static func wait(
        until moment: MonotonicTime, in context: CommandContext
    ) throws(CommandFailure) {
        while .now < moment {
            guard !context.isClientGone() else {
                throw CommandFailure(.gone, "the client has left while the process was watched")
            }
            let next = MonotonicTime.now.advanced(by: .milliseconds(100))
            _ = TimedCondition(false).wait(until: min(moment, next)) { $0 ? true : nil }
        }
    }
}
#endif
