#if TELLTALE_AGENT
import Synchronization
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleSystem

/// All that the agent keeps for this process: what is registered, and the agent that runs.
///
/// A forked child gets one of its own, since a thread that is not there any more may have held a
/// lock of its parent's.
final class SharedState: Sendable {
    let generation: UInt32
    let objects = Registry<RegistryEntry>()
    let actions = Registry<Action>()
    let probes = QueueProbes()
    let threads = ThreadCapture()
    let captures = CaptureCounts()
    // Not taken over by a forked child: its tasks have no threads.
    let observedTasks = ObservedTasks()
    let operationQueues = Registry<ObservedOperations>()
    let signalSubscriptions = SignalSubscriptions()
    let waitTimes = WaitTimes()
    /// Since when what waits has been seen to.
    let waits = Locked(WaitHistory())
    /// What is known of it from searches of the memory.
    let searchedWaits = Locked(SearchedWaits())
    let judgement = Judgement()
    let probeLooks = ProbeLooks()
    let eventLoops = EventLoopMemory()
    let eventLoopSampling = EventLoopSampling()
    let schedules = ThreadSchedules()
    /// Cores on whose clock a thread of ours still waits.
    let awaitedCores = Locked<Set<Int32>>([])
    let releases = ReleaseQueue()
    /// Guards what registered entries have found out of themselves, and counts them.
    let entryFacts = Locked(0)
    /// What went wrong since the process started, a sentence each; bounded.
    private let noted = Locked<[String]>([])
    private let nextIdentifier = Atomic<UInt64>(1)
    /// The once-token: whoever finds it free starts the agent, everyone else waits for what comes of
    /// it.
    private let once = TimedCondition<Once>(.free)

    private enum Once {
        case free
        case starting
        case running(Agent)
        case stopping
    }

    /// What ``claimStart(until:)`` found.
    enum Claim {
        /// The token is the caller's, who starts the agent.
        case own
        /// An agent runs.
        case running(Agent)
        /// Another thread tried while this one waited, and failed.
        case failed
        /// Another thread is still starting or stopping the agent.
        case undecided
    }

    private init(generation: UInt32) { self.generation = generation }

    // MARK: One for each process

    private static let forkLocal = ForkLocal<SharedState> { inherited in
        let made = SharedState(generation: ForkHook.generation)
        if let inherited { made.inherit(from: inherited) }
        return made
    }

    /// The state of this process. One atomic load after the first call.
    static var current: SharedState { forkLocal.current }

    private func inherit(from parent: SharedState) {
        // Each by itself: what one of them lacks is no reason to leave out the others.
        let whole = [
            probes.adopt(parent.probes),
            objects.adopt(parent.objects, RegistryEntry.init(inheriting:)),
            actions.adopt(parent.actions, Action.init(inheriting:)),
            operationQueues.adopt(parent.operationQueues) { $0 },
        ]
        if whole.contains(false) {
            note(
                "a thread was registering something at the instant of the fork: what the parent "
                    + "had registered is not all here")
        }
        nextIdentifier.store(parent.nextIdentifier.load(ordering: .relaxed), ordering: .relaxed)
    }

    // MARK: The once-token

    var agent: Agent? {
        once.update { once in
            if case .running(let agent) = once { return agent }
            return nil
        }
    }

    /// Takes the token, or waits for the outcome of whoever has it: an answer of "running" ahead of
    /// that would be false when it fails.
    func claimStart(until deadline: MonotonicTime) -> Claim {
        var anotherStarted = false
        return once.wait(until: deadline) { once in
            switch once {
            case .free:
                guard !anotherStarted else { return .failed }
                once = .starting
                return .own
            case .running(let agent): return .running(agent)
            case .starting:
                anotherStarted = true
                return nil
            case .stopping:
                anotherStarted = false
                return nil
            }
        } ?? .undecided
    }

    /// Ends what ``claimStart(until:)`` began.
    func started(_ agent: Agent?) {
        once.update { once in once = agent.map { .running($0) } ?? .free }
    }

    /// Takes the agent to stop it, waiting for one that is just starting or stopping; nil where
    /// none runs, and where another thread did it.
    func claimStop(until deadline: MonotonicTime) -> Agent? {
        once.wait(until: deadline) { once -> Agent?? in
            switch once {
            case .free: return .some(nil)
            case .starting, .stopping: return nil
            case .running(let agent):
                once = .stopping
                return .some(agent)
            }
        } ?? nil
    }

    /// Ends what ``claimStop(until:)`` began.
    func stopped() { once.update { $0 = .free } }

    // MARK: Names

    /// The probes of the queues that the host observes, and of those that own what is registered.
    var observedQueues: [QueueProbe] {
        let owned = objects.all.compactMap { $0.probe(self) }
        return withExtendedLifetime(owned) { probes.all }
    }

    func makeIdentifier() -> UInt64 {
        nextIdentifier.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Takes back what was registered under `identifier`, whatever it was.
    func end(_ identifier: UInt64) {
        // Each is let go here, outside of the registry's lock.
        if objects.remove(identifier) != nil { return }
        if actions.remove(identifier) != nil { return }
        if probes.remove(identifier) != nil { return }
        if observedTasks.remove(identifier) != nil { return }
        _ = operationQueues.remove(identifier)
    }

    // MARK: Notes

    /// Keeps a sentence on what went wrong, and prints it as one line on standard error.
    func note(_ sentence: String) {
        let isNew = noted.withLock { notes in
            guard !notes.contains(sentence) else { return false }
            if notes.count >= 100 { notes.removeFirst() }
            notes.append(sentence)
            return true
        }
        guard isNew else { return }
        // The host's thread waits for nothing: a pipe that is full loses the line, not the host.
        _ = StandardError.write(
            lines: ["telltale[\(ProcessIdentity.pid)] \(sentence.escaped)"], until: .now)
    }

    /// What went wrong so far, oldest first.
    var notes: [String] { noted.withLock { $0 } }
}
#endif
