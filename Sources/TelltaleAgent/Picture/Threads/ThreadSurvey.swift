#if TELLTALE_AGENT
import CTelltaleSystem
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// What `threads` and `stack` answer, and their part of the dump.
struct ThreadSurvey {
    let look: ThreadTable.Look
    private let agent: Agent
    private let deadline: MonotonicTime
    private let took: Duration
    private let queues: [UInt: String]
    private let tasks: [UInt: String]

    /// Looks at everything that it takes but the names of functions.
    ///
    /// - Parameters:
    ///   - agent: Whose tables and symbols are used.
    ///   - selection: Which threads.
    ///   - withFrames: Whether to read their stacks.
    ///   - deadline: When the answer has to be there.
    init(
        agent: Agent, selection: ThreadTable.Selection = .all, withFrames: Bool,
        deadline: MonotonicTime
    ) {
        let began = MonotonicTime.now
        self.agent = agent
        self.deadline = deadline
        // Half of the time is for the names.
        let half = began.advanced(by: deadline.since(began) / 2)
        look = agent.shared.threads.look(
            at: selection, withFrames: withFrames, until: withFrames ? half : deadline)
        took = MonotonicTime.now.since(began)
        queues = Self.labels(of: Set(look.samples.compactMap(\.queue)), until: deadline)
        tasks = Self.titles(of: Set(look.samples.compactMap(\.task)), until: deadline)
    }

    private static func labels(of queues: Set<UInt>, until deadline: MonotonicTime) -> [UInt:
        String]
    {
        guard !queues.isEmpty else { return [:] }
        let reader = DispatchReader(
            layout: DispatchLayout.known(by: deadline), deadline: deadline)
        var labels: [UInt: String] = [:]
        for queue in queues { labels[queue] = reader.label(of: queue) }
        return labels
    }

    private static func titles(of tasks: Set<UInt>, until deadline: MonotonicTime) -> [UInt:
        String]
    {
        guard !tasks.isEmpty else { return [:] }
        let layout = TaskLayout.shared(until: deadline)
        guard layout.has(.tasks), let runtime = TaskRuntime.known else { return [:] }
        let reader = TaskReader(runtime: runtime, text: TextRanges(), endings: layout.endings)
        var titles: [UInt: String] = [:]
        for task in tasks {
            guard let facts = reader.read(at: task, withFrames: false).reading?.facts else {
                continue
            }
            let name = facts.name.map { " " + Text.oneLine($0, limit: 60) } ?? ""
            titles[task] = "#\(facts.id)\(name)"
        }
        return titles
    }

    // MARK: Threads

    /// What `threads` answers.
    ///
    /// - Parameter all: Also the agent's own.
    /// - Returns: The answer.
    func threadsAnswer(all: Bool) -> ThreadsAnswer {
        let shown = shown(all: all)
        return ThreadsAnswer(
            threads: shown.map { entry($0) }, agentThreads: look.samples.count - shown.count,
            notes: look.cuts)
    }

    private func shown(all: Bool) -> [ThreadFacts] {
        all ? look.samples : look.samples.filter { !$0.isAgent }
    }

    /// One thread as answers have it.
    func entry(_ sample: ThreadFacts) -> ThreadEntry {
        var entry = ThreadEntry(
            id: sample.id, name: Text.oneLine(sample.name, limit: 64), state: "unknown",
            queue: sample.queue.map { queue in
                queues[queue].map { Text.oneLine($0, limit: 128) }
                    ?? "0x" + String(queue, radix: 16)
            },
            task: sample.task.map { tasks[$0] ?? "0x" + String($0, radix: 16) },
            cpuSeconds: sample.processorTime.seconds, isMain: sample.isMain,
            isAgent: sample.isAgent)
        switch sample.state {
        case .running: entry.state = "running"
        case .waiting(let call):
            entry.state = "waiting"
            entry.call = call.name
        case .stopped: entry.state = "stopped"
        case .unknown(let reason): entry.note = reason
        }
        return entry
    }

    // MARK: Stacks

    /// What `stack` answers.
    ///
    /// - Parameters:
    ///   - full: Each thread by itself.
    ///   - all: Also the agent's own.
    /// - Returns: The answer.
    func stackAnswer(full: Bool, all: Bool) -> StackAnswer {
        let shown = shown(all: all)
        return StackAnswer(
            groups: named(groups(of: shown, full: full)),
            agentThreads: look.samples.count - shown.count, interrupted: look.asked,
            longestHoldNanoseconds: Int(clamping: look.longestHold),
            microseconds: took.microseconds, notes: look.cuts)
    }

    private struct Kind: Hashable {
        var frames: [RawFrame]
        var gap: String?
        var state: String
    }

    /// The main thread's first, then the largest.
    private func groups(of samples: [ThreadFacts], full: Bool) -> [[ThreadFacts]] {
        guard !full else { return samples.map { [$0] } }
        var places: [Kind: Int] = [:]
        var groups: [[ThreadFacts]] = []
        for sample in samples {
            // Those without a frame have nothing that is the same but the reason.
            let kind = Kind(
                frames: sample.frames, gap: sample.gap, state: entry(sample).stateText)
            if let place = places[kind] {
                groups[place].append(sample)
            } else {
                places[kind] = groups.count
                groups.append([sample])
            }
        }
        let order = groups.enumerated().sorted { left, right in
            let isMain = (
                left.element.contains(where: \.isMain), right.element.contains(where: \.isMain)
            )
            if isMain.0 != isMain.1 { return isMain.0 }
            if left.element.count != right.element.count {
                return left.element.count > right.element.count
            }
            return left.offset < right.offset
        }
        return order.map(\.element)
    }

    private func named(_ groups: [[ThreadFacts]]) -> [StackAnswer.Group] {
        var wanted: Set<RawFrame> = []
        for group in groups { wanted.formUnion(group.first?.frames ?? []) }
        let raw = Array(wanted)
        let resolved = agent.symbols.resolve(raw, deadline: deadline)
        let names = Dictionary(
            zip(raw, resolved.map { $0.map { StackFrame($0) } }),
            uniquingKeysWith: { first, _ in first })
        return groups.map { group in
            StackAnswer.Group(
                threads: group.map { entry($0) },
                frames: (group.first?.frames ?? []).flatMap { names[$0] ?? [] },
                gap: group.first?.gap)
        }
    }

    // MARK: The dump

    private static let mostGroups = 64
    private static let mostFrames = 40

    /// `THREADS` in the dump: the same stacks stand together; what is left out is said.
    var dumpLines: [String] {
        let samples = shown(all: false)
        func count(_ state: (ThreadFacts.State) -> Bool) -> Int {
            samples.filter { state($0.state) }.count
        }
        let running = count { $0 == .running }
        let stopped = count { $0 == .stopped }
        let waiting = count { if case .waiting = $0 { true } else { false } }
        let hold = Duration.nanoseconds(Int64(clamping: look.longestHold))
        var heading =
            "THREADS \(samples.count): \(running) running, \(waiting) waiting"
        if stopped > 0 { heading += ", \(stopped) stopped" }
        heading +=
            "; \(look.samples.count - samples.count) of the agent's own not shown; "
            + "\(look.asked) interrupted"
            + (look.asked > 0 ? ", for \(Text.seconds(hold)) at most" : "")
            + "; captured in \(Text.seconds(took))"
        var lines = [heading]
        let groups = groups(of: samples, full: false)
        for group in named(Array(groups.prefix(Self.mostGroups))) {
            lines.append(" " + Text.oneLine(StackText.heading(group.threads), limit: 400))
            lines += StackText.lines(
                of: group.frames, gap: group.gap, limit: Self.mostFrames, indent: "  ")
        }
        if groups.count > Self.mostGroups {
            lines.append(
                "  … \(groups.count - Self.mostGroups) more stacks (`stack` shows them)")
        }
        return lines + look.cuts.map { "  \(Text.oneLine($0))" }
    }
}

extension DispatchReader {
    /// The label of the queue at `address`, which a thread serves; nil where there is none.
    ///
    /// Dispatch's manager is of a kind that is not listed, and has a label as the others do.
    func label(of address: UInt) -> String? {
        guard layout.has(.queues) else { return nil }
        var words = CTelltaleDispatchQueue()
        guard ctelltale_dispatch_queue(address, &words),
            let label = DispatchText.string(at: words.label)
        else { return nil }
        return layout.kinds[words.kind_less_one &+ 1] == nil && label.isEmpty ? nil : label
    }
}
#endif
