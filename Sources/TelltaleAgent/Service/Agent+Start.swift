#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension Agent {
    /// Starts the agent of this process, unless one is running.
    ///
    /// Never throws or traps: failures are in the status and on standard error.
    static func start(_ programmed: AgentConfiguration) -> AgentStatus {
        let shared = SharedState.current
        var configuration = programmed
        let table = EnvironmentTable.apply(
            to: &configuration, environment: ProcessIdentity.environment)
        for problem in table.problems { shared.note(problem) }
        if ProcessIdentity.isPrivileged,
            let ignored = EnvironmentTable.ignored(in: ProcessIdentity.setVariable)
        {
            shared.note(ignored)
        }
        guard !table.isSwitchedOff else { return AgentStatus(state: .switchedOff) }

        // The once-token: one agent per process, even if several threads call at the same time.
        switch shared.claimStart(until: .now.advanced(by: longestWait)) {
        case .own: break
        case .running(let agent):
            shared.note("start() was called again; the agent that runs stays as it is")
            return agent.status
        case .failed:
            return AgentStatus(state: .failed, problems: shared.notes)
        case .undecided:
            return AgentStatus(state: .starting, problems: shared.notes)
        }
        if let shortage = MemoryRoom.shortage(for: .start) {
            return failed(shared, shortage.reason)
        }
        SeccompFilters.remember()
        do throws(SystemError) {
            try ForkHook.install()
            let agent = try Agent(shared: shared, configuration: configuration)
            try agent.begin()
            shared.started(agent)
            return agent.status
        } catch {
            return failed(shared, error.description)
        }
    }

    private static func failed(_ shared: SharedState, _ reason: String) -> AgentStatus {
        shared.note("the agent was not started: \(reason)")
        shared.started(nil)
        return AgentStatus(state: .failed, problems: shared.notes)
    }

    /// The timeout of `start()` and `stop()` while another thread is inside one of them.
    private static var longestWait: Duration { .seconds(3) }

    /// Stops the agent of this process and releases its resources.
    static func stop() {
        let shared = SharedState.current
        guard let agent = shared.claimStop(until: .now.advanced(by: longestWait)) else {
            return
        }
        agent.giveSignalsBack()
        try? agent.hangWatch.set(nil, for: agent)
        agent.end()
        agent.holds.letAllGo(agent)
        agent.connections.closeAll()
        agent.listener.withLock { listener in
            listener?.close()
            listener = nil
        }
        DescriptorReserve.shared.empty()
        agent.changes.letGo()
        RuntimeCaches.current.lend(nil)
        agent.workers.close()
        agent.threads.close()
        shared.stopped()
    }

    /// The descriptors that two clients and their reads need if the process has none left: two files at a
    /// time, and the object files of four images, which stay open for their symbol names.
    static let reservedDescriptors = 8

    private func begin() throws(SystemError) {
        StandardError.remember()
        shared.releases.use(workers)
        RuntimeCaches.current.lend(symbols)
        RuntimeCaches.current.lend { [releases = shared.releases] in releases.giveToWorker($0) }
        // Signal handlers are installed first. A signal that arrives right after start() returns is
        // handled, since its record waits in the ring until the thread is there.
        SignalTrap.open(wake: wake.writer)
        takeSignals()
        DescriptorReserve.shared.fill(Self.reservedDescriptors, with: wake.reader)
        listen()
        // In a forked child, Dispatch relies on threads that exist only in the parent, and start() would
        // wait for them in vain. Callers that need the submitter in a child start it on demand.
        if shared.generation == 0 { workers.submitter.prime() }
        RuntimeCaches.current.layouts.begin()
        do throws(SystemError) {
            // From here on a stop of the process is noticed, even one before the thread has begun to run.
            let began = PauseDetector.Sample.now(nil)
            let signals = takenSignals.withLock { $0 }
            try NativeThread.start(name: "telltale", signals: signals, isLasting: true) {
                var loop = ServiceLoop(agent: self, began: began)
                loop.run()
            }
        } catch {
            giveSignalsBack()
            DescriptorReserve.shared.empty()
            listener.withLock { listener in
                listener?.close()
                listener = nil
            }
            throw error
        }
        // A child inherits the layouts that its parent has checked, and has a Dispatch without threads.
        if shared.generation == 0 {
            RuntimeCaches.current.layouts.wait(until: .now.advanced(by: .milliseconds(20)))
        }
        if let limit = configuration.hangWatch {
            do throws(SystemError) {
                try hangWatch.set(limit, for: self)
            } catch {
                shared.note("the hang watch is off: \(error)")
            }
        }
        if configuration.announcesStart, shared.generation == 0 { announce() }
    }

    /// Prints one line with the name, pid and socket that a client needs. A full pipe delays the start by
    /// at most 20 ms.
    private func announce() {
        guard let socket = listener.withLock({ $0?.path }) else { return }
        let pid = ProcessIdentity.pid
        _ = StandardError.write(
            lines: [
                "telltale: \(name.escaped)(\(pid)) agent listening; attach with `telltale \(pid)`; "
                    + "socket \(socket.escaped)"
            ], until: .now.advanced(by: .milliseconds(20)))
    }

    // MARK: Signals

    private func takeSignals() {
        var wanted: [SignalName] = []
        if let signal = configuration.dumpSignal { wanted.append(signal) }
        if let signal = configuration.statusSignal { wanted.append(signal) }
        if configuration.reportsPauses { wanted.append(.continue) }
        wanted += shared.signalSubscriptions.signals.filter { $0 != .stop }
        for signal in wanted { take(signal) }
    }

    /// Installs the handler of one signal, by the mechanism that the configuration and the host call for.
    func take(_ signal: SignalName) {
        let number = signal.rawValue
        guard !takenSignals.withLock({ $0.contains(number) }),
            !signalSources.withLock({ $0.contains { $0.signal == number } })
        else { return }
        // SIGCONT takes effect when it is sent, so a dispatch source for it would only change its delivery.
        if configuration.signalDelivery == .dispatchSource, signal != .continue {
            return share(number)
        }
        do throws(SignalTrap.Refusal) {
            try SignalTrap.take(number)
            takenSignals.withLock { $0.append(number) }
        } catch {
            if case .dispatch = error {
                // Two handlers would race for each signal (24 to 29 % reached ours, measured); dispatch
                // sources share it.
                shared.note(error.description)
                return share(number)
            }
            shared.note(error.description)
        }
    }

    private func share(_ signal: Int32) {
        guard SignalNumber.canBeTaken(signal) else {
            return shared.note(SignalTrap.Refusal.reserved(signal).description)
        }
        do throws(SignalTrap.Refusal) {
            try SignalTrap.leaveIgnored(signal)
        } catch {
            return shared.note(error.description)
        }
        let trap = SourceTrap(signal: signal)
        signalSources.withLock { $0.append(trap) }
    }

    /// Adds a dispatch source for each signal for which the host has created one after our handler was
    /// installed. Dispatch has replaced our handler and doesn't call it, so no further dump would be made.
    func shareTakenSignals() {
        let shares = signalSources.withLock { $0.map(\.signal) }
        for signal in takenSignals.withLock({ $0 })
        where !shares.contains(signal) && !SignalTrap.isOurs(signal)
            && SignalTrap.isDispatchs(signal)
        {
            share(signal)
            shared.note(SignalTrap.Refusal.dispatch(signal).description)
        }
    }

    private func giveSignalsBack() {
        for trap in signalSources.withLock({ $0 }) { trap.giveBack() }
        signalSources.withLock { $0 = [] }
        for signal in takenSignals.withLock({ $0 })
        where !SignalTrap.giveBack(signal) && !SignalTrap.isDispatchs(signal) {
            shared.note(
                "\(SignalNumber.name(signal)) could not be given back: "
                    + SignalTrap.Refusal.replaced(signal).description)
        }
        takenSignals.withLock { $0 = [] }
        SignalTrap.close()
    }
}
#endif
