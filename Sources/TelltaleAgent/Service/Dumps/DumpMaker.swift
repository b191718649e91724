#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Makes a dump: one picture of the process, then everything that is asked of the host, at once, so that
/// owners that don't answer cost one deadline together. What it says is made of the commands' answers.
struct DumpMaker: Sendable {
    let agent: Agent
    let id: Int
    let cause: DumpReport.Cause

    /// How many waiting items are shown of a queue that doesn't answer.
    private static let items = 3

    /// Makes it; what could not be had is counted in `missing`. What doesn't move and the picture
    /// that shows it may be `known` already.
    func make(
        previous: (id: Int, age: Duration)?, known: (answer: StuckAnswer, picture: Picture)? = nil
    ) -> DumpAnswer {
        let began = MonotonicTime.now
        let time = Quantity.moment(nanoseconds: WallClock.nanoseconds)
        // The picture goes ahead of all that asks the host, so that the agent's own items aren't in
        // it; no part of it waits for the host.
        let search = StuckSearch(agent: agent, deadline: began.advanced(by: captureTime))
        // Without memory left a dump has what it had before there were stacks in it.
        let isRoomy = MemoryRoom.isEnough
        let picture = known?.picture ?? (isRoomy ? search.capture() : smallPicture)
        let took = MonotonicTime.now.since(began)

        var asking = QueueAsking(agent: agent)
        asking.start()
        // From now on: on a loaded machine the picture may have taken longer than that.
        let deadline = MonotonicTime.now.advanced(by: ownerTime)
        let reading = DumpedObjects(agent: agent, within: ownerTime)
        // Further pictures, where the first left it open, take their time while the owners have theirs.
        let stuck = known?.answer ?? (isRoomy ? search.answer(from: picture) : .unseen)
        let objects = reading.finish()
        let asked = asking.finish(until: deadline, picture)

        let facts = ProcessFacts()
        var report = DumpReport(
            id: id, time: time, buildID: agent.buildID, cause: cause,
            previous: previous.map { ($0.id, $0.age.seconds) },
            captured: Quantity.moment(nanoseconds: picture.date),
            captureMicroseconds: took.microseconds,
            status: agent.statusAnswer(picture, asked: asked, facts),
            process: DumpReport.Process(
                descriptors: facts.descriptors, descriptorLimit: facts.descriptorLimit,
                debugger: ProcessFacts.tracer.map { ProcessFacts.rendered($0) }), stuck: stuck,
            queues: QueuesAnswer(picture, asked: asked, all: false))
        report.silentQueues = asked.filter { $0.finding != nil }.compactMap { outcome in
            picture.queues.first { $0.address == outcome.address }.map {
                QueueAnswer($0, in: picture, asked: outcome, items: Self.items)
            }
        }
        report.objects = objects
        add(picture, to: &report)
        if isRoomy { addHeap(to: &report) }
        let lines = report.lines(took: MonotonicTime.now.since(began).microseconds)
        let answer = DumpAnswer(
            id: id, time: time, lines: lines, missing: report.missing, file: nil)
        agent.dumps.keep(answer)
        return answer
    }

    private func add(_ picture: Picture, to report: inout DumpReport) {
        guard picture.parts.contains(.threads) else {
            report.absences.append(
                "MEMORY none is left: stacks, tasks and operations were not looked at")
            return
        }
        if let reason = picture.absence(of: .tasks) {
            report.absences.append("TASKS \(reason)")
        } else {
            report.tasks = TasksAnswer(picture, full: false)
        }
        if let reason = picture.absence(of: .actors) {
            report.absences.append("ACTORS \(reason)")
        } else {
            report.actors = ActorsAnswer(
                picture, registered: agent.shared.objects.actorNames, all: false)
        }
        report.operations = OperationsAnswer(picture)
        report.stacks = StackAnswer(picture, full: false, all: false)
    }

    /// How many classes are listed, and how long the count of a large heap may take.
    private static let classes = 5
    private static let heapTime = Duration.milliseconds(50)

    /// The largest classes of the heap.
    private func addHeap(to report: inout DumpReport) {
        let deadline = MonotonicTime.now.advanced(by: Self.heapTime)
        do throws(CommandFailure) {
            let census = try HeapCensus.counted(until: deadline)
            guard census.gaps.isEmpty else {
                report.heapGap = "not available: \(census.gaps[0]); `heap` takes longer"
                return
            }
            var answer = HeapAnswer(census)
            answer.list(census, census.rows, top: Self.classes)
            report.heap = answer
        } catch {
            report.heapGap = "not available: \(error.message)"
        }
    }

    /// What the host has shown, without a search: it costs next to no memory.
    private var smallPicture: Picture {
        var capture = Capture(.queues, of: agent, until: .now.advanced(by: captureTime))
        capture.isSearching = false
        capture.items = Self.items
        return capture.take()
    }

    /// How long owners may take. Those of whom the hang watch knows that they hang are not waited for
    /// once more.
    private var ownerTime: Duration {
        let usual = agent.configuration.ownerDeadline
        if case .hang = cause { return min(usual, .milliseconds(250)) }
        return usual
    }

    /// How long the pictures may take.
    private var captureTime: Duration {
        min(agent.configuration.commandDeadline, agent.configuration.dumpDeadline / 2)
    }
}

extension StuckAnswer {
    fileprivate static let unseen = StuckAnswer(
        verdict: .unknown, captures: 0, milliseconds: 0,
        notes: ["the process has no memory left to be looked at"])
}
#endif
