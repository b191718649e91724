#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension DoctorCommand: AgentCommand {
    /// The time for each of the two captures.
    private static let capture = Duration.seconds(3)
    /// The time for the search for what could end a wait, beyond the time of watching.
    private static let search = Duration.seconds(4)
    /// The time for each count of the heap, and for finding who keeps the objects that grow.
    private static let heapTime = Duration.milliseconds(1500)

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
        let first = captured(by: agent)
        let began = MonotonicTime(first.time)
        var heap = GrownClasses(within: heapTime)
        var samples = [sample(first, first.border, &heap)]
        var search = StuckSearch(
            agent: agent, deadline: .now.advanced(by: .seconds(seconds) + Self.search))
        search.watchesCores = true
        let stuck = search.answer(from: first)
        try wait(until: began.advanced(by: .seconds(seconds / 2)), in: context)
        samples.append(midway(agent, &heap))
        try wait(until: began.advanced(by: .seconds(seconds)), in: context)
        let last = captured(by: agent)
        samples.append(sample(last, last.border, &heap))
        var doctor = Doctor(
            of: first, last, stuck: stuck, history: agent.shared.waits.withLock { $0 })
        let end = MonotonicTime.now.advanced(by: heapTime)
        if let owner = DescriptorOwners.owner(of: doctor.crowd, until: end) {
            doctor.add(holderOfCrowd: owner.type)
        }
        let slow = agent.shared.history.growths(heap.gap == nil ? samples.last : nil)
        let known = Set(slow.map(\.subject))
        // The memory of a service changes by some in any two seconds.
        let recent = Growth.all(in: samples).filter {
            !known.contains($0.subject) && $0.subject != .residentMemory
        }
        var grown = heap.named(slow + recent)
        if let first = grown.first {
            grown[0].growth.holder = GrowthHolders.holder(
                of: heap.examples(of: first.growth, atMost: 3), in: last, agent: agent, until: end)
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

    private static func captured(by agent: Agent) -> Picture {
        let deadline = MonotonicTime.now.advanced(by: capture)
        var picture = StuckSearch(agent: agent, deadline: deadline).capture()
        picture.border = BorderReader.read(picture.threads, until: deadline)
        return picture
    }

    /// The figures in the middle of the time. They need no tasks and no stacks, of which a service may have
    /// hundreds of thousands.
    private static func midway(_ agent: Agent, _ heap: inout GrownClasses) -> GrowthSample {
        let deadline = MonotonicTime.now.advanced(by: capture)
        let timers = agent.capture([.timers, .queues], until: deadline)
        return sample(timers, BorderReader.read([], until: deadline), &heap)
    }

    private static func sample(
        _ picture: Picture, _ border: BorderFacts?, _ heap: inout GrownClasses
    ) -> GrowthSample {
        var sample = ProcessHistory.figures()
        sample.add(picture, border ?? BorderFacts())
        heap.count(into: &sample)
        return sample
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
