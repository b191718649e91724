#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleSystem

/// One evaluation: loads compiled code, and runs it on its owner on a thread that survives a trap.
///
/// The thread is the evaluation's own and ends with it, so that code that never comes back takes no worker.
struct EvaluationRun {
    let context: CommandContext
    let code: String
    let compiled: CompiledCode
    let owner: Owner

    /// The name under which jobs, changes and messages know an evaluation.
    static let name = EvalCommand.description.name
    /// The stack of the thread, which is only address space until it is touched.
    private static let stackBytes = 8 << 20
    /// The time for which a call that is over its deadline is interrupted, until it comes by in its own code; the
    /// client waits for 500 ms beyond the deadline.
    private static let cancelling = Duration.milliseconds(200)
    /// The time in which a call that was ended says so.
    private static let ending = Duration.milliseconds(100)

    /// Runs the code, and waits for its result until the command's deadline.
    func answer() throws(CommandFailure) -> EvalAnswer {
        guard let bytes = compiled.bytes, !bytes.isEmpty else {
            throw CommandFailure(.usage, "the compiled code of `eval` is not hexadecimal")
        }
        let began = MonotonicTime.now
        let agent = context.agent
        context.announce("the evaluated code")
        let task = compiled.isAsync ? TaskBox(workers: agent.workers) : nil
        let job = try agent.jobs.begin(
            Self.name, Self.name, on: owner, by: context.peer, task: task)
        let call = HostCall<CallOutcome>(unless: context.isClientGone)
        let kept = Locked<(number: Int, type: String)?>(nil)
        let thread = EvaluationThread(
            call: call, job: job, task: task, owner: owner, entry: compiled.entry,
            reading: ResultReading(run: action, job: job), workers: agent.workers,
            isSecret: isSecret
        ) { [context, owner] value in
            let number = SharedState.current.evaluations.keep(
                value, of: owner, for: context.connection, unless: context.isClientGone)
            let type = _typeName(type(of: value.value), qualified: true)
            kept.withLock { $0 = number.map { ($0, type) } }
        }
        do {
            try NativeThread.start(
                name: "telltale-eval", stackBytes: Self.stackBytes, signals: GuardedCall.signals,
                sharesTable: true
            ) { thread.run(bytes) }
        } catch {
            job.isAnswered()
            throw CommandFailure(
                .bound, "the code was not run: \(error)", hint: "the service can't have a thread")
        }
        var outcome = call.outcome(
            until: context.deadline, grace: .zero, leavesRunning: true)
        if case .abandoned = outcome, thread.cancel(until: .now.advanced(by: Self.cancelling)) {
            outcome = call.outcome(until: .now.advanced(by: Self.ending), grace: .zero)
        }
        var answer = try answer(outcome, of: job, began: began)
        let result = kept.withLock { $0 }
        (answer.number, answer.resultType) = (result?.number, result?.type)
        return answer
    }

    /// True if the code names a secret: its result may be one.
    private var isSecret: Bool { context.agent.masks.names.isNamed(in: code) }

    /// The code as it is recorded: without the texts in it, where it names a secret.
    private var recordedCode: String {
        guard isSecret else {
            return SecretURL.masking(code, names: context.agent.masks.names) ?? code
        }
        let parts = code.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            index.isMultiple(of: 2) ? String(part) : MaskPolicy.text
        }.joined(separator: "\"")
    }

    /// The reading of a result needs an action, of which it knows the name.
    private var action: ActionRun {
        ActionRun(
            context: context,
            action: Action(
                name: "result", parameters: [], names: [], result: "", owner: owner,
                isAsync: compiled.isAsync, prepare: { _ in .synchronous { .returned(nil) } }),
            command: Self.name)
    }

    private func answer(
        _ outcome: HostCall<CallOutcome>.Outcome, of job: Job, began: MonotonicTime
    ) throws(CommandFailure) -> EvalAnswer {
        let (result, isGivenUp) = settled(outcome, job)
        if isSecret { context.bringsSecret.set() }
        let change = context.agent.changes.addCall(
            Self.name, arguments: recordedCode, result: result.text, by: context.author,
            command: Self.name)
        if isGivenUp { job.isListed(by: change.number) }
        switch result {
        case .returned(let node):
            var answer = EvalAnswer()
            answer.value = node.map(ActionCalling(context: context).numbered)
            answer.microseconds = MonotonicTime.now.since(began).microseconds
            answer.change = change.number
            return answer
        case .threw(let words, _): throw CommandFailure(.hostError, "the code threw: \(words)")
        case .failed(let failure): throw failure
        case .withdrawn: throw CommandFailure(.gone, "the code was not run")
        }
    }

    /// The outcome as it is recorded; and whether the call goes on without its client.
    private func settled(
        _ outcome: HostCall<CallOutcome>.Outcome, _ job: Job
    ) -> (CallOutcome, isGivenUp: Bool) {
        let limit = Quantity.time(context.deadline.since(context.began))
        switch outcome {
        case .finished(let result):
            job.isAnswered()
            return (result, false)
        case .withdrawn:
            job.isAnswered()
            return (.withdrawn, false)
        case .cancelled:
            job.isAnswered()
            return (
                .failed(
                    CommandFailure(
                        .timeout,
                        "the code did not run: \(owner.isNone ? "the loader" : owner.shortName) was "
                            + "not free in \(limit), and it will not run later",
                        hint: "`stuck` says who holds it; --timeout gives it longer")), false
            )
        case .abandoned:
            let isGone = context.isClientGone()
            job.giveUp(isGone ? context.clientEnd : "its deadline passed")
            return (
                .failed(
                    CommandFailure(
                        .timeout,
                        "the code was begun and has not come back"
                            + (isGone ? "; \(context.clientEnd)" : " in \(limit)")
                            + ": it waits, or computes in the service's code, as job \(job.number)",
                        hint: "`jobs` says when it ends; --timeout gives it longer")), true
            )
        }
    }
}
#endif
