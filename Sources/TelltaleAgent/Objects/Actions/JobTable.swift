#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The running calls into the host, including abandoned ones, and for a limited time the outcomes of
/// abandoned calls.
final class JobTable: Sendable {
    /// The maximum number of abandoned calls still running; beyond it no further call is started.
    static let mostGivenUp = 64
    /// The maximum number of ended abandoned calls kept, and the time for which they are kept.
    static let mostEnded = 32
    static let keptFor = Duration.seconds(600)

    fileprivate struct Kept {
        let command: String
        let target: String
        let owner: String
        let peer: Peer
        let began = MonotonicTime.now
        let wallTime = WallClock.nanoseconds
        /// The cancellable task of the call, until it ends.
        var task: TaskBox?
        var isRunning = false
        var givenUp: String?
        var isCancelled = false
        var change: Int?
        var outcome: CallOutcome?
        var ended: MonotonicTime?

        /// The late end of the call, for the line in the change log written when the call was abandoned.
        var lateEnd: (change: Int, result: String)? {
            guard givenUp != nil, let change, let outcome, let ended else { return nil }
            return (change, "ended after \(Quantity.time(ended.since(began))): \(outcome.text)")
        }
    }

    fileprivate struct State {
        var next = 1
        var jobs: [Int: Kept] = [:]
        var dropped = 0
    }

    fileprivate let state = Locked(State())
    private let changes: ChangeLog
    private let workers: WorkerPool
    fileprivate let memory: KeptMemory

    init(changes: ChangeLog, workers: WorkerPool, memory: KeptMemory) {
        (self.changes, self.workers, self.memory) = (changes, workers, memory)
        memory.dropping(.jobs) { [weak self] number in
            let released = self?.state.withLock { state in
                state.dropped += 1
                return state.jobs.removeValue(forKey: number)
            }
            withExtendedLifetime(released) {}
        }
    }

    /// Adds a call that is about to wait for its owner.
    ///
    /// - Throws: An error if ``mostGivenUp`` abandoned calls are still running.
    func begin(
        _ command: String, _ target: String, on owner: Owner, by peer: Peer, task: TaskBox?
    ) throws(CommandFailure) -> Job {
        let kept = Kept(
            command: command, target: target, owner: owner.description, peer: peer, task: task)
        let number = state.withLock { state -> Int? in
            let givenUp = state.jobs.values.count { $0.givenUp != nil && $0.ended == nil }
            guard givenUp < Self.mostGivenUp else { return nil }
            defer { state.next += 1 }
            state.jobs[state.next] = kept
            return state.next
        }
        guard let number else {
            throw CommandFailure(
                .bound,
                "\(target) was not called: \(Self.mostGivenUp) calls go on that were given up",
                hint: "`jobs` lists them")
        }
        return Job(number: number, table: self)
    }

    /// All known jobs, or the job with this number.
    func answer(_ number: Int?) throws(CommandFailure) -> JobsAnswer {
        let now = MonotonicTime.now
        let (jobs, dropped, next, gone) = state.withLock { state in
            let gone = state.drop(by: now)
            return (state.jobs, state.dropped, state.next, gone)
        }
        for number in gone { memory.forget(.jobs, number) }
        guard let number else {
            let entries = jobs.sorted { $0.key < $1.key }.map { Self.entry($0.key, $0.value, now) }
            let isOver = { (entry: JobsAnswer.Entry) in entry.state == JobsAnswer.ended }
            return JobsAnswer(
                jobs: entries.filter { !isOver($0) } + entries.filter(isOver), dropped: dropped)
        }
        guard let job = jobs[number] else {
            throw CommandFailure(
                .notFound,
                number < next
                    ? "job \(number) has ended: it was answered, or its result is no longer kept"
                    : "there is no job \(number)",
                hint: "`jobs` lists them; `changes` says what came of each call")
        }
        var entry = Self.entry(number, job, now)
        if case .returned(let value?)? = job.outcome { entry.value = value }
        return JobsAnswer(jobs: [entry], dropped: dropped)
    }

    /// Cancels a job's task.
    ///
    /// - Returns: The name of the called action or method.
    func cancel(_ number: Int) throws(CommandFailure) -> String {
        _ = try answer(number)
        let job = state.withLock { state -> Kept? in
            if state.jobs[number]?.task != nil { state.jobs[number]?.isCancelled = true }
            return state.jobs[number]
        }
        guard let job, job.ended == nil else {
            throw CommandFailure(
                .gone, "job \(number) has ended", hint: "`jobs \(number)` shows what it gave")
        }
        guard let task = job.task else {
            throw CommandFailure(
                .unsupported,
                "job \(number) can't be cancelled: \(job.target) is not async, and nothing else ends a "
                    + "thread that runs",
                hint: "`stack all` shows where it is")
        }
        task.cancel()
        return job.target
    }

    fileprivate func tell(_ end: (change: Int, result: String)?) {
        guard let end else { return }
        // Runs on a worker, not on the owner: the audit log may be slow.
        workers.submit { [changes] in changes.add(lateEnd: end.result, of: end.change) }
    }

    private static func entry(_ number: Int, _ kept: Kept, _ now: MonotonicTime) -> JobsAnswer.Entry
    {
        var entry = JobsAnswer.Entry(
            number: number, command: kept.command, target: kept.target,
            owner: kept.owner, by: kept.peer,
            since: Quantity.moment(nanoseconds: kept.wallTime),
            seconds: seconds((kept.ended ?? now).since(kept.began)),
            state: kept.ended != nil
                ? JobsAnswer.ended : kept.isRunning ? JobsAnswer.runs : JobsAnswer.waits)
        entry.givenUp = kept.givenUp
        entry.isCancelled = kept.isCancelled ? true : nil
        entry.result = kept.outcome?.text
        entry.endedSecondsAgo = kept.ended.map { seconds(now.since($0)) }
        entry.change = kept.change
        return entry
    }

    private static func seconds(_ time: Duration) -> Double {
        Double(time.microseconds) / 1_000_000
    }
}

extension JobTable.State {
    /// Removes ended jobs that were kept long enough, and the oldest if there are too many. Returns their
    /// numbers.
    fileprivate mutating func drop(by now: MonotonicTime) -> [Int] {
        var gone: [Int] = []
        defer { dropped += gone.count }
        var ended = jobs.filter { $0.value.givenUp != nil && $0.value.ended != nil }.keys.sorted()
        for number in ended {
            guard let end = jobs[number]?.ended, now.since(end) > JobTable.keptFor else { continue }
            jobs[number] = nil
            ended.removeAll { $0 == number }
            gone.append(number)
        }
        for number in ended.dropLast(JobTable.mostEnded) {
            jobs[number] = nil
            gone.append(number)
        }
        return gone
    }
}

/// A call in the job table.
struct Job: Sendable {
    let number: Int
    fileprivate let table: JobTable

    /// Records that the call has its owner and runs.
    func runs() { table.state.withLock { $0.jobs[number]?.isRunning = true } }

    var isGivenUp: Bool { table.state.withLock { $0.jobs[number]?.givenUp != nil } }

    /// Records the call's outcome, whether or not a client still waits for it.
    func ended(_ outcome: CallOutcome) {
        let now = MonotonicTime.now
        let (late, released, gone, isKept) = table.state.withLock { state in
            let task = state.jobs[number]?.task
            state.jobs[number]?.task = nil
            state.jobs[number]?.outcome = outcome
            state.jobs[number]?.ended = now
            let gone = state.drop(by: now)
            let job = state.jobs[number]
            return (job?.lateEnd, task, gone, job?.givenUp != nil)
        }
        withExtendedLifetime(released) {}
        for number in gone { table.memory.forget(.jobs, number) }
        // A job with a waiting client is removed when its answer is given.
        if isKept { table.memory.keep(.jobs, number, bytes: outcome.bytes) }
        table.tell(late)
    }

    /// Removes the job: the client has its outcome.
    func isAnswered() {
        let released = table.state.withLock { $0.jobs.removeValue(forKey: number) }
        table.memory.forget(.jobs, number)
        withExtendedLifetime(released) {}
    }

    /// Records that the call was abandoned, and cancels its task.
    func giveUp(_ reason: String) {
        let task = table.state.withLock { state -> TaskBox? in
            state.jobs[number]?.givenUp = reason
            guard let task = state.jobs[number]?.task, state.jobs[number]?.ended == nil else {
                return nil
            }
            state.jobs[number]?.isCancelled = true
            return task
        }
        task?.cancel()
    }

    /// Links the job to its line in `changes`, which says what was known when the call was abandoned.
    func isListed(by change: Int) {
        let late = table.state.withLock { state in
            state.jobs[number]?.change = change
            return state.jobs[number]?.lateEnd
        }
        table.tell(late)
    }
}

extension ValueNode {
    /// The approximate memory used by the node and its descendants.
    var keptBytes: Int {
        children.reduce(
            MemoryLayout<ValueNode>.stride + type.utf8.count + (label?.utf8.count ?? 0)
                + (text?.utf8.count ?? 0)
        ) { $0 + $1.keptBytes }
    }
}
#endif
