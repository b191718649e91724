#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleSystem

/// The work of an evaluation's thread.
final class EvaluationThread: Sendable {
    private let call: HostCall<CallOutcome>
    private let job: Job
    /// The task of code that awaits.
    private let task: TaskBox?
    private let owner: Owner
    private let entry: String
    private let reading: ResultReading
    private let workers: WorkerPool
    private let isSecret: Bool
    private let keep: @Sendable (UncheckedValue) -> Void
    private let guarded = Locked<GuardedCall?>(nil)

    init(
        call: HostCall<CallOutcome>, job: Job, task: TaskBox?, owner: Owner, entry: String,
        reading: ResultReading, workers: WorkerPool, isSecret: Bool,
        keep: @escaping @Sendable (UncheckedValue) -> Void
    ) {
        (self.workers, self.isSecret, self.keep) = (workers, isSecret, keep)
        (self.call, self.job, self.task) = (call, job, task)
        (self.owner, self.entry, self.reading) = (owner, entry, reading)
    }

    /// Interrupts the code until it comes by in its own text. Code that waits is not ended.
    func cancel(until deadline: MonotonicTime) -> Bool {
        guard let guarded = guarded.withLock({ $0 }) else { return false }
        return guarded.cancel(until: deadline)
    }

    /// Loads the object and runs its code.
    func run(_ bytes: [UInt8]) {
        guard call.isWanted else { return }
        let object: LoadedObject
        do throws(LoadedObject.Failure) {
            var loaded: Result<LoadedObject, LoadedObject.Failure>?
            // The loader's lock may be the host's for long.
            NativeThread.waiting {
                loaded = Result { () throws(LoadedObject.Failure) in
                    try LoadedObject(bytes, entry: entry)
                }
            }
            guard let loaded else { return }
            object = try loaded.get()
        } catch {
            return call.run { .failed(Self.notLoaded(error)) }
        }
        guard let guarded = GuardedCall(code: object.code) else {
            return call.run { .failed(CommandFailure(.bound, "the code was not run: no memory")) }
        }
        self.guarded.withLock { $0 = guarded }
        let code = EvaluatedCode(entry: object.entry)
        if let body = code.asynchronous {
            run(body, guarded)
        } else if let body = code.synchronous {
            run(body, guarded)
        } else {
            call.run { .failed(CommandFailure(.usage, "the compiled code hands over nothing")) }
        }
    }

    private static func notLoaded(_ failure: LoadedObject.Failure) -> CommandFailure {
        CommandFailure(
            .unsupported, "the code was not loaded: \(failure.words)",
            hint: "`eval --check` says what it needs")
    }

    // MARK: On the owner

    private func run(
        _ body: @escaping @Sendable () throws -> Any?, _ guarded: GuardedCall
    ) {
        let turn = { @Sendable [self] in
            call.run {
                job.runs()
                return outcome(of: body, guarded)
            }
        }
        switch owner {
        case .none, .closure, .actor: turn()
        case .queue(let queue): queue.syncForAgent(flags: .barrier) { turn() }
        case .lock(let lock): NativeThread.waiting { lock.run(turn) }
        case .mainActor: DispatchQueue.main.async(execute: turn)
        }
    }

    private func outcome(
        of body: @escaping @Sendable () throws -> Any?, _ guarded: GuardedCall
    ) -> CallOutcome {
        var made: Action.Outcome?
        var trap: GuardedCall.Trap?
        // A fork of the host doesn't wait for its own code.
        NativeThread.waiting {
            trap = guarded.run {
                do {
                    made = .returned(Self.result(try body()))
                } catch {
                    made = .threw("\(error)", UncheckedValue(value: error))
                }
            }
        }
        if let made { return read(made) }
        let outcome = CallOutcome.failed(Self.failure(for: trap))
        job.ended(outcome)
        return outcome
    }

    private func read(_ made: Action.Outcome) -> CallOutcome {
        guard case .returned(let value?) = made else { return reading.outcome(made) }
        keep(value)
        guard isSecret, !Self.isPlain(value.value) else { return reading.outcome(made) }
        let outcome = CallOutcome.returned(
            ValueNode(
                label: nil, type: "\(type(of: value.value))", kind: .masked, text: MaskPolicy.text))
        job.ended(outcome)
        return outcome
    }

    /// A number or a truth value, which of code that names a secret is shown: `token.count`, `token.isEmpty`.
    private static func isPlain(_ value: Any) -> Bool {
        value is any Numeric || value is Bool
    }

    /// Nothing of code that returns nothing.
    private static func result(_ value: Any?) -> UncheckedValue? {
        guard let value, !(value is Void) else { return nil }
        return UncheckedValue(value: value)
    }

    // MARK: As a task

    private func run(
        _ body: @escaping @Sendable () async throws -> Any?, _ guarded: GuardedCall
    ) {
        let executor = WorkerExecutor(workers: workers, in: guarded)
        let isDone = DoneFlag()
        guard call.begin() else { return }
        job.runs()
        task?.start(
            Task.detached(executorPreference: executor) { [self] in
                call.finish(read(await Self.outcome(of: body)))
                isDone.set()
                executor.wake()
            })
        let trap = executor.run(until: .distantFuture, isDone: { isDone.isSet })
        guard let trap else { return }
        let outcome = CallOutcome.failed(Self.failure(for: trap))
        job.ended(outcome)
        call.finish(outcome)
    }

    private static func outcome(
        of body: @Sendable () async throws -> Any?
    ) async -> Action.Outcome {
        do {
            return .returned(result(try await body()))
        } catch {
            return .threw("\(error)", UncheckedValue(value: error))
        }
    }

    // MARK: Traps

    static func failure(for trap: GuardedCall.Trap?) -> CommandFailure {
        let kept = "its locks stay held and its memory is lost; the service goes on"
        switch trap {
        case .signal(let signal, let address):
            let place = address.map { " at 0x" + String($0, radix: 16) } ?? ""
            return CommandFailure(
                .hostError, "the code trapped: \(SignalNumber.name(signal))\(place)",
                hint: "the trap's own words are on the service's standard error\n" + kept)
        case .exit(let status):
            return CommandFailure(
                .hostError, "the code called exit(\(status)), which ended the evaluation",
                hint: kept)
        case .cancelled:
            return CommandFailure(
                .timeout, "the code was ended in the middle, at its deadline or by its client",
                hint: kept)
        case nil:
            return CommandFailure(
                .unsupported, "the code was not run: the signals of a trap can't be taken")
        }
    }
}
#endif
