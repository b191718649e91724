#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

// The owner's turn in which a change is made.
extension PathChanging {
    private typealias Outcome<Value> = Result<Value, CommandFailure>

    typealias Change<Value> =
        @Sendable (ValueWriter, StoredWalk.Root) throws(CommandFailure) -> Value

    /// Changes what is behind `entry` where its owner allows it. Where that `isOne` change, and all that the
    /// command does, it may be made without a worker.
    func perform<Value: Sendable>(
        on entry: RegistryEntry, what: String, isOne: Bool = false,
        _ change: @escaping Change<Value>
    ) throws(CommandFailure) -> Value {
        try readingSetters { () throws(CommandFailure) in
            let time = OwnerTime(in: context)
            let writer = ValueWriter(
                limits: context.agent.readLimits(until: time.deadline),
                masks: context.agent.masks, owner: entry.owner,
                isGuarded: !entry.owner.isNone, setters: setters,
                registeredName: context.agent.shared.objects.name(of:))
            let outcome =
                (isOne ? performDirectly(on: entry, writer, within: time, change) : nil)
                ?? performOnWorker(on: entry, writer, within: time, change)
            return try finish(outcome, entry, what: what, within: time)
        }
    }

    /// A client that goes within so short a time may have gone after the change as well.
    private static var moment: Duration { .milliseconds(1) }

    /// Changes by the thread of the connection itself; nil where that is a worker's, with nothing changed: also
    /// of what can't be, since the reason why is that one's to say.
    private func performDirectly<Value: Sendable>(
        on entry: RegistryEntry, _ writer: ValueWriter, within time: OwnerTime,
        _ change: Change<Value>
    ) -> HostCall<Outcome<Value>>.Outcome? {
        guard !context.hasBegun else { return .abandoned }
        guard let direct = context.direct, case .object = entry.target,
            case .queue(let queue) = entry.owner
        else { return nil }
        guard !direct.isTakenOver else { return .abandoned }
        var writer = writer
        writer.isSilent = true
        var made: Value?
        let outcome = direct.run(
            on: queue, .write, in: entry.bulkhead(for: .write), of: context.agent.workers,
            until: time.deadline
        ) {
            // Who has just asked is there; to ask the kernel takes longer than most changes.
            guard MonotonicTime.now.since(context.began) < Self.moment || !context.isClientGone()
            else { return }
            made = try? GuardedReading.during { () throws(CommandFailure) in
                try change(writer, try entry.changedRoot())
            }
        }
        // Also where another thread has answered meanwhile that it didn't know: it is listed then.
        if let made { return .finished(.success(made)) }
        if case .takenOver? = outcome { return .abandoned }
        return nil
    }

    private func performOnWorker<Value: Sendable>(
        on entry: RegistryEntry, _ writer: ValueWriter, within time: OwnerTime,
        _ change: @escaping Change<Value>
    ) -> HostCall<Outcome<Value>>.Outcome {
        HostCall<Outcome<Value>>.on(
            entry.owner, .write, in: entry.bulkhead(for: .write),
            workers: context.agent.workers, until: time.deadline, unless: context.isClientGone
        ) {
            do throws(CommandFailure) {
                // As one: each of ten readings by itself took the faults' signals and gave them back, a third of
                // a change's time.
                return .success(
                    try GuardedReading.during { () throws(CommandFailure) in
                        try change(writer, try entry.changedRoot())
                    })
            } catch {
                return .failure(error)
            }
        }
    }

    private func finish<Value: Sendable>(
        _ outcome: HostCall<Outcome<Value>>.Outcome, _ entry: RegistryEntry, what: String,
        within time: OwnerTime
    ) throws(CommandFailure) -> Value {
        switch outcome {
        case .finished(let result): return try result.get()
        case .cancelled:
            throw CommandFailure(
                .timeout,
                "\(what) was not changed: \(entry.owner.shortName) did not answer in "
                    + "\(time.text); the change was cancelled and will not be made later",
                hint: "`stuck` says who holds it")
        case .abandoned:
            throw CommandFailure(
                .timeout,
                "\(what): the change was begun and has not come back; whether it was made "
                    + "is not known",
                hint: "`get \(what)` once \(entry.owner.shortName) answers again")
        case .withdrawn:
            throw context.agent.changes.addWithdrawn(
                what, new: "not changed", by: context.peer, since: context.clientEnd)
        }
    }
}
#endif
