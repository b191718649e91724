#if TELLTALE_AGENT
import TelltaleSystem

/// Threads that run the host's code for the agent: descriptions, actions, closures, and whatever
/// waits for an owner of the host.
///
/// Such a call may never come back. It then costs one thread of this pool and a place in its
/// ``Bulkhead``; the caller has gone on at its deadline. One idle thread is held in reserve, for a
/// host that can have no further one: the one that was made first, for the reason
/// that ``AgentThreads`` gives.
final class WorkerPool: Sendable {
    struct Job: Sendable {
        /// What it may hang with; nil for what can't.
        let bulkhead: Bulkhead?
        /// Asked before it is begun: false once its caller has gone. Must not wait.
        let isWanted: @Sendable () -> Bool
        /// Runs it on a thread of the pool; `leave` is to be called when its owner has let go.
        let run: @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void
        /// Hands it to Dispatch, where no thread of the pool is to be had; nil where it can't.
        let enqueue: (@Sendable (_ leave: @escaping @Sendable () -> Void) -> Void)?
    }

    private struct Traffic {
        var running = 0
        var waiting: [Job] = []
    }

    private struct State {
        var jobs: [Job] = []
        var bulkheads: [Bulkhead: Traffic] = [:]
        var idle = WaitingThreads()
        var made = 0
        var threads = 0
        var isClosed = false
    }

    /// What is to be done with a job that may begin.
    private enum Start {
        case onThread(isNew: Bool)
        case enqueued(Job)
        case later
    }

    /// The most threads at once; a job beyond goes to its owner's queue, or waits for a thread
    /// until its caller's deadline.
    let limit: Int
    /// How long a thread beyond the reserve waits for further work.
    private static let patience = Duration.milliseconds(500)
    let submitter = DispatchSubmitter()
    private let state = TimedCondition(State())

    init(limit: Int) {
        self.limit = limit
        // The reserve is made while threads can still be had.
        try? spawn()
    }

    /// How many threads there are, and how many of them wait for work.
    var counts: (threads: Int, idle: Int) {
        state.withLock { ($0.threads, $0.idle.count) }
    }

    /// Has `job` run on a thread of the pool, at once where there is room.
    func submit(_ job: @escaping @Sendable () -> Void) {
        submit(Job(bulkhead: nil, isWanted: { true }, run: { _ in job() }, enqueue: nil))
    }

    /// Has `job` begun as soon as its bulkhead has room and while it is wanted.
    func submit(_ job: Job) {
        let (start, dropped) = state.withLock { state -> (Start, [Job]) in
            guard let bulkhead = job.bulkhead else {
                return (Self.begin(job, in: &state, limit), [])
            }
            var traffic = state.bulkheads[bulkhead] ?? Traffic()
            guard traffic.running < bulkhead.width else {
                // Those whose callers have gone make room; they are let go outside the lock,
                // since the host's closures in them may free what calls back.
                // Each is asked once, so that none is let go in here.
                var dropped: [Job] = []
                var kept: [Job] = []
                for waiting in traffic.waiting {
                    if waiting.isWanted() {
                        kept.append(waiting)
                    } else {
                        dropped.append(waiting)
                    }
                }
                traffic.waiting = kept + [job]
                state.bulkheads[bulkhead] = traffic
                return (.later, dropped)
            }
            traffic.running += 1
            state.bulkheads[bulkhead] = traffic
            return (Self.begin(job, in: &state, limit), [])
        }
        withExtendedLifetime(dropped) {}
        carryOut(start)
    }

    /// Ends the idle threads; the others end when they come back.
    func close() { state.update { $0.isClosed = true } }

    private static func begin(_ job: Job, in state: inout State, _ limit: Int) -> Start {
        let hasRoom = state.idle.count > state.jobs.count || state.threads < limit
        if job.enqueue != nil, !hasRoom { return .enqueued(job) }
        state.jobs.append(job)
        return .onThread(isNew: state.idle.count < state.jobs.count && state.threads < limit)
    }

    private func carryOut(_ start: Start) {
        switch start {
        case .later: break
        case .onThread(isNew: false): state.wake()
        // A failure leaves the job to the threads that there are.
        case .onThread(isNew: true):
            do throws(SystemError) { try spawn() } catch { state.wake() }
        case .enqueued(let job):
            let leave = departure(from: job.bulkhead)
            if submitter.submit({ job.enqueue?(leave) }) { return }
            // Dispatch is of no use: it waits for a thread of the pool.
            state.update { $0.jobs.append(job) }
        }
    }

    // To be called once for each job that was begun.
    private func departure(from bulkhead: Bulkhead?) -> @Sendable () -> Void {
        { [self] in
            guard let bulkhead else { return }
            leave(bulkhead)
        }
    }

    private func leave(_ bulkhead: Bulkhead) {
        let (start, dropped) = state.withLock { state -> (Start, [Job]) in
            guard var traffic = state.bulkheads[bulkhead] else { return (.later, []) }
            var dropped: [Job] = []
            while !traffic.waiting.isEmpty {
                let next = traffic.waiting.removeFirst()
                if next.isWanted() {
                    state.bulkheads[bulkhead] = traffic
                    return (Self.begin(next, in: &state, limit), dropped)
                }
                dropped.append(next)
            }
            traffic.running -= 1
            state.bulkheads[bulkhead] = traffic.running == 0 ? nil : traffic
            return (.later, dropped)
        }
        withExtendedLifetime(dropped) {}
        carryOut(start)
    }

    private func spawn() throws(SystemError) {
        let number = state.withLock { state in
            state.threads += 1
            state.made += 1
            return state.made
        }
        do throws(SystemError) {
            try NativeThread.start(
                // The host's code runs on it.
                name: "telltale-work", stackBytes: nil, isLasting: true
            ) { [self] in run(number) }
        } catch {
            state.withLock { $0.threads -= 1 }
            throw error
        }
    }

    private func run(_ number: Int) {
        while let job = next(number) {
            let leave = departure(from: job.bulkhead)
            if job.isWanted() { job.run(leave) } else { leave() }
        }
    }

    private func next(_ number: Int) -> Job? {
        let hasNewer = state.withLock { state in
            state.idle.add(number)
            return state.idle.place(of: number) != state.idle.count - 1
        }
        // It has become surplus.
        if hasNewer { state.wake() }
        // A client that asks again and again would otherwise have a thread made for every sixth request.
        let soon = state.wait(until: .now.advanced(by: Self.patience)) { Self.next(number, &$0) }
        if let soon { return soon }
        return state.wait(until: .distantFuture) { state -> Job?? in
            if let next = Self.next(number, &state) { return next }
            // One in reserve is enough, besides those who are about to take a job.
            let place = state.idle.place(of: number) ?? 0
            return place > state.jobs.count ? .some(Self.end(number, &state)) : nil
        } ?? nil
    }

    /// The job of a thread that waits, or its end where the pool is closed.
    private static func next(_ number: Int, _ state: inout State) -> Job?? {
        guard (state.idle.place(of: number) ?? 0) < state.jobs.count else {
            return state.isClosed ? .some(end(number, &state)) : nil
        }
        state.idle.remove(number)
        return .some(state.jobs.removeFirst())
    }

    private static func end(_ number: Int, _ state: inout State) -> Job? {
        state.idle.remove(number)
        state.threads -= 1
        return nil
    }
}
#endif
