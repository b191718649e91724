import Testing

/// A shape of the test host, and the expected answer of `stuck`.
struct ShapeRow: Sendable, CustomTestStringConvertible {
    /// The expected finding.
    enum Expectation: Sendable {
        /// Exit status 0, and no finding. A live party may end each wait.
        case healthy
        /// Exit status 0, and a long wait is reported (here from one second on): only an outside
        /// observer can know.
        case waitsLong
        /// Exit status 7, with each of these functions and its line.
        case stuck([String])
        /// The same, and `deadlock` is the verdict.
        case deadlock([String])
    }

    var name: String
    var expectation: Expectation
    /// Takes the processor from others: is asked when they are done.
    var isHeavy = false

    var testDescription: String { name }

    /// Indicates that nothing is to be reported.
    var isWell: Bool { if case .healthy = expectation { true } else { false } }

    var isAccused: Bool {
        switch expectation {
        case .healthy, .waitsLong: false
        case .stuck, .deadlock: true
        }
    }

    /// Indicates that it is asked with a threshold of one second: with a potential waker, a pool's
    /// threads have the time of a network request, for which no test waits.
    var isSoon = false

    /// Indicates that it is first asked after the threshold of waits with a potential waker.
    var isLate = false

    /// Indicates that not even a long wait is to be reported, from one second on.
    var isQuiet = false

    /// With which `stuck` is asked.
    var options: [String] {
        if isQuiet { return ["--after", "1s", "--strict"] }
        if case .waitsLong = expectation { return ["--after", "1s"] }
        return isSoon ? ["--after", "1s"] : []
    }

    private init(_ name: String, _ expectation: Expectation) {
        self.name = name
        self.expectation = expectation
    }

    static func healthy(_ name: String) -> ShapeRow { ShapeRow(name, .healthy) }
    static func waitsLong(_ name: String) -> ShapeRow { ShapeRow(name, .waitsLong) }
    static func stuck(_ name: String, _ places: String...) -> ShapeRow {
        ShapeRow(name, .stuck(places))
    }
    static func deadlock(_ name: String, _ places: String...) -> ShapeRow {
        ShapeRow(name, .deadlock(places))
    }

    var heavy: ShapeRow { with { $0.isHeavy = true } }
    var soon: ShapeRow { with { $0.isSoon = true } }
    var quiet: ShapeRow { with { $0.isQuiet = true } }
    var late: ShapeRow { with { $0.isLate = true } }

    private func with(_ change: (inout ShapeRow) -> Void) -> ShapeRow {
        var row = self
        change(&row)
        return row
    }
}

extension ShapeRow {
    /// All shapes of the test host, in its order.
    static let all: [ShapeRow] = [
        // A live party will signal: to a thread that waits alone, and to one with others behind it.
        .healthy("timer-signals-hourly"),
        .healthy("timer-signals-hourly-with-line"),
        .healthy("one-shot-timer-signals"),
        .healthy("one-shot-timer-signals-with-line"),
        .healthy("async-after-signals"),
        .healthy("async-after-signals-with-line"),
        .healthy("run-loop-timer-signals"),
        .healthy("run-loop-timer-signals-with-line"),
        .healthy("sleeping-task-signals"),
        .healthy("sleeping-task-signals-with-line"),
        .healthy("read-source-signals"),
        .healthy("read-source-signals-with-line"),
        .healthy("signal-source-signals"),
        .healthy("signal-source-signals-with-line"),
        .healthy("subscriber-thread-signals"),
        .healthy("subscriber-thread-signals-with-line"),
        .healthy("readability-handler-signals"),
        .healthy("readability-handler-signals-with-line"),
        .healthy("sleeping-thread-signals"),
        .healthy("sleeping-thread-signals-with-line"),
        .healthy("queued-item-signals"),
        .healthy("queued-item-signals-with-line"),
        // Times that will come, and two that will not.
        .healthy("timer-signals-often"),
        .healthy("group-left-by-timer"),
        .healthy("timed-wait-with-others-in-line"),
        .stuck("semaphore-of-cancelled-timer", "waitForCancelledTimer"),
        .stuck("group-never-left-beside-timer", "waitForGroupNobodyLeaves"),
        // Input and signals from outside.
        .healthy("idle-service-group").quiet,
        .healthy("idle-signal-continuation"),
        .healthy("global-semaphore-of-signal-source"),
        .healthy("continuation-held-by-blocked-reader"),
        .healthy("child-process-awaited"),
        .stuck("semaphore-of-cancelled-read-source", "waitForCancelledInput"),
        // Threads that are fed by others, or were.
        .healthy("worker-pool-idle"),
        .healthy("consumers-on-condition"),
        .healthy("bounded-buffer-slow-consumer"),
        .healthy("joins-sleeping-thread"),
        .stuck("feeder-thread-ended", "waitForEndedFeeder"),
        .stuck("threads-wait-crosswise", "waitForPartner"),
        .stuck("condition-never-signalled", "waitForConditionNobodySignals"),
        .stuck("semaphore-never-signalled", "waitForSlotNobodyGivesBack"),
        .stuck("semaphore-never-signalled-in-server", "waitForSlotNobodyGivesBack"),
        .stuck("semaphore-never-signalled-behind-number", "waitForSlotNobodyGivesBack"),
        .stuck("worker-pool-waits-for-own-jobs", "waitForJobOfSamePool"),
        // Asynchronous answers that threads wait for.
        .healthy("bridge-to-sleeping-task"),
        .healthy("bridge-to-socket-answer"),
        .healthy("bridge-to-url-session"),
        .healthy("rate-limiter-on-timer"),
        .healthy("rate-limiter-bridged"),
        .stuck("bridge-to-lost-continuation", "waitForAnswerThatWasLost"),
        .healthy("actor-bridge-to-sleeping-task"),
        .stuck("actor-bridge-to-lost-continuation", "waitForAnswerThatActorLost"),
        .stuck("bridge-to-queue-in-own-line", "waitForItemBehindOneself"),
        // Continuations that are retained, and lost ones.
        .healthy("continuation-of-timer"),
        .healthy("continuation-of-async-after"),
        .healthy("continuation-of-sleeping-thread"),
        .waitsLong("continuation-in-global-list"),
        .healthy("continuation-resumed-often").heavy,
        .healthy("continuations-resumed-now-and-then"),
        .stuck("checked-continuation-lost", "awaitLostChecked"),
        .stuck("unsafe-continuation-lost", "awaitLostUnsafe"),
        .stuck("lost-continuation-with-others-waiting", "awaitLostRefresh"),
        .stuck("lost-continuation-in-actor", "write"),
        .stuck("lost-continuation-in-async-let", "awaitLostHead"),
        .stuck("lost-continuation-in-group", "awaitLostPart"),
        .stuck("lost-continuations-in-discarding-group", "awaitLostReply"),
        .stuck("continuation-of-cancelled-timer", "awaitCancelledTimer"),
        .stuck("continuation-of-ended-thread", "awaitEndedThread"),
        .stuck("continuation-resumed-by-cancel-only", "awaitCancelOnly"),
        .healthy("continuation-cancelled-by-time-out"),
        .stuck("lost-continuation-in-server", "awaitLostRefresh"),
        // Streams.
        .healthy("stream-of-timer"),
        .healthy("stream-of-thread"),
        .healthy("stream-of-task"),
        .stuck("stream-without-producer", "consumeForsakenStream"),
        .stuck("stream-of-ended-thread", "consumeEndedThread"),
        // Tasks and actors.
        .healthy("group-of-sleepers"),
        .healthy("value-of-sleeper"),
        .healthy("async-let-of-sleeper"),
        .healthy("actor-sleeps-suspended"),
        .healthy("actor-sleeps-on-thread"),
        .healthy("actor-of-waiting-thread-in-read"),
        .stuck("actor-blocked-by-semaphore", "waitForDiskNobodySignals"),
        .deadlock("tasks-await-each-other", "awaitOrder", "awaitInvoice"),
        .deadlock("child-awaits-its-parent", "awaitChildren", "awaitParent"),
        // Queues.
        .healthy("sleeping-reader-behind-barrier"),
        .healthy("sleeping-item-with-others-in-line"),
        .healthy("sleeping-lock-holder"),
        .healthy("slow-initialiser"),
        .healthy("suspended-queue-without-items"),
        .waitsLong("suspended-queue-with-items"),
        .healthy("queues-in-use").heavy,
        .stuck("barrier-behind-blocked-reader", "readPageThatNeverComes"),
        .stuck("registered-owner-hangs", "waitForDeliveryNobodyMakes"),
        .deadlock("barrier-behind-own-reader", "writeWhileReading"),
        // Operations.
        .healthy("sleeping-operation"),
        .healthy("operations-in-use").heavy,
        .stuck("operations-depend-on-each-other", "waitForCircleOfDependencies"),
        .deadlock("operation-waits-for-own-queue", "waitForOperationBehindOneself"),
        .deadlock("operation-waits-for-own-unobserved-queue", "waitForAllWithOneself"),
        .deadlock("operation-adds-to-own-unobserved-queue", "addAndWaitInOwnQueue"),
        .healthy("operation-waits-for-another-of-its-queue"),
        .healthy("operation-adds-to-another-queue"),
        .stuck("operation-queue-all-blocked", "waitForAnswerNobodyGives"),
        // Locks, threads that are joined, initialisers.
        .healthy("contended-lock").heavy,
        .deadlock("lock-taken-twice", "takeAgain"),
        .stuck("lock-of-ended-thread", "takeAbandoned"),
        .deadlock("three-locks-in-circle", "takeSecond"),
        .deadlock("inheriting-locks-in-circle", "takeInheriting"),
        .deadlock("writer-waits-for-queue-of-reader", "readLocked", "syncUnderWriteLock"),
        .deadlock("threads-join-in-circle", "joinNeighbour"),
        .healthy("timed-read-write-locks-in-circle"),
        .deadlock("initialisers-in-circle", "useTable", "syncInInitialiser"),
        // Servers that block a thread for each client.
        .healthy("accept-server-idle"),
        .healthy("accept-server-loaded").heavy,
        .healthy("accept-server-slow-handlers"),
        .stuck("accept-server-exhausted", "handleWithoutAnswer").late,
        .stuck("accept-server-full", "handleWithoutAnswer").heavy.soon,
        .stuck("accept-server-exhausted-in-one-pool", "handleWithoutAnswer").late,
        .stuck("accept-server-full-in-one-pool", "handleWithoutAnswer").heavy.soon,
        // Circles of queues and locks.
        .deadlock("three-queues-in-circle", "syncOntoNext"),
        .stuck("group-of-items-behind-oneself", "waitForGroupInOwnLine"),
        .deadlock("lock-holder-syncs-to-queue-of-waiter", "takeLockOnQueue", "syncUnderLock"),
        .deadlock("lock-holder-syncs-to-main", "takeLockOnMain", "syncToMainUnderLock"),
        // Cycles with tasks. Each contains a semaphore, whose owner nothing proves: the grade is
        // open, the locations are not.
        .stuck(
            "lock-actor-queue-lock", "askVaultUnderLock", "takeLockOfVaultsClient",
            "syncOntoQueueOfLock"
        ),
        .stuck(
            "task-lock-queue-task", "takeLockInTask", "syncUnderLockOfTask", "waitForTaskOnQueue"
        ),
        .stuck("queue-bridge-actor-queue", "bridgeToActorOfQueue", "syncBackToBridge"),
        .stuck("actor-bridge-to-itself", "bridgeToOneself"),
        // Swift's own pool.
        .healthy("swift-pool-busy").heavy,
        .healthy("swift-pool-sleeps"),
        .healthy("pool-of-consumers-with-rare-items"),
        .stuck("swift-pool-blocked", "waitForAnswerOnPool"),
        .stuck("swift-pool-waits-for-own-tasks", "waitForTaskThatHasNoThread"),
        // The main thread, outside of its queue.
        .healthy("main-waits-for-signal-source"),
        .healthy("main-in-sigwait"),
        .healthy("main-in-run-loop"),
        .healthy("main-joins-server-thread").quiet,
        .healthy("main-waits-for-sleeping-task"),
        .stuck("main-blocked-with-work-queued", "waitForAnswerOnMain"),
        .stuck("main-waits-for-task-of-main-actor", "waitForTaskOfMainActor"),
        .stuck("main-blocked-in-main-actor-task", "waitForAnswerOnMainActor"),
        // The busy, and those that look now and then.
        .healthy("eight-busy-threads").heavy,
        .healthy("spinning-item-with-others-in-line").heavy,
        .healthy("poll-loop-idle").quiet,
        .healthy("poll-loop-with-timeout"),
        // Event loops.
        .healthy("epoll-loop-idle").quiet,
        .healthy("select-loop-idle"),
        .healthy("ring-loop-idle"),
        .healthy("epoll-loop-busy"),
        .healthy("select-loop-busy"),
        .healthy("ring-loop-busy"),
        .stuck("epoll-loop-blocked", "handleOnEpoll").soon,
        .stuck("poll-loop-blocked", "handleOnPoll").soon,
        .stuck("select-loop-blocked", "handleOnSelect").soon,
        .healthy("nio-loop-idle").quiet,
        .stuck("nio-loop-blocked-with-tasks", "handleOnNIO").soon,
        .stuck("ring-loop-blocked", "handleOnRing").soon,
        .healthy("epoll-loop-accepts-for-task").quiet,
        // By facilities of the system below Swift. The kernel doesn't tell which process writes to
        // a pipe, or locks a file.
        .stuck("posix-pool-without-notify", "waitForJobNobodyWasToldOf"),
        .healthy("posix-pool-notified-by-timer"),
        .healthy("posix-semaphore-of-signal-handler"),
        .waitsLong("pipe-of-blocked-writer").late,
        .waitsLong("file-lock-of-another-process").late,
        .healthy("channel-waits-for-input"),
        .healthy("channel-is-open").quiet,
        .stuck("channel-answers-behind-oneself", "waitForInputBehindOneself"),
        // Objects that only a pointer of the kernel's leads to, and locks that record no thread's id.
        .waitsLong("semaphore-in-epoll-data"),
        .waitsLong("semaphore-in-ring-request"),
        .waitsLong("semaphore-in-timer-value"),
        .waitsLong("semaphore-in-async-request"),
        .waitsLong("semaphore-in-locked-memory"),
        .waitsLong("semaphore-in-read-only-memory"),
        .stuck("semaphore-in-epoll-data-of-its-waiter", "waitForOwnEvent"),
        .waitsLong("stream-lock-of-blocked-writer"),
        .waitsLong("reader-behind-writer-behind-reader"),
    ]
}
