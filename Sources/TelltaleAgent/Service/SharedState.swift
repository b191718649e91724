#if TELLTALE_AGENT
import Synchronization
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The state that the agent keeps for this process: registered objects, and the running agent.
///
/// A forked child gets a state of its own, since a thread that exists only in the parent may have held one
/// of the parent's locks.
final class SharedState: Sendable {
    let generation: UInt32
    let objects = Registry<RegistryEntry>()
    let actions = Registry<Action>()
    let probes = QueueProbes()
    let threads = ThreadCapture()
    let captures = CaptureCounts()
    // Not inherited by a forked child: its tasks have no threads.
    let observedTasks = ObservedTasks()
    let operationQueues = Registry<ObservedOperations>()
    let signalSubscriptions = SignalSubscriptions()
    let waitTimes = WaitTimes()
    /// The time since which each current wait has been observed.
    let waits = Locked(WaitHistory())
    /// Results about these waits from searches of the memory.
    let searchedWaits = Locked(SearchedWaits())
    let judgement = Judgement()
    let probeLooks = ProbeLooks()
    let eventLoops = EventLoopMemory()
    let eventLoopSampling = EventLoopSampling()
    let history = ProcessHistory()
    let queueLooks = QueueLooks()
    let schedules = ThreadSchedules()
    /// Cores on whose clock a thread of the agent is still waiting.
    let awaitedCores = Locked<Set<Int32>>([])
    let releases = ReleaseQueue()
    /// The results that clients can use in their next evaluations. Not inherited by a forked child.
    let evaluations = EvaluationResults()
    /// Guards facts that registered entries have found out about themselves, and counts them.
    let entryFacts = Locked(0)
    /// Problems since the process started, one sentence each; bounded.
    private let noted = Locked<[String]>([])
    private let nextIdentifier = Atomic<UInt64>(1)
    /// The once-token: the thread that finds it free starts the agent, and all other threads wait for the
    /// result.
    private let once = TimedCondition<Once>(.free)

    private enum Once {
        case free
        case starting
        case running(Agent)
        case stopping
    }

    /// The result of ``claimStart(until:)``.
    enum Claim {
        /// The caller has the token and starts the agent.
        case own
        /// An agent is running.
        case running(Agent)
        /// Another thread tried to start the agent while the caller waited, and failed.
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
        // Each registry is adopted on its own: a gap in one of them is no reason to leave out the others.
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

    /// Takes the token, or waits for the outcome of the thread that has it: an answer of "running" before
    /// that outcome would be false if the start fails.
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

    /// Ends the start that ``claimStart(until:)`` began.
    func started(_ agent: Agent?) {
        once.update { once in once = agent.map { .running($0) } ?? .free }
    }

    /// Takes the agent in order to stop it, after waiting for a start or stop in progress; nil if no agent
    /// is running, or if another thread has stopped it.
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

    /// Ends the stop that ``claimStop(until:)`` began.
    func stopped() { once.update { $0 = .free } }

    // MARK: Names

    /// The probes of the queues that the host observes, and of the queues that own a registered object.
    var observedQueues: [QueueProbe] {
        let owned = objects.all.compactMap { $0.probe(self) }
        return withExtendedLifetime(owned) { probes.all }
    }

    func makeIdentifier() -> UInt64 {
        nextIdentifier.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Ends the registration with the identifier, of any kind.
    func end(_ identifier: UInt64) {
        // Each removed entry is released here, outside of the registry's lock.
        if objects.remove(identifier) != nil { return }
        if actions.remove(identifier) != nil { return }
        if probes.remove(identifier) != nil { return }
        if observedTasks.remove(identifier) != nil { return }
        _ = operationQueues.remove(identifier)
    }

    // MARK: Notes

    /// Records a problem as a sentence, and prints it as one line on standard error.
    func note(_ sentence: String) {
        guard record(sentence) else { return }
        // The host's thread waits for nothing: a full pipe costs the line, not the host's time.
        _ = StandardError.write(lines: [Self.line(sentence)], until: .now)
    }

    /// As ``note(_:)``, where the calls are refused that make sure of standard error.
    func noteLast(_ sentence: String) {
        if record(sentence) { StandardError.writeLast(Self.line(sentence)) }
    }

    private static func line(_ sentence: String) -> String {
        "telltale[\(ProcessIdentity.pid)] \(sentence.escaped)"
    }

    /// Returns false for a sentence that is recorded already.
    private func record(_ sentence: String) -> Bool {
        noted.withLock { notes in
            guard !notes.contains(sentence) else { return false }
            if notes.count >= 100 { notes.removeFirst() }
            notes.append(sentence)
            return true
        }
    }

    /// The problems so far, oldest first.
    var notes: [String] { noted.withLock { $0 } }
}
#endif
