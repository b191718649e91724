#if TELLTALE_AGENT
import TelltaleSystem

/// The loop of the agent's own thread. It waits for clients, for signals and for the next tick of its
/// heartbeat, and dispatches each. It runs no host code and waits for nothing else.
struct ServiceLoop {
    private let agent: Agent
    private var pauses: PauseWatch
    private var lastSleeps = PollSet.sleeps
    /// Delays the next accept after a failure: the listener stays readable in the meantime.
    private var accepting = Pace()
    /// Clients without a descriptor of the process, until this thread admits them.
    private let apart = Locked(ApartClients())
    /// Delays the next read of the directory watch after its descriptor could not be proven to be ours.
    private var watching = Pace()
    private var moving = Pace()
    private var housekeeping = Pace(in: ServiceLoop.housekeepingInterval)
    private var sweeping = Pace(in: ServiceLoop.sweepInterval)
    private var loops = Pace(in: EventLoopSampling.first)
    private var history: Pace
    private var checkingSocket = Pace(in: ServiceLoop.housekeepingInterval)

    /// Interval of sharing installed signals with the host's dispatch sources and of releasing host values.
    private static let housekeepingInterval = Duration.milliseconds(500)
    /// Interval of releasing the entries of deallocated objects.
    private static let sweepInterval = Duration.seconds(10)
    /// Delay before a failed step is retried, and before a connection is offered to another thread, in
    /// milliseconds.
    private static let retryInterval: Int32 = 50

    /// `began`: the clocks just before the thread is created, when it has not yet waited for a core.
    init(agent: Agent, began: PauseDetector.Sample) {
        self.agent = agent
        history = Pace(in: agent.configuration.historyInterval ?? .zero)
        pauses = PauseWatch(agent: agent, heartbeat: agent.heartbeat, began: began)
    }

    /// Runs until the agent ends, on the thread that created the loop: its clocks are that thread's.
    mutating func run() {
        while !agent.isEnding {
            guard isAllowed() else { continue }
            let listener = currentListener()
            DescriptorReserve.shared.refill()
            let (ready, sleeps) = wait(for: listener)
            agent.wake.drain()
            let now = PollSet.sleeps
            let sleep = PauseDetector.Sleep(last: lastSleeps, wait: sleeps, now: now)
            lastSleeps = now
            pauses.handle(SignalTrap.drain(), sleep: sleep)
            guard !agent.isEnding else { break }
            keepHouse()
            admitApart()
            if let listener {
                serve(listener, ready)
            } else if checkingSocket.isDue(every: .seconds(1)) {
                // The directory or a descriptor was not available; it may be by now.
                if agent.listener.withLock({ $0 == nil }) { agent.listenAgain(after: .deleted) }
            }
        }
        agent.ended()
    }

    /// Returns false after a wait, if a filter refuses a call without which every round of the loop would end at once.
    private func isAllowed() -> Bool {
        guard let call = RefusedCalls.first else { return true }
        agent.shared.noteLast(
            "a seccomp filter refuses \(call): the agent answers no client and no signal any more")
        RefusedCalls.wait(milliseconds: UInt32(Self.retryInterval))
        return false
    }

    private func wait(for listener: Listener?) -> (ready: [Int32], sleeps: PollSet.Sleeps?) {
        let canBeWoken = agent.healWake()
        var descriptors = canBeWoken ? [agent.wake.reader.raw] : []
        // The listener is not polled while new connections wait for a slot: `poll` would return at once,
        // again and again.
        if let listener, accepting.isOpen, !agent.connections.isCrowded {
            descriptors.append(listener.descriptor.raw)
        }
        if let watch = listener?.watchDescriptor, watching.isOpen { descriptors.append(watch.raw) }
        let isRetrying = !accepting.isOpen || !watching.isOpen || !canBeWoken || pauses.isWaiting
        var sleeps: PollSet.Sleeps?
        let timeout = agent.holds.nextEnd.map { min(tick, $0.pollTimeout) } ?? tick
        let ready = PollSet.wait(
            for: descriptors,
            milliseconds: isRetrying ? min(timeout, Self.retryInterval) : timeout,
            sleeps: &sleeps)
        return (ready, sleeps)
    }

    /// The timeout of `poll` in milliseconds: the heartbeat, a second without one, or the interval of the
    /// history if that is shorter. If the host closes a descriptor and reuses its number, `poll` may continue
    /// with the new file and never report it.
    private var tick: Int32 {
        let tick = min(
            agent.heartbeat ?? .seconds(1), agent.configuration.historyInterval ?? .seconds(1))
        return Int32(clamping: max(1, tick.microseconds / 1000))
    }

    /// The listener to poll. It is replaced if the host has closed it, or if the process has changed its
    /// user. A change of user interrupts `poll`, since every thread takes part in it.
    private mutating func currentListener() -> Listener? {
        guard let listener = agent.listener.withLock({ $0 }) else { return nil }
        if !listener.descriptor.isOurs {
            agent.listenAgain(after: .closed)
        } else if listener.user != ProcessIdentity.uid, moving.isDue(every: .seconds(1)) {
            agent.listenAgain(after: .user(listener.user))
        } else {
            return listener
        }
        return agent.listener.withLock { $0 }
    }

    private mutating func keepHouse() {
        agent.holds.letExpiredGo(agent)
        if housekeeping.isDue(every: Self.housekeepingInterval) {
            agent.shareTakenSignals()
            agent.shared.releases.ask()
        }
        if sweeping.isDue(every: Self.sweepInterval) {
            agent.shared.objects.sweep()
            agent.shared.actions.sweep()
        }
        if loops.isOpen {
            loops.close(for: agent.shared.eventLoopSampling.interval)
            agent.sampleEventLoops()
        }
        if let interval = agent.configuration.historyInterval, history.isDue(every: interval) {
            agent.sampleHistory()
        }
        if agent.configuration.historyInterval != nil { agent.lookAtQueues() }
    }

    private mutating func serve(_ listener: Listener, _ ready: [Int32]) {
        if ready.contains(listener.descriptor.raw), !accept(from: listener) {
            accepting.close(for: .milliseconds(Self.retryInterval))
        }
        let isTold = listener.watchDescriptor.map { ready.contains($0.raw) } ?? false
        guard checkingSocket.isDue(every: Self.housekeepingInterval, orNow: isTold) else { return }
        if let watch = listener.watchDescriptor, !DirectoryWatch.drain(watch) {
            watching.close(for: .milliseconds(Self.retryInterval))
        }
        if !listener.isWhole {
            agent.listenAgain(after: .closed)
        } else if !listener.isReachable {
            agent.listenAgain(after: .deleted)
        }
    }

    /// Starts a thread with a descriptor table of its own that accepts the next client; false if no such
    /// thread can be started.
    private func acceptApart(_ listener: Listener) -> Bool {
        let isFirst = apart.withLock { clients in
            defer { clients.isAccepting = true }
            return !clients.isAccepting
        }
        guard isFirst else { return true }
        let (agent, apart) = (agent, apart)
        let isStarted = ApartSocket.accept(
            from: listener.descriptor, keeping: agent.wake.writer
        ) { client in
            apart.withLock { clients in
                clients.isAccepting = false
                if let client { clients.accepted.append(client) }
            }
            agent.wake.wake()
        }
        if !isStarted { apart.withLock { $0.isAccepting = false } }
        return isStarted
    }

    private func admitApart() {
        let clients = apart.withLock { clients in
            defer { clients.accepted = [] }
            return clients.accepted
        }
        for client in clients { agent.connections.admit(client.socket, client.peer, agent: agent) }
    }

    /// Accepts the clients that are waiting.
    ///
    /// - Returns: False if no client can be accepted now.
    private func accept(from listener: Listener) -> Bool {
        guard agent.connections.findsPlace() else { return true }
        // The loop is bounded, so that a flood of connects doesn't delay the signals.
        for _ in 0..<32 {
            do throws(SystemError) {
                // Forked children close it; otherwise a client would hang.
                let accepted = try ForkHook.made { () throws(SystemError) in
                    guard listener.descriptor.isOurs else { return nil }
                    return try UnixSocket.accept(
                        from: listener.descriptor.raw, insteadOfGivingUp: { acceptApart(listener) }
                    )?.release()
                }
                guard let accepted else { return apart.withLock { !$0.isAccepting } }
                agent.connections.admit(accepted, agent: agent)
                // No connection gives way to a client that may not exist: the next round checks whether
                // there is one.
                if agent.connections.isFull { return true }
            } catch {
                agent.shared.note("a client could not be let in: \(error)")
                return false
            }
        }
        return true
    }
}

private struct ApartClients {
    var isAccepting = false
    var accepted: [ApartSocket.Client] = []
}

private struct Pace {
    private var next: MonotonicTime

    init(in delay: Duration = .zero) { next = MonotonicTime.now.advanced(by: delay) }

    /// True once the delay has passed.
    var isOpen: Bool { next <= .now }

    /// Closes for `delay`.
    mutating func close(for delay: Duration) { next = MonotonicTime.now.advanced(by: delay) }

    /// Returns true if the delay has passed or `isNow` is set, and then closes for `interval`.
    mutating func isDue(every interval: Duration, orNow isNow: Bool = false) -> Bool {
        guard isNow || isOpen else { return false }
        close(for: interval)
        return true
    }
}
#endif
