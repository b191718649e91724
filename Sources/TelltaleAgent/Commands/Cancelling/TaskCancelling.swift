#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

/// `cancel task N`: cancels a task that the host observes.
struct TaskCancelling {
    let context: CommandContext

    /// Cancels the task with an id. Its cancellation handlers are host code: they run on a worker, with the
    /// deadline of an owner.
    ///
    /// - Throws: The reason why it can't be cancelled.
    func cancel(_ text: String) throws(CommandFailure) -> ControlAnswer {
        guard let id = UInt64(text) else {
            throw CommandFailure(
                .usage, "'\(text.escaped(limit: 40))' is not the number of a task")
        }
        let (task, entry) = try find(id)
        let title =
            task.name.map { "task #\(id) \($0.escaped(limit: 60))" } ?? "task #\(id)"
        if task.isCancelled {
            return ControlAnswer(
                action: "cancel", target: title, result: "cancelled",
                note: "it had been cancelled before")
        }
        let agent = context.agent
        let outcome = HostCall<Bool>.on(
            .closure, .write, in: .registration(entry.identifier), workers: agent.workers,
            until: context.ownerDeadline, unless: context.isClientGone
        ) {
            entry.cancel()
            return true
        }
        let note: String
        switch outcome {
        case .finished:
            note = "the task stops when it next checks for cancellation; this can't be undone"
        case .abandoned:
            note =
                "a cancellation handler of the host's has not come back; that can't be undone"
        case .withdrawn:
            throw agent.changes.addWithdrawn(
                title, new: "not cancelled", by: context.author, since: context.clientEnd)
        case .cancelled:
            throw CommandFailure(
                .timeout, "\(title) was not cancelled: no worker was free in time",
                hint: "`status` shows what the workers wait for")
        }
        let record = agent.changes.addCall(
            title, arguments: "cancel", result: "cancelled", by: context.author)
        return ControlAnswer(
            action: "cancel", target: title, result: "cancelled", note: note,
            change: record.number)
    }

    private func find(
        _ id: UInt64
    ) throws(CommandFailure) -> (task: TaskFacts, entry: ObservedTasks.Entry) {
        let layout = TaskLayout.known(by: context.deadline)
        guard layout.has(.ids), let runtime = TaskRuntime.known else {
            throw CommandFailure(
                .unsupported, "tasks are \(layout.reason(.ids) ?? "not available")")
        }
        let reader = TaskReader(runtime: runtime, text: TextRanges.current, endings: [])
        let observed = context.agent.shared.observedTasks
        // Observed tasks are retained, so each address is still that of the task.
        for entry in observed.all {
            if let task = reader.read(at: entry.address, withFrames: false).reading?.facts,
                task.id == id
            {
                return (task, entry)
            }
        }
        let isThere = context.capture(.tasks).tasks.contains { $0.id == id }
        guard isThere else {
            throw CommandFailure(
                .notFound, "there is no task #\(id); it may have ended",
                hint: "`tasks` lists them")
        }
        throw CommandFailure(
            .unsupported,
            "task #\(id) can't be cancelled from here: the service doesn't observe it, and it might "
                + "end and be freed at the moment of the call",
            hint:
                "`Telltale.observe(task)` in the service makes it possible")
    }
}
#endif
