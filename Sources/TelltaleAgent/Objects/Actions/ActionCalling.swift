#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleSystem

/// Runs registered actions on their owners, with a deadline.
struct ActionCalling {
    let context: CommandContext

    /// What came of a call: the result as a tree, read where the action ran.
    private enum Outcome: Sendable {
        case returned(ValueNode?)
        case threw(String, type: String)
        case failed(CommandFailure)
        /// It did not begin: the client had gone.
        case withdrawn
    }

    /// Runs the action called `name` with `text` between its parentheses.
    func call(_ name: String, arguments text: String) throws(CommandFailure) -> CallAnswer {
        guard let action = context.agent.shared.actions.entry(name) else { throw unknown(name) }
        return try call(action, try arguments(text, of: action))
    }

    /// Runs an action with what was typed for its arguments.
    func call(
        _ action: Action, _ typed: [Literal.Argument]
    ) throws(CommandFailure) -> CallAnswer {
        let (agent, name) = (context.agent, action.name)
        let arguments = typed.map { $0.value.jsonValue }
        let began = MonotonicTime.now
        let outcome = try run(action, arguments)
        if case .withdrawn = outcome {
            throw agent.changes.addWithdrawn(
                name, new: "not called", by: context.peer, since: context.clientEnd)
        }
        let took = MonotonicTime.now.since(began).microseconds
        let record = CallRecord(action: action, masks: agent.masks)
        let change = agent.changes.addCall(
            name, arguments: record.text(of: typed), result: Self.result(outcome),
            by: context.peer)
        switch outcome {
        case .returned(let node):
            return CallAnswer(
                action: name, value: node.map(numbered), microseconds: took, change: change.number)
        case .threw(let error, _):
            throw CommandFailure(.hostError, "\(name) threw: \(error)")
        case .failed(let failure): throw failure
        case .withdrawn: throw CommandFailure(.gone, "\(name) was not called")
        }
    }

    private func arguments(
        _ text: String, of action: Action
    ) throws(CommandFailure) -> [Literal.Argument] {
        let typed: [Literal.Argument]
        do throws(CommandFailure) {
            typed = try Literal.arguments(parsing: text)
        } catch {
            // The parser's sentence and hint repeat what was typed, and nothing tells whether that is a secret.
            throw CommandFailure(
                .usage, "what was typed for \(action.name) can't be read as its arguments",
                hint: "write them as \(action.signature), texts in quotes")
        }
        for (index, argument) in typed.enumerated() {
            guard let label = argument.label, label != action.argumentName(index) else {
                continue
            }
            throw CommandFailure(
                .usage,
                action.names.isEmpty
                    ? "`\(label):` can't be matched: an action's arguments have no labels"
                    : "`\(label):` can't be matched: there is no such argument at that place",
                hint: "write them in the order of \(action.signature)")
        }
        return typed
    }

    private func run(_ action: Action, _ arguments: [JSONValue]) throws(CommandFailure)
        -> Outcome
    {
        // Decoding runs the types' own code, so it too has a deadline and a worker.
        let preparing = HostCall<Result<HeldValue<Action.Prepared>, CommandFailure>>.on(
            .none, .read, in: .registration(action.identifier),
            workers: context.agent.workers, until: context.deadline,
            unless: context.isClientGone
        ) {
            do {
                guard let prepare = action.prepare else {
                    throw CommandFailure(.gone, "\(action.name) is not registered any more")
                }
                // The arguments are the host's; they go with the action, also where it never runs.
                return .success(HeldValue(try prepare(arguments), of: action.owner, .toOwner))
            } catch {
                return .failure(
                    error as? CommandFailure ?? CommandFailure(.wrongType, "\(error)"))
            }
        }
        if case .withdrawn = preparing { return .withdrawn }
        guard case .finished(let prepared) = preparing else {
            throw CommandFailure(
                .timeout,
                "the arguments of \(action.name) were not decoded in time; it did not run")
        }
        let limits = context.agent.readLimits(until: context.deadline)
        let reader = ValueReader(limits: limits, masks: context.agent.masks, handles: nil)
        let held = try prepared.get()
        guard !action.isAsync else {
            return try runAsync(held, action: action, reader: reader)
        }
        // An action changes what it likes, so it has the owner for itself.
        let call = HostCall<Outcome>.on(
            action.owner, .write,
            in: Bulkhead(action.owner, .write) ?? .registration(action.identifier),
            workers: context.agent.workers, until: context.deadline,
            unless: context.isClientGone
        ) {
            guard case .synchronous(let body)? = held.take() else {
                return .failed(Self.unprepared(action))
            }
            return Self.outcome(body(), action: action, reader: reader)
        }
        return try finish(call, action)
    }

    private static func unprepared(_ action: Action) -> CommandFailure {
        CommandFailure(.internal, "\(action.name) was not prepared as it is run")
    }

    private func runAsync(
        _ held: HeldValue<Action.Prepared>, action: Action, reader: ValueReader
    ) throws(CommandFailure) -> Outcome {
        let call = HostCall<Outcome>(unless: context.isClientGone)
        let workers = context.agent.workers
        let deadline = context.deadline
        let task = TaskBox()
        let run: @Sendable (@escaping @Sendable () -> Void) -> Void = { leave in
            let flag = DoneFlag()
            let worker = WorkerExecutor(workers: workers)
            let executor: any TaskExecutor
            if case .queue(let queue) = action.owner {
                executor = QueueExecutor(queue: queue)
            } else {
                executor = worker
            }
            task.task = Task.detached(executorPreference: executor) {
                // An actor is waited for first: what has not begun there by the deadline never does.
                if case .actor(let weak) = action.owner, let actor = weak.retained() {
                    await Self.run(held, as: call, on: actor, action: action, reader: reader)
                } else if call.begin() {
                    call.finish(await Self.outcome(of: held, action: action, reader: reader))
                }
                leave()
                flag.set()
                worker.wake()
            }
            worker.run(until: deadline) { flag.isSet }
        }
        workers.submit(
            WorkerPool.Job(
                bulkhead: .registration(action.identifier), isWanted: { call.isWanted },
                run: run,
                enqueue: nil))
        let outcome = call.outcome(until: deadline, grace: .zero)
        if case .finished = outcome {} else { task.task?.cancel() }
        return try finish(outcome, action)
    }

    private static func run(
        _ held: HeldValue<Action.Prepared>, as call: HostCall<Outcome>,
        on actor: isolated any Actor, action: Action, reader: ValueReader
    ) async {
        guard call.begin() else { return }
        call.finish(await outcome(of: held, action: action, reader: reader))
    }

    // What it takes and makes has gone when it comes back, on its executor or its actor.
    private static func outcome(
        of held: HeldValue<Action.Prepared>, action: Action, reader: ValueReader,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Outcome {
        guard case .asynchronous(let body)? = held.take() else {
            return .failed(unprepared(action))
        }
        return outcome(await body(), action: action, reader: reader)
    }

    private func finish(
        _ outcome: HostCall<Outcome>.Outcome, _ action: Action
    ) throws(CommandFailure) -> Outcome {
        let limit = Quantity.time(context.deadline.since(context.began))
        switch outcome {
        case .finished(let result): return result
        case .withdrawn: return .withdrawn
        case .cancelled:
            var reason = "\(action.owner.shortName) did not answer in \(limit)"
            if case .none = action.owner {
                reason = "in \(limit) its earlier calls did not come back"
            }
            return .failed(
                CommandFailure(
                    .timeout,
                    "\(action.name) did not run: \(reason), and it will not run later",
                    hint: "`stuck` says who holds it; --timeout gives it longer"))
        case .abandoned:
            return .failed(
                CommandFailure(
                    .timeout,
                    "\(action.name) was begun and has not come back in \(limit); it may "
                        + "still end",
                    hint: "--timeout gives it longer"))
        }
    }

    private static func outcome(
        _ outcome: Action.Outcome, action: Action, reader: ValueReader
    ) -> Outcome {
        switch outcome {
        case .failed(let failure): return .failed(failure)
        case .threw(let words, let error):
            let type = "\(type(of: error.value))"
            return .threw(shown(words, of: error.value, type, reader), type: type)
        case .returned(nil): return .returned(nil)
        case .returned(let result?):
            do throws(CommandFailure) {
                return .returned(
                    try reader.read(.value(result.value), rootName: action.name, path: []))
            } catch {
                return .failed(error)
            }
        }
    }

    // What an error says, for the caller. It is the host's own text and may repeat what the error holds:
    // with a secret in it only the type is told.
    private static func shown(
        _ words: String, of error: Any, _ type: String, _ reader: ValueReader
    ) -> String {
        if reader.findsSecret(in: error) {
            return "\(type); its own words are not shown: a secret is in its reach"
        }
        let isWhole = words.utf8.count < 2000
        return SecretURL.masking(words, isWhole: isWhole, names: reader.masks.names) ?? words
    }

    // It may repeat what it was given, too: only its type is recorded.
    private static func result(_ outcome: Outcome) -> String {
        switch outcome {
        case .returned: "done"
        case .threw(_, let type): "threw \(type.escaped(limit: 200))"
        case .failed(let failure): "failed: \(failure.message)"
        case .withdrawn: "cancelled"
        }
    }

    private func unknown(_ name: String) -> CommandFailure {
        let names = context.agent.shared.actions.all.map(\.name)
        let registered =
            names.isEmpty
            ? "no action is registered; in the service: Telltale.action(\"name\", on: queue) { … }"
            : "`actions` lists them"
        return CommandFailure(
            .notFound, "there is no action `\(name.escaped(limit: 100))`",
            hint: NearestNames.question(name, among: names) ?? registered)
    }
}

/// Runs the jobs of a task on a queue, which is then the owner of everything between its awaits.
final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async(flags: .barrier) { [self] in
            unowned.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// A task that is made on one thread and cancelled on another.
final class TaskBox: Sendable {
    private let box = TimedCondition<Task<Void, Never>?>(nil)

    var task: Task<Void, Never>? {
        get { box.update { $0 } }
        set { box.update { $0 = newValue } }
    }
}
#endif
