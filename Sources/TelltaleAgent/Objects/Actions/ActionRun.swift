#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The outcome of a call; a result is a tree, read where the action ran.
enum CallOutcome: Sendable {
    case returned(ValueNode?)
    case threw(String, type: String)
    case failed(CommandFailure)
    /// The call did not start because the client was gone.
    case withdrawn

    /// The approximate memory used by the outcome.
    var bytes: Int {
        switch self {
        case .returned(let node): node.map { $0.keptBytes } ?? 0
        case .threw(let words, _): words.utf8.count
        case .failed(let failure): failure.message.utf8.count
        case .withdrawn: 0
        }
    }

    /// The outcome as recorded. A thrown error may repeat the arguments, so only its type is recorded.
    var text: String {
        switch self {
        case .returned: "done"
        case .threw(_, let type): "threw \(type.escaped(limit: 200))"
        case .failed(let failure): "failed: \(failure.message)"
        case .withdrawn: "cancelled"
        }
    }
}

/// One run of an action on its owner; it is a job from the moment it waits for the owner.
struct ActionRun {
    let context: CommandContext
    let action: Action
    /// The command that the job belongs to.
    var command = CallCommand.description.name
    /// The limits for reading the result, and the path of the part that is read.
    var depth: Int?
    var elements: Int?
    var path: [ValuePath.Component] = []

    /// The error for an action whose object is gone.
    static func gone(_ action: Action) -> CommandFailure {
        CommandFailure(
            .gone, "\(action.name) is gone: its object was deallocated",
            hint: "`actions` lists those that can be called")
    }

    /// Runs the action with these arguments.
    ///
    /// - Returns: The outcome, and the job if the call was abandoned.
    func outcome(
        _ arguments: [JSONValue]
    ) throws(CommandFailure) -> (CallOutcome, Job?) {
        // Decoding runs the types' own code, so it needs a deadline and a worker too.
        let action = action
        let preparing = HostCall<Result<HeldValue<Action.Prepared>, CommandFailure>>.on(
            .none, .read, in: .registration(action.identifier),
            workers: context.agent.workers, until: context.deadline,
            unless: context.isClientGone
        ) {
            do {
                guard let prepare = action.prepare else { throw Self.gone(action) }
                // The arguments are host values: they are released on the action's owner, even if the action
                // never runs.
                return .success(HeldValue(try prepare(arguments), of: action.owner, .toOwner))
            } catch {
                return .failure(
                    error as? CommandFailure ?? CommandFailure(.wrongType, "\(error)"))
            }
        }
        if case .withdrawn = preparing { return (.withdrawn, nil) }
        guard case .finished(let prepared) = preparing else {
            throw CommandFailure(
                .timeout,
                "the arguments of \(action.name) were not decoded in time; it did not run")
        }
        let held = try prepared.get()
        context.announce(action.name)
        let isTried = action.isAsync ? true : try tryFirst(held)
        let task = action.isAsync ? TaskBox(workers: context.agent.workers) : nil
        let job = try context.agent.jobs.begin(
            command, action.name, on: action.owner, by: context.peer, task: task)
        guard isTried else {
            return finish(context.isClientGone() ? .withdrawn : .cancelled, job)
        }
        guard let task else { return finish(runNow(held, as: job), job) }
        return finish(runAsync(held, as: job, task), job)
    }

    private func tryFirst(_ held: HeldValue<Action.Prepared>) throws(CommandFailure) -> Bool {
        let isCall = command == CallCommand.description.name
        return try context.agent.trials.check(
            action.code, action.name, on: action.owner, .write, in: bulkhead, of: context.agent,
            until: context.deadline, isAsked: true,
            hint: "in the service: Telltale.\(isCall ? "action" : "property")(…, run: .offOwner) "
                + "runs it off its owner"
        ) {
            if case .synchronous(let body)? = held.value { _ = body() }
        }
    }

    private var bulkhead: Bulkhead {
        Bulkhead(action.owner, .write) ?? .registration(action.identifier)
    }

    private func runNow(
        _ held: HeldValue<Action.Prepared>, as job: Job
    ) -> HostCall<CallOutcome>.Outcome {
        let reading = ResultReading(run: self, job: job)
        // An action may change anything, so it gets exclusive access to the owner.
        return HostCall<CallOutcome>.start(
            on: action.owner, .write,
            in: bulkhead,
            workers: context.agent.workers, until: context.deadline,
            unless: context.isClientGone
        ) {
            job.runs()
            guard case .synchronous(let body)? = held.take() else {
                return reading.unprepared
            }
            return reading.outcome(body())
        }
        .outcome(until: context.deadline, leavesRunning: true)
    }

    private func runAsync(
        _ held: HeldValue<Action.Prepared>, as job: Job, _ task: TaskBox
    ) -> HostCall<CallOutcome>.Outcome {
        let reading = ResultReading(run: self, job: job)
        let call = HostCall<CallOutcome>(unless: context.isClientGone)
        let (workers, deadline, owner) = (context.agent.workers, context.deadline, action.owner)
        let run: @Sendable (@escaping @Sendable () -> Void) -> Void = { leave in
            let flag = DoneFlag()
            let worker = WorkerExecutor(workers: workers)
            let executor: any TaskExecutor
            if case .queue(let queue) = owner {
                executor = QueueExecutor(queue: queue)
            } else {
                executor = worker
            }
            task.start(
                Task.detached(executorPreference: executor) {
                    // Waits for the actor first: a call that has not started there by the deadline never
                    // starts.
                    if case .actor(let weak) = owner, let actor = weak.retained() {
                        await Self.run(held, as: call, on: actor, reading, leave)
                    } else {
                        if call.begin() { call.finish(await reading.outcome(of: held)) }
                        leave()
                    }
                    flag.set()
                    worker.wake()
                })
            worker.run(until: deadline) { flag.isSet }
        }
        workers.submit(
            WorkerPool.Job(
                bulkhead: .registration(action.identifier), isWanted: { call.isWanted },
                run: run,
                enqueue: nil))
        return call.outcome(until: deadline, grace: .zero, leavesRunning: true)
    }

    private static func run(
        _ held: HeldValue<Action.Prepared>, as call: HostCall<CallOutcome>,
        on actor: isolated any Actor, _ reading: ResultReading,
        _ leave: @Sendable () -> Void
    ) async {
        // Runs before the actor's next jobs, which may run on the same thread.
        defer { leave() }
        guard call.begin() else { return }
        call.finish(await reading.outcome(of: held))
    }

    private func finish(
        _ outcome: HostCall<CallOutcome>.Outcome, _ job: Job
    ) -> (CallOutcome, Job?) {
        let limit = Quantity.time(context.deadline.since(context.began))
        switch outcome {
        case .finished(let result):
            job.isAnswered()
            return (result, nil)
        case .withdrawn:
            job.isAnswered()
            return (.withdrawn, nil)
        case .cancelled:
            job.isAnswered()
            var reason = "\(action.owner.shortName) did not answer in \(limit)"
            if case .none = action.owner {
                reason = "in \(limit) its earlier calls did not come back"
            }
            return (
                .failed(
                    CommandFailure(
                        .timeout,
                        "\(action.name) did not run: \(reason), and it will not run later",
                        hint: "`stuck` says who holds it; --timeout gives it longer")), nil
            )
        case .abandoned:
            let isGone = context.isClientGone()
            job.giveUp(isGone ? context.clientEnd : "its deadline passed")
            let passed = isGone ? "; \(context.clientEnd)" : " in \(limit)"
            let end =
                action.isAsync ? "its task was cancelled, and may still end" : "it may still end"
            return (
                .failed(
                    CommandFailure(
                        .timeout,
                        "\(action.name) was begun and has not come back\(passed); \(end), as job "
                            + "\(job.number)",
                        hint: "`jobs` says when it has; --timeout gives it longer")), job
            )
        }
    }
}

/// Reads an action's result where the action ran, and records the end of its job.
struct ResultReading: Sendable {
    private let agent: Agent
    private let deadline: MonotonicTime
    private let action: Action
    private let job: Job
    private let depth: Int?
    private let elements: Int?
    private let path: [ValuePath.Component]

    /// The maximum size of a result kept for an abandoned call.
    private static let keptBytes = 262_144

    init(run: ActionRun, job: Job) {
        (agent, deadline) = (run.context.agent, run.context.deadline)
        (action, self.job) = (run.action, job)
        (depth, elements, path) = (run.depth, run.elements, run.path)
    }

    var unprepared: CallOutcome {
        .failed(CommandFailure(.internal, "\(action.name) was not prepared as it is run"))
    }

    // A separate function, so that the arguments and the result are released when it returns, on the task's
    // executor or the actor.
    func outcome(
        of held: HeldValue<Action.Prepared>, isolation: isolated (any Actor)? = #isolation
    ) async -> CallOutcome {
        job.runs()
        guard case .asynchronous(let body)? = held.take() else { return unprepared }
        return outcome(await body())
    }

    func outcome(_ made: Action.Outcome) -> CallOutcome {
        let outcome = read(made)
        job.ended(outcome)
        return outcome
    }

    /// The reader with its limits. The deadline of an abandoned call has passed, so its reader gets a new
    /// one.
    private var reader: ValueReader {
        var limits = agent.readLimits(until: deadline, depth: depth, elements: elements)
        if job.isGivenUp {
            limits = agent.readLimits(until: .now.advanced(by: agent.configuration.ownerDeadline))
            limits.bytes = min(limits.bytes, Self.keptBytes)
        }
        return ValueReader(limits: limits, masks: agent.masks, handles: nil)
    }

    private func read(_ outcome: Action.Outcome) -> CallOutcome {
        switch outcome {
        case .failed(let failure): return .failed(failure)
        case .threw(let words, let error):
            let type = "\(type(of: error.value))"
            return .threw(shown(words, of: error.value, type), type: type)
        case .returned(nil): return .returned(nil)
        case .returned(let result?):
            do throws(CommandFailure) {
                return .returned(
                    try reader.read(.value(result.value), rootName: action.name, path: path))
            } catch {
                return .failed(error)
            }
        }
    }

    // The error's text for the caller. The host wrote it and it may repeat values of the error: if the error
    // contains a secret, only its type is shown.
    private func shown(_ words: String, of error: Any, _ type: String) -> String {
        let reader = reader
        if reader.findsSecret(in: error) {
            return "\(type); its own words are not shown: a secret is in its reach"
        }
        let isWhole = words.utf8.count < 2000
        return SecretURL.masking(words, isWhole: isWhole, names: reader.masks.names) ?? words
    }
}
#endif
