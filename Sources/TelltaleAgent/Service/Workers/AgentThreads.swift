#if TELLTALE_AGENT
import TelltaleSystem

/// Threads for the agent's own work of a moment: a client is served, a dump made, a probe's look taken. Nothing of
/// the host's runs on them.
///
/// One that has done its work waits a moment for the next: a monitor that asks ten times a second would otherwise
/// have ten threads made, and a flood of clients thousands, which the host's own threads would wait for.
///
/// Those that were made first stay. The C library has up to eight heaps for each processor, gives a new thread one
/// that nobody has, and keeps what a thread has once needed of it: with a new thread for each client, one heap after
/// the other grows by what a dump needs for a moment (2 to 3.5 MB, measured), until all have.
final class AgentThreads: Sendable {
    /// What a thread is called while it does its work.
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
        /// What each new thread begins with.
        var first: [Int: Job] = [:]
        var alive = 0
        var resting = 0
        var isClosed = false

        /// What a new thread begins with; nil for any other.
        mutating func begin(_ number: Int) -> Job? {
            guard let job = first.removeValue(forKey: number) else { return nil }
            alive += 1
            return job
        }

        /// What a thread that waits is to do at once; it waits no longer then.
        mutating func next(for number: Int) -> Next? {
            if (waiting.place(of: number) ?? 0) < handed.count {
                waiting.remove(number)
                return .job(handed.removeFirst())
            }
            return isClosed ? end(number) : nil
        }

        /// The end of one that has waited for a while, unless it is among those that stay, of all without a job.
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

    /// One stays for a client, and one for the next while the first is told that its own has gone.
    private static let staying = 2
    private let patience: Duration
    private let state = TimedCondition(State())

    /// - Parameter patience: How long the threads beyond those that stay wait for further work.
    init(patience: Duration = .milliseconds(500)) { self.patience = patience }

    /// How many threads there are, and how many of them have come to rest.
    var counts: (threads: Int, resting: Int) { state.withLock { ($0.alive, $0.resting) } }

    /// Runs `body` on a thread that waits, or on a new one.
    ///
    /// - Throws: `EAGAIN` where the process may have no further thread.
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

    /// Has those that wait end, and the others when they have done their work.
    func close() { state.update { $0.isClosed = true } }

    // A job, and what it holds, is let go before the next is waited for.
    private func works(_ number: Int) -> Bool {
        guard let job = state.withLock({ $0.begin(number) }) ?? next(number) else { return false }
        NativeThread.name(job.work.rawValue)
        job.body()
        return true
    }

    /// The next job of a thread; nil where it is to end.
    private func next(_ number: Int) -> Job? {
        let hasSurplus = state.withLock { state -> Bool in
            state.waiting.add(number)
            return state.waiting.count > Self.staying && state.resting > 0
        }
        if hasSurplus { state.wake() }
        let soon = state.wait(until: .now.advanced(by: patience)) { $0.next(for: number) }
        // What is handed over right at the end counts on this thread.
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
