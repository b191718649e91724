#if TELLTALE_AGENT
import TelltaleSystem

/// What the agent's own thread does: it waits for clients, signals, and the next tick of its
/// heartbeat, and hands each on. It runs nothing of the host's and waits for nothing else.
struct ServiceLoop {
    private let agent: Agent
    private var pauses: PauseWatch
    private var lastSleeps = PollSet.sleeps
    /// When clients are let in again that could not be: the listener stays readable meanwhile.
    private var accepting = Pace()
    /// Clients that need no descriptor of the process's, until this thread admits them.
    private let apart = Locked(ApartClients())
    /// When the directory's descriptor is read again that could not be proven to be ours.
    private var watching = Pace()
    private var moving = Pace()
    private var housekeeping = Pace(in: ServiceLoop.housekeepingInterval)
    private var sweeping = Pace(in: ServiceLoop.sweepInterval)
    private var loops = Pace(in: EventLoopSampling.first)
    private var checkingSocket = Pace(in: ServiceLoop.housekeepingInterval)

    /// How often it shares signals that were taken and has values of the host's let go.
    private static let housekeepingInterval = Duration.milliseconds(500)
    /// How often the memory of objects that are gone is let go.
    private static let sweepInterval = Duration.seconds(10)
    /// How long what failed waits before it is tried again, and a connection for another thread, in
    /// milliseconds.
    private static let retryInterval: Int32 = 50

    /// `began`: the clocks just before the thread is made, which has not waited for a core yet.
    init(agent: Agent, began: PauseDetector.Sample) {
        self.agent = agent
        pauses = PauseWatch(agent: agent, heartbeat: agent.heartbeat, began: began)
    }

    /// Runs until the agent ends, on the thread that made it: its clocks are that thread's.
    mutating func run() {
        while !agent.isEnding {
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
                // The directory or a descriptor could not be had; it may be there by now.
                if agent.listener.withLock({ $0 == nil }) { agent.listenAgain(after: .deleted) }
            }
        }
        agent.ended()
    }

    private func wait(for listener: Listener?) -> (ready: [Int32], sleeps: PollSet.Sleeps?) {
        let canBeWoken = agent.healWake()
        var descriptors = canBeWoken ? [agent.wake.reader.raw] : []
        // Not while newcomers wait for a place: `poll` would return at once, again and again.
        if let listener, accepting.isOpen, !agent.connections.isCrowded {
            descriptors.append(listener.descriptor.raw)
        }
        if let watch = listener?.watchDescriptor, watching.isOpen { descriptors.append(watch.raw) }
        let isRetrying = !accepting.isOpen || !watching.isOpen || !canBeWoken || pauses.isWaiting
        var sleeps: PollSet.Sleeps?
        let ready = PollSet.wait(
            for: descriptors,
            milliseconds: isRetrying ? min(tick, Self.retryInterval) : tick, sleeps: &sleeps)
        return (ready, sleeps)
    }

    /// For how many milliseconds it waits at most. Without a heartbeat a second: where the host has
    /// closed a descriptor and taken its number, `poll` may go on with that and never tell.
    private var tick: Int32 {
        agent.heartbeat.map { Int32(clamping: max(1, $0.microseconds / 1000)) } ?? 1000
    }

    /// The listener as it is to be polled: a new one where the host closed it or the process acts as
    /// another user by now. Such a change interrupts `poll`, since every thread takes part in it.
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

    /// Has the next client let in by a thread that has numbers of its own; false where there can be none.
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

    /// Lets in who waits.
    ///
    /// - Returns: False where nobody can be let in now.
    private func accept(from listener: Listener) -> Bool {
        guard agent.connections.findsPlace() else { return true }
        // Bounded, so that a flood of connects doesn't keep the signals waiting.
        for _ in 0..<32 {
            do throws(SystemError) {
                // Closed in forked children, which would otherwise keep a client hanging.
                let accepted = try ForkHook.made { () throws(SystemError) in
                    guard listener.descriptor.isOurs else { return nil }
                    return try UnixSocket.accept(
                        from: listener.descriptor.raw, insteadOfGivingUp: { acceptApart(listener) }
                    )?.release()
                }
                guard let accepted else { return apart.withLock { !$0.isAccepting } }
                agent.connections.admit(accepted, agent: agent)
                // Nobody gives way to one that may not be there: the next round sees whether it is.
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

    /// Whether its time has come.
    var isOpen: Bool { next <= .now }

    /// Not before `delay` has passed.
    mutating func close(for delay: Duration) { next = MonotonicTime.now.advanced(by: delay) }

    /// Whether its time has come, or `isNow`; the next time is `interval` later then.
    mutating func isDue(every interval: Duration, orNow isNow: Bool = false) -> Bool {
        guard isNow || isOpen else { return false }
        close(for: interval)
        return true
    }
}
#endif
