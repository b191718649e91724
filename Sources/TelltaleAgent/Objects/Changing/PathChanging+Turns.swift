#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

// The owner access in which a change is made.
extension PathChanging {
    private typealias Outcome<Value> = Result<Value, CommandFailure>

    typealias Change<Value> =
        @Sendable (ValueWriter, StoredWalk.Root) throws(CommandFailure) -> Value

    /// Runs a change of `entry` on its owner.
    func perform<Value: Sendable>(
        on entry: RegistryEntry, what: String, _ change: @escaping Change<Value>
    ) throws(CommandFailure) -> Value {
        try readingSetters { () throws(CommandFailure) in
            let time = OwnerTime(in: context)
            let writer = ValueWriter(
                limits: context.agent.readLimits(until: time.deadline),
                masks: context.agent.masks, owner: entry.owner,
                isGuarded: !entry.owner.isNone, setters: setters,
                registeredName: context.agent.shared.objects.name(of:))
            let outcome = performOnWorker(on: entry, writer, within: time, change)
            return try finish(outcome, entry, what: what, within: time)
        }
    }

    private func performOnWorker<Value: Sendable>(
        on entry: RegistryEntry, _ writer: ValueWriter, within time: OwnerTime,
        _ change: @escaping Change<Value>
    ) -> HostCall<Outcome<Value>>.Outcome {
        HostCall<Outcome<Value>>.on(
            entry.owner, .write, in: entry.bulkhead(for: .write),
            workers: context.agent.workers, until: time.deadline, unless: context.isClientGone
        ) {
            Outcome { () throws(CommandFailure) in
                try GuardedReading.unbuffered { () throws(CommandFailure) in
                    try change(writer, try entry.changedRoot())
                }
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
                what, new: "not changed", by: context.author, since: context.clientEnd)
        }
    }
}
#endif
