#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// A running agent: its configuration, its threads and their shared state.
final class Agent: Sendable {
    let shared: SharedState
    let configuration: AgentConfiguration
    /// The host's closure that receives the lines of dumps.
    let dumpLines: HeldValue<@Sendable ([String]) -> Void>?
    let name: String
    let mode: AgentConfiguration.Mode
    let buildID: String
    let workers: WorkerPool
    let threads = AgentThreads()
    let symbols: Symbolicator
    let trials = HostCodeTrials()
    let holds = QueueHolds()
    let pendingChanges = PendingChanges()
    let masks: MaskPolicy
    /// The store of everything that is kept for later commands.
    let memory: KeptMemory
    let handles: HandleTable
    let heapMarks = HeapMarks()
    let roots = RootTable()
    let dumps: DumpStore
    let changes: ChangeLog
    let jobs: JobTable
    let access: AccessRules
    let connections: ConnectionTable
    let wake: WakeDescriptor
    let reports: ReportThread
    let hangWatch = HangWatch()
    let listener = Locked<Listener?>(nil)
    private let stopped = Locked(Duration.zero)
    private let lastResume = Locked<MonotonicTime?>(nil)
    private let lateWakeUps = Locked(LateWakeUps())
    private let isStopping = DoneFlag()
    private let hasEnded = TimedCondition(false)
    /// The signals whose handlers were installed, in order.
    let takenSignals = Locked<[Int32]>([])
    let signalSources = Locked<[SourceTrap]>([])

    /// Creates an agent that holds its descriptors but does nothing yet.
    init(shared: SharedState, configuration: AgentConfiguration) throws(SystemError) {
        self.shared = shared
        var configuration = configuration
        if case .lines(let take) = configuration.dumpOutput {
            // The agent may be deallocated on any of its threads, and the closure with it.
            configuration.dumpOutput = .lines { _ in }
            dumpLines = HeldValue(take, of: .none, .toOwnerOrHost)
        } else {
            dumpLines = nil
        }
        self.configuration = configuration
        name = Self.name(configuration)
        mode = configuration.mode ?? Self.defaultMode
        buildID = ProcessIdentity.buildID
        wake = try WakeDescriptor()
        let workers = WorkerPool(limit: configuration.maximumWorkers)
        self.workers = workers
        symbols = Symbolicator { [workers] in workers.submit($0) }
        masks = MaskPolicy(additionalNames: configuration.maskedNames)
        HostLabel.mask(by: masks.names)
        memory = KeptMemory(limit: configuration.keptBytes)
        handles = HandleTable(memory: memory) { shared.objects.addresses }
        dumps = DumpStore(count: configuration.keptDumps, memory: memory)
        changes = ChangeLog(
            limit: configuration.keptChanges, audit: configuration.auditLog, memory: memory)
        jobs = JobTable(changes: changes, workers: workers, memory: memory)
        access = AccessRules(configuration.denied)
        connections = ConnectionTable(
            limit: configuration.maximumConnections, threads: threads)
        reports = ReportThread(interval: configuration.dumpInterval, threads: threads)
    }

    private static var defaultMode: AgentConfiguration.Mode {
        #if DEBUG
        .readWrite
        #else
        // The trait has enabled the agent in a release build, where its purpose is inspection.
        .readOnly
        #endif
    }

    private static func name(_ configuration: AgentConfiguration) -> String {
        if let name = configuration.name, !name.isEmpty { return name }
        let file = ProcessFiles.own.executable?.split(separator: "/").last.map(String.init)
        return file ?? ProcessFiles.own.name ?? "service"
    }

    // MARK: Queries

    /// True once ``stop()`` has begun.
    var isEnding: Bool { isStopping.isSet }

    /// The interval at which the agent's thread checks for pauses; nil if it doesn't.
    var heartbeat: Duration? {
        configuration.reportsPauses ? configuration.heartbeat : nil
    }

    /// The total time that the process was stopped since the agent started.
    var stoppedTime: Duration { stopped.withLock { $0 } }

    /// The time at which the process last continued after a pause.
    var resumed: MonotonicTime? { lastResume.withLock { $0 } }

    /// Counts the late wake-ups of the agent's thread that no stop of the process explains.
    struct LateWakeUps: Sendable {
        var count = 0
        var longest = Duration.zero
        var total = Duration.zero
    }

    /// Delays that the heartbeat found and that are not pauses.
    var late: LateWakeUps { lateWakeUps.withLock { $0 } }

    /// The total time that the process was stopped or the agent's thread woken late.
    var lostTime: Duration { stoppedTime + late.total }

    func count(late: Duration) {
        lateWakeUps.withLock {
            $0.count += 1
            $0.longest = max($0.longest, late)
            $0.total += late
        }
    }

    func count(_ pause: PauseDetector.Pause) {
        stopped.withLock { $0 += (pause.atLeast + pause.atMost) / 2 }
        lastResume.withLock { $0 = .now }
    }

    /// The limits of one read that must finish by `deadline`.
    func readLimits(
        until deadline: MonotonicTime, depth: Int? = nil, elements: Int? = nil
    ) -> ReadLimits {
        var limits = ReadLimits(deadline: deadline)
        limits.depth = min(max(depth ?? configuration.depth, 0), 64)
        limits.elements = min(max(elements ?? configuration.elements, 0), 1_000_000)
        limits.bytes = configuration.maximumReplyBytes
        limits.runsFormats = mode == .readWrite
        return limits
    }

    /// Problems for `status` and the dump.
    var problems: [String] {
        var problems = shared.notes
        let shares = signalSources.withLock { $0.map(\.signal) }
        for signal in takenSignals.withLock({ $0 }) where !shares.contains(signal) {
            if !SignalTrap.isOurs(signal) {
                problems.append(SignalTrap.Refusal.replaced(signal).description)
            } else if SignalTrap.isBlockedInMain(signal) {
                problems.append(SignalTrap.Refusal.blockedSince(signal).description)
            }
        }
        let counts = workers.counts
        let busy = counts.threads - counts.idle
        if busy >= configuration.maximumWorkers {
            problems.append(
                "all \(configuration.maximumWorkers) workers wait for the host; what needs it is "
                    + "not answered until one comes back")
        }
        return problems
    }

    var status: AgentStatus {
        AgentStatus(
            state: .running, socketPath: listener.withLock { $0?.path }, problems: problems)
    }

    // MARK: End

    /// Ends the service thread, and waits at most two seconds for it.
    func end() {
        isStopping.set()
        wake.wake()
        _ = hasEnded.wait(until: MonotonicTime.now.advanced(by: .seconds(2))) {
            $0 ? true : nil
        }
    }

    /// Marks the service thread as ended.
    func ended() { hasEnded.update { $0 = true } }
}
#endif
