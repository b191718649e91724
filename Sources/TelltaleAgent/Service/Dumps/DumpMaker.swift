#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Makes a dump: takes one picture of the process, then sends all requests to the host at once, so that
/// owners that don't respond cost one deadline together. The dump's content is made of the commands'
/// answers.
struct DumpMaker: Sendable {
    let agent: Agent
    let id: Int
    let cause: DumpReport.Cause

    /// The time of a capture from which the threads are not captured again, for `doctor`.
    private static let longestCapture = Duration.milliseconds(500)
    /// The number of waiting items that are shown for a queue that doesn't respond.
    private static let items = 3

    /// Makes the dump, and counts in `missing` the parts that were not available. The diagnosis and the
    /// picture behind it may be `known` already.
    func make(
        previous: (id: Int, age: Duration)?, known: (answer: StuckAnswer, picture: Picture)? = nil
    ) -> DumpAnswer {
        let began = MonotonicTime.now
        let time = Quantity.moment(nanoseconds: WallClock.nanoseconds)
        // The picture is taken before any request to the host, so that the agent's own items aren't in it.
        // No part of it waits for the host.
        let search = StuckSearch(agent: agent, deadline: began.advanced(by: captureTime))
        // Without memory left, the dump leaves out stacks, tasks and operations.
        let isRoomy = MemoryRoom.isEnough
        let picture = known?.picture ?? (isRoomy ? search.capture() : smallPicture)
        let took = MonotonicTime.now.since(began)
        let examination =
            isRoomy && took < Self.longestCapture
            ? DoctorExamination(by: agent, from: picture, countingFor: nil) : nil

        var asking = QueueAsking(agent: agent)
        asking.start()
        // Counted from now: on a loaded machine the picture may have taken longer than this time.
        let deadline = MonotonicTime.now.advanced(by: ownerTime)
        let reading = DumpedObjects(agent: agent, within: ownerTime)
        // Further pictures, if the first was inconclusive, are taken while the owners respond.
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
        if var examination {
            let answer = examination.briefAnswer(with: stuck)
            report.doctor = answer.findings
            report.doctorNotes = answer.notes.filter { !stuck.notes.contains($0) }
        } else if isRoomy {
            report.doctorGap = "not looked at: a capture takes \(Quantity.time(took))"
        }
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

    /// The number of classes that are listed, and the time limit of the count in a large heap.
    private static let classes = 5
    private static let heapTime = Duration.milliseconds(50)

    /// Adds the largest classes of the heap.
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

    /// The queues that the host has registered, without a search; this costs next to no memory.
    private var smallPicture: Picture {
        var capture = Capture(.queues, of: agent, until: .now.advanced(by: captureTime))
        capture.isSearching = false
        capture.items = Self.items
        return capture.take()
    }

    /// The time limit of owners. It is shorter for a hang: the hang watch already knows that its owners
    /// don't respond.
    private var ownerTime: Duration {
        let usual = agent.configuration.ownerDeadline
        if case .hang = cause { return min(usual, .milliseconds(250)) }
        return usual
    }

    /// The time limit of the pictures.
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
