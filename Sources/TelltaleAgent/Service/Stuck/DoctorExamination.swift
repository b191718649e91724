#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// An examination by `doctor`: a capture of the process with its border, another one later, and the figures
/// between them that tell what grows.
struct DoctorExamination {
    /// The time for each of the two captures.
    private static let capture = Duration.seconds(3)
    private static let mostLooks = 7
    /// The number of samples from which a growth is told.
    private static let leastSamples = 4
    /// The time for a count of the heap that is only made for names, and for finding holders then.
    private static let naming = Duration.milliseconds(50)

    private let agent: Agent
    /// The process when it began to be watched.
    let first: Picture
    private var heap: GrownClasses?
    private var samples: [GrowthSample] = []
    /// Queues that have gone on in a picture between the two.
    private var movedQueues: Set<UInt> = []
    /// The time that the figures took, in seconds.
    private var lookTook = 0.0
    /// The time for finding the holders of what has been found.
    private let holderTime: Duration

    /// Begins with a picture that was captured just now.
    ///
    /// - Parameters:
    ///   - agent: The agent.
    ///   - first: A picture without its border.
    ///   - heapTime: The time for each count of the heap, and for finding who keeps the objects that grow;
    ///     `nil` counts nothing: growth is then told by the agent's history alone.
    init(by agent: Agent, from first: Picture, countingFor heapTime: Duration?) {
        self.agent = agent
        self.first = Self.withBorder(first)
        holderTime = heapTime ?? Self.naming
        heap = heapTime.map { GrownClasses(within: $0) }
        addSample(self.first, self.first.border)
    }

    /// Captures the process.
    ///
    /// - Parameter agent: The agent.
    /// - Returns: A picture without its border.
    static func captured(by agent: Agent) -> Picture {
        StuckSearch(agent: agent, deadline: .now.advanced(by: capture)).capture()
    }

    private static func withBorder(_ picture: Picture) -> Picture {
        var picture = picture
        let deadline = MonotonicTime.now.advanced(by: capture)
        picture.border = BorderReader.read(picture.threads, until: deadline)
        GuardedReading.unbuffered { addNIO(to: &picture, until: deadline) }
        return picture
    }

    /// Adds what only `doctor` judges of SwiftNIO: a probe has no time for it.
    private static func addNIO(to picture: inout Picture, until deadline: MonotonicTime) {
        picture.packagePools = NIOThreadPools.read(picture.threads, until: deadline)
        for index in picture.eventLoops.indices where picture.eventLoops[index].make == .nio {
            let loop = picture.eventLoops[index]
            let thread = loop.waiting.first ?? loop.threads.first
            let stack = picture.threads.first { $0.id == thread }?.liveStack
            guard let stack else { continue }
            let pending = NIOPromises.pending(onStack: stack, until: deadline)
            picture.eventLoops[index].promises = pending.promises
            if pending.isCut {
                let most = Quantity.count(NIOPromises.most)
                picture.add(
                    ["only \(most) promises of event loop \(loop.label) were looked at"],
                    to: .eventLoops)
            }
        }
    }

    /// The moments at which the figures are taken: from as many samples as a quarter of the time suffices for,
    /// chance is told from growth. In a service whose figures take long it is one, in the middle.
    ///
    /// - Parameter seconds: The time until the second capture.
    /// - Returns: 1 to 7 moments, in seconds from now.
    func looks(within seconds: Double) -> [Double] {
        let looks = min(max(Int(seconds / 4 / max(lookTook, 0.001)), 1), Self.mostLooks)
        return (1...looks).map { seconds * Double($0) / Double(looks + 1) }
    }

    /// Takes the figures between the captures. They need no tasks and no stacks, of which a service may have
    /// hundreds of thousands.
    mutating func look() {
        let began = MonotonicTime.now
        let deadline = began.advanced(by: Self.capture)
        let timers = agent.capture([.timers, .queues], until: deadline)
        addSample(timers, BorderReader.read([], until: deadline))
        movedQueues.formUnion(first.queues(movedIn: timers))
        lookTook = MonotonicTime.now.since(began).seconds
    }

    private mutating func addSample(_ picture: Picture, _ border: BorderFacts?) {
        var sample = ProcessHistory.figures()
        sample.add(picture, border ?? BorderFacts())
        heap?.count(into: &sample)
        samples.append(sample)
    }

    /// Captures the process again, and judges.
    ///
    /// - Parameter stuck: The answer of `stuck` since the first capture.
    /// - Returns: The findings, worst first.
    mutating func answer(with stuck: StuckAnswer) -> DoctorAnswer {
        answer(with: stuck, at: Self.withBorder(Self.captured(by: agent)))
    }

    /// Captures the threads again, and judges all that needs no second search of the memory: not whether queues and
    /// tasks have gone on.
    ///
    /// - Parameter stuck: The answer of `stuck` since the first capture.
    /// - Returns: The findings, worst first.
    mutating func briefAnswer(with stuck: StuckAnswer) -> DoctorAnswer {
        let later = StuckSearch(agent: agent, deadline: .now.advanced(by: Self.capture))
            .capture([.threads, .stacks, .waits, .eventLoops])
        var last = first
        last.time = later.time
        last.lostTime = later.lostTime
        last.threads = later.threads
        last.eventLoops = later.eventLoops
        last.names.merge(later.names) { known, _ in known }
        return answer(with: stuck, at: Self.withBorder(last), isBrief: true)
    }

    private mutating func answer(
        with stuck: StuckAnswer, at last: Picture, isBrief: Bool = false
    ) -> DoctorAnswer {
        addSample(last, last.border)
        var doctor = Doctor(
            of: first, last, stuck: stuck, history: agent.shared.waits.withLock { $0 },
            movedQueues: movedQueues, isBrief: isBrief)
        let end = MonotonicTime.now.advanced(by: holderTime)
        if let owner = DescriptorOwners.owner(of: doctor.crowd, until: end) {
            doctor.add(holderOfCrowd: owner.type)
        }
        doctor.add(growths(in: last, until: end))
        let facts = last.border ?? BorderFacts()
        var answer = doctor.answer(
            of: DoctorAnswer.Process(
                name: agent.name, pid: ProcessIdentity.pid, uptimeSeconds: facts.uptimeSeconds,
                residentBytes: facts.residentBytes, usedCores: doctor.usedCores,
                cores: ProcessIdentity.cores, threads: last.threads.count { !$0.isAgent },
                tasks: last.absence(of: .tasks) == nil ? last.tasks.count : nil))
        if let gap = heap?.gap { answer.notes.append(gap) }
        return answer
    }

    private func growths(
        in last: Picture, until end: MonotonicTime
    ) -> [(name: String, growth: Growth)] {
        let isCounted = heap.map { $0.gap == nil } ?? false
        let slow = agent.shared.history.growths(isCounted ? samples.last : nil)
        let known = Set(slow.map(\.subject))
        // The memory of a service changes by some in any two seconds.
        let recent = Growth.all(in: samples, least: Self.leastSamples, isSteady: true)
            .filter {
                !known.contains($0.subject) && $0.subject != .residentMemory
            }
        var heap = self.heap ?? GrownClasses(within: Self.naming)
        if self.heap == nil, slow.contains(where: \.isOfClass) {
            // The history knows classes by their words; a count knows their names.
            var count = GrowthSample(seconds: 0)
            heap.count(into: &count)
        }
        var grown = heap.named(slow + recent)
        if let first = grown.first {
            grown[0].growth.holder = GrowthHolders.holder(
                of: heap.examples(of: first.growth, atMost: 3), in: last, agent: agent, until: end)
        }
        return grown
    }
}

extension Growth {
    fileprivate var isOfClass: Bool {
        if case .heap = subject { true } else { false }
    }
}
#endif
