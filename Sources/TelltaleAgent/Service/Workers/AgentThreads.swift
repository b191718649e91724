#if TELLTALE_AGENT
import TelltaleSystem

/// A thread pool for the agent's own short work: serving a client, making a dump, running a probe's check.
/// No host code runs on its threads.
///
/// A thread that has finished its work waits a moment for the next. Otherwise a monitor that asks ten times
/// a second would create ten threads a second, and a flood of clients thousands, which the host's own
/// threads would wait for.
///
/// The threads that were created first stay. The C library has up to eight heaps for each processor,
/// assigns an unused heap to a new thread, and keeps the memory that a thread has once needed of it. With a
/// new thread for each client, one heap after the other would grow by the temporary needs of a dump (2 to
/// 3.5 MB, measured), until all have grown.
final class AgentThreads: Sendable {
    /// The thread's name while it does its work.
    enum Work: String, Sendable {
        case connection = "telltale-conn"
        case report = "telltale-report"
        case probe = "telltale-probe"
    }

    private struct Job: Sendable {
        let work: Work
        let body: @Sendable () -> Void
    }

    private enum Next {
        case job(Job)
        case end
    }

    private struct State {
        var waiting = WaitingThreads()
        var handed: [Job] = []
        var made = 0
        /// The first job of each new thread.
        var first: [Int: Job] = [:]
        var alive = 0
        var resting = 0
        var isClosed = false

        /// The first job of a new thread; nil for any other thread.
        mutating func begin(_ number: Int) -> Job? {
            guard let job = first.removeValue(forKey: number) else { return nil }
            alive += 1
            return job
        }

        /// The immediate next step of a waiting thread, which then no longer waits.
        mutating func next(for number: Int) -> Next? {
            if (waiting.place(of: number) ?? 0) < handed.count {
                waiting.remove(number)
                return .job(handed.removeFirst())
            }
            return isClosed ? end(number) : nil
        }

        /// Ends a thread that has waited for a while, unless it is among the jobless threads that stay.
        mutating func endIfSurplus(_ number: Int) -> Next? {
            (waiting.place(of: number) ?? 0) - handed.count < AgentThreads.staying
                ? nil : end(number)
        }

        private mutating func end(_ number: Int) -> Next {
            waiting.remove(number)
            alive -= 1
            return .end
        }
    }

    /// One thread stays for a client, and one for the next client while the first thread notices that its
    /// own has gone.
    private static let staying = 2
    private let patience: Duration
    private let state = TimedCondition(State())

    /// - Parameter patience: The time that a thread waits for further work if it is not among those that
    ///   stay.
    init(patience: Duration = .milliseconds(500)) { self.patience = patience }

    /// The number of threads, and of those among them that are at rest.
    var counts: (threads: Int, resting: Int) { state.withLock { ($0.alive, $0.resting) } }

    /// Runs `body` on a waiting thread, or on a new one.
    ///
    /// - Throws: `EAGAIN` if the process can't create another thread.
    func run(_ work: Work, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let job = Job(work: work, body: body)
        let new = state.update { state -> Int? in
            if state.waiting.count > state.handed.count {
                state.handed.append(job)
                return nil
            }
            state.made += 1
            state.first[state.made] = job
            return state.made
        }
        guard let number = new else { return }
        do throws(SystemError) {
            try NativeThread.start(name: work.rawValue) { [self] in
                NativeThread.giveCore()
                while works(number) {}
            }
        } catch {
            state.withLock { $0.first[number] = nil }
            throw error
        }
    }

    /// Ends the waiting threads, and the others when they have done their work.
    func close() { state.update { $0.isClosed = true } }

    // A job and the objects that it captures are released before the thread waits for the next one.
    private func works(_ number: Int) -> Bool {
        guard let job = state.withLock({ $0.begin(number) }) ?? next(number) else { return false }
        NativeThread.name(job.work.rawValue)
        job.body()
        return true
    }

    /// The next job of a thread; nil if the thread should end.
    private func next(_ number: Int) -> Job? {
        let hasSurplus = state.withLock { state -> Bool in
            state.waiting.add(number)
            return state.waiting.count > Self.staying && state.resting > 0
        }
        if hasSurplus { state.wake() }
        let soon = state.wait(until: .now.advanced(by: patience)) { $0.next(for: number) }
        // A job that is handed over right at the end counts on this thread.
        switch soon ?? nextOrRest(number) {
        case .job(let job): return job
        case .end: return nil
        }
    }

    private func nextOrRest(_ number: Int) -> Next {
        func next(_ state: inout State) -> Next? {
            state.next(for: number) ?? state.endIfSurplus(number)
        }
        let atOnce = state.withLock { state -> Next? in
            let atOnce = next(&state)
            if atOnce == nil { state.resting += 1 }
            return atOnce
        }
        if let atOnce { return atOnce }
        NativeThread.name("telltale-rest")
        return state.wait(until: .distantFuture) { state -> Next? in
            let later = next(&state)
            if later != nil { state.resting -= 1 }
            return later
        } ?? .end
    }
}
#endif
