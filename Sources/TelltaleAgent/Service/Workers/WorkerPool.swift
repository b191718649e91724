#if TELLTALE_AGENT
import TelltaleRuntime
import TelltaleSystem

/// Threads that run host code for the agent: descriptions, actions, closures, and calls that wait for an
/// owner of the host.
///
/// Such a call may never return. It then costs one thread of this pool and a slot in its ``Bulkhead``; the
/// caller continues at its deadline. One idle thread is held in reserve, for a host that can't create another
/// one: the thread that was created first, for the reason that ``AgentThreads`` gives.
final class WorkerPool: Sendable {
    struct Job: Sendable {
        /// The bulkhead that limits how many jobs may block on the same owner; `nil` if the job never
        /// blocks.
        let bulkhead: Bulkhead?
        /// Called before the job begins: false once its caller has given up. Must not block.
        let isWanted: @Sendable () -> Bool
        /// Runs the job on a thread of the pool; `leave` must be called when the owner has been released.
        let run: @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void
        /// Submits the job to Dispatch, if the pool has no thread for it; nil if that isn't possible.
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

    /// The way in which a job starts.
    private enum Start {
        case onThread(isNew: Bool)
        case enqueued(Job)
        case later
    }

    /// The maximum number of threads; a further job is submitted to its owner's queue, or waits for a
    /// thread until its caller's deadline.
    let limit: Int
    /// The time that a thread beyond the reserve waits for further work.
    private static let patience = Duration.milliseconds(500)
    let submitter = DispatchSubmitter()
    private let state = TimedCondition(State())

    init(limit: Int) {
        self.limit = limit
        // The reserve is created while threads are available.
        try? spawn()
    }

    /// The number of threads, and of those among them that wait for work.
    var counts: (threads: Int, idle: Int) {
        state.withLock { ($0.threads, $0.idle.count) }
    }

    /// Runs `job` on a thread of the pool, at once if one is available.
    func submit(_ job: @escaping @Sendable () -> Void) {
        submit(Job(bulkhead: nil, isWanted: { true }, run: { _ in job() }, enqueue: nil))
    }

    /// Starts `job` as soon as its bulkhead has a free slot, if it is still wanted then.
    func submit(_ job: Job) {
        let (start, dropped) = state.withLock { state -> (Start, [Job]) in
            guard let bulkhead = job.bulkhead else {
                return (Self.begin(job, in: &state, limit), [])
            }
            var traffic = state.bulkheads[bulkhead] ?? Traffic()
            guard traffic.running < bulkhead.width else {
                // Jobs whose callers have given up are removed. They are released outside the lock, since
                // the host's closures in them may free objects that call back. Each is asked once, so that
                // none is released in here.
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

    /// Ends the idle threads; the others end when they return.
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
        // If that fails, the existing threads take the job.
        case .onThread(isNew: true):
            do throws(SystemError) { try spawn() } catch { state.wake() }
        case .enqueued(let job):
            let leave = departure(from: job.bulkhead)
            if submitter.submit({ job.enqueue?(leave) }) { return }
            // Dispatch can't take the job: it waits for a thread of the pool.
            state.update { $0.jobs.append(job) }
        }
    }

    // To be called once for each job that has begun.
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
                // Host code runs on it, so it gets the default stack size.
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
        // That thread is no longer the newest idle one and becomes surplus.
        if hasNewer { state.wake() }
        // Otherwise a client that asks again and again would cause a new thread for every sixth request.
        let soon = state.wait(until: .now.advanced(by: Self.patience)) { Self.next(number, &$0) }
        if let soon { return soon }
        return state.wait(until: .distantFuture) { state -> Job?? in
            if let next = Self.next(number, &state) { return next }
            // One thread in reserve is enough, in addition to those that are about to take a job.
            let place = state.idle.place(of: number) ?? 0
            return place > state.jobs.count ? .some(Self.end(number, &state)) : nil
        } ?? nil
    }

    /// The job of a waiting thread, or its end if the pool is closed.
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

/// The idle threads of a pool by number, ordered by creation: the thread that was created first has the
/// first place and gets the first job.
struct WaitingThreads: Sendable {
    private var numbers: [Int] = []

    var count: Int { numbers.count }

    /// The thread's place, counted from 0; nil if it isn't waiting.
    func place(of number: Int) -> Int? { numbers.firstIndex(of: number) }

    mutating func add(_ number: Int) {
        numbers.insert(number, at: numbers.firstIndex { $0 > number } ?? numbers.count)
    }

    mutating func remove(_ number: Int) { numbers.removeAll { $0 == number } }
}
#endif
