#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Reads registered objects, each on its owner and with a deadline.
struct ObjectReading: Sendable {
    let agent: Agent
    /// True if the client has confirmed the run of host code that could not be tried first.
    var isConfirmed = false

    enum Result: Sendable {
        case read(ValueContent, how: String)
        case failed(CommandFailure)
    }

    /// The outcome of an owner access.
    enum Turn: Sendable {
        case done(Result)
        /// The value has no owner, and an unsynchronised read could tear.
        case needsSnapshot
        /// A closure of the host's has not yet run on its owner.
        case needsTrial
    }

    /// The value to read, and the limits of the read.
    struct Wanted: Sendable {
        let entry: RegistryEntry
        var path: [ValuePath.Component] = []
        /// The query of the value at the end of the path; `nil` to read the value itself.
        var query: ReadQuery?
        /// The object expected at the end of the path; `nil` to accept any.
        var place: HandleTable.Place?
        let limits: ReadLimits
        let time: OwnerTime

        /// The limits of the owner access, which ends slightly earlier.
        fileprivate var turnLimits: ReadLimits {
            var limits = limits
            limits.deadline = min(limits.deadline, time.turnEnd)
            return limits
        }
    }

    /// Reads a value on its owner, or in a snapshot.
    ///
    /// - Important: Runs host code only if the entry is a closure of the host's, or if its types choose their
    ///   own fields; that code runs on a worker, with a deadline.
    func read(_ wanted: Wanted, snapshot: Bool) -> Result {
        snapshot ? readSnapshot(wanted, isAsked: true) : finish(start(wanted), wanted)
    }

    /// Starts a read, so that several reads can run concurrently.
    func start(_ wanted: Wanted) -> HostCall<Turn> {
        let masks = agent.masks
        let handles = agent.handles
        let bounded = wanted.turnLimits
        if let turn = turnBeforeClosure(of: wanted.entry) {
            let call = HostCall<Turn>()
            call.run { turn }
            return call
        }
        return HostCall.start(
            on: wanted.entry.owner, .read, in: wanted.entry.bulkhead(for: .read),
            workers: agent.workers, until: wanted.time.deadline
        ) {
            Self.read(wanted, with: ValueReader(limits: bounded, masks: masks, handles: handles))
        }
    }

    func finish(_ call: HostCall<Turn>, _ wanted: Wanted) -> Result {
        switch call.outcome(until: wanted.time.deadline) {
        case .finished(let turn): finish(turn, wanted)
        case .cancelled, .abandoned, .withdrawn:
            .failed(Self.unanswered(wanted.entry, within: wanted.time))
        }
    }

    private func finish(_ turn: Turn, _ wanted: Wanted) -> Result {
        switch turn {
        case .needsSnapshot: return readSnapshot(wanted, isAsked: false)
        case .needsTrial:
            do throws(CommandFailure) { try tryClosure(of: wanted) } catch { return .failed(error) }
            return finish(start(wanted), wanted)
        case .done(let result): return numbered(result, wanted)
        }
    }

    /// The outcome for a closure without an owner access: the closure is refused, or must be tried first.
    private func turnBeforeClosure(of entry: RegistryEntry) -> Turn? {
        guard entry.isMade else { return nil }
        if let refusal = entry.refusal(in: agent.mode) { return .done(.failed(refusal)) }
        return agent.trials.isDone(entry.code, on: entry.owner) ? nil : .needsTrial
    }

    private func tryClosure(of wanted: Wanted) throws(CommandFailure) {
        let entry = wanted.entry
        guard case .closure(let make, _) = entry.target else { return }
        let isTried = try agent.trials.check(
            entry.code, entry.name, on: entry.owner, .read, in: entry.bulkhead(for: .read),
            of: agent, until: wanted.time.deadline, isAsked: isConfirmed,
            hint: entry.propertyName.map {
                "in the service: Telltale.property(\"\($0)\", of: …, run: .offOwner) { … }"
            } ?? "in the service: Telltale.register(\"\(entry.name)\") { … }, without an owner"
        ) { _ = make?.value?() }
        guard isTried else { throw Self.unanswered(entry, within: wanted.time) }
    }

    // Handles are assigned off the owner, which is not held for it.
    private func numbered(_ result: Result, _ wanted: Wanted) -> Result {
        if case .read(let content, _) = result {
            ValueReader(limits: wanted.limits, masks: agent.masks, handles: agent.handles)
                .number(content, rootName: wanted.entry.name)
        }
        return result
    }

    /// The error for an owner that did not respond.
    static func unanswered(_ entry: RegistryEntry, within time: OwnerTime) -> CommandFailure {
        CommandFailure(
            .timeout,
            "\(entry.name) was not read: \(entry.owner.shortName) did not answer in \(time.text)",
            hint:
                "`stuck` says who holds it; `show \(entry.name) --snapshot` reads a frozen copy "
                + "without asking it")
    }

    /// Runs a body on an entry's owner, in its time.
    ///
    /// - Throws: The body's error; `.timeout` if the owner does not respond.
    static func onOwner<Value: Sendable>(
        of entry: RegistryEntry, within time: OwnerTime, in context: CommandContext,
        _ body: @escaping @Sendable () throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        let call = HostCall<Swift.Result<Value, CommandFailure>>.on(
            entry.owner, .read, in: entry.bulkhead(for: .read), workers: context.agent.workers,
            until: time.deadline, unless: context.isClientGone
        ) { Swift.Result(catching: body) }
        guard case .finished(let result) = call else { throw unanswered(entry, within: time) }
        return try result.get()
    }

    // Called on the owner.
    private static func read(_ wanted: Wanted, with reader: ValueReader) -> Turn {
        let entry = wanted.entry
        do throws(CommandFailure) {
            switch entry.target {
            case .closure(let make, _):
                guard let value = make?.value?() else { throw Self.gone(entry) }
                let content = try reader.readContent(
                    .value(value), rootName: entry.name, path: wanted.path, query: wanted.query)
                return .done(.read(content, how: entry.codeDescription))
            case .variable(let root):
                let place = try root.readRoot()
                try wanted.place?.verify(in: place, masks: reader.masks)
                return try Self.readPlain(place, wanted, with: reader)
            case .object(let reference):
                let result = try reference.withAddress { address throws(CommandFailure) in
                    try GuardedReading.during { () throws(CommandFailure) in
                        try wanted.place?.verify(in: .object(at: address), masks: reader.masks)
                        return try read(at: address, wanted, with: reader)
                    }
                }
                guard let result else { throw Self.gone(entry) }
                return result
            }
        } catch {
            return .done(.failed(error))
        }
    }

    private static func read(
        at address: UInt, _ wanted: Wanted, with reader: ValueReader
    ) throws(CommandFailure) -> Turn {
        let (root, name) = (ReadRoot.object(at: address), wanted.entry.name)
        guard wanted.entry.owner.isNone else {
            let content = try reader.readContent(
                root, rootName: name, path: wanted.path, query: wanted.query)
            return .done(.read(content, how: ValueAnswer.onOwner))
        }
        return try readPlain(root, wanted, with: reader)
    }

    // Reads a value without an owner: in place what can't tear, everything else from a snapshot.
    private static func readPlain(
        _ root: ReadRoot, _ wanted: Wanted, with reader: ValueReader
    ) throws(CommandFailure) -> Turn {
        let content = try reader.readPlainContent(
            root, rootName: wanted.entry.name, path: wanted.path, query: wanted.query)
        return content.map { .done(.read($0, how: "in place")) } ?? .needsSnapshot
    }

    private func readSnapshot(_ wanted: Wanted, isAsked: Bool) -> Result {
        let entry = wanted.entry
        if case .closure = entry.target {
            return .failed(
                CommandFailure(
                    .unsupported, "\(entry.name) is made by a closure and has no snapshot"))
        }
        let reader = SnapshotReader(
            limits: wanted.limits, masks: agent.masks, handles: agent.handles)
        // Runs on a worker, because types may choose their shown fields with host code.
        let workers = agent.workers
        let call = HostCall<Result>.on(
            .none, .read, in: .registration(entry.identifier), workers: workers,
            until: wanted.limits.deadline
        ) {
            // The answer doesn't wait for the snapshot to end, which takes 50 ms for each resident GiB.
            defer { workers.submit { FrozenCopy.awaitEnded() } }
            do throws(CommandFailure) {
                let content = try entry.withRoot { root throws(CommandFailure) in
                    try reader.readContent(
                        root, rootName: entry.name, path: wanted.path, query: wanted.query,
                        expecting: wanted.place, isAsked: isAsked)
                }
                guard let content else { return .failed(Self.gone(entry)) }
                return .read(content, how: "in a snapshot")
            } catch {
                return .failed(error)
            }
        }
        switch call {
        case .finished(let result): return result
        case .cancelled:
            return .failed(
                CommandFailure(
                    .timeout,
                    "\(entry.name) was not read: its snapshot was not begun by the deadline, since "
                        + "no thread of the agent's was free or earlier ones have not come back",
                    hint:
                        "`info` counts its workers; the process may be allowed no more threads"
                ))
        case .abandoned, .withdrawn: break
        }
        return .failed(
            CommandFailure(
                .timeout,
                "\(entry.name) was not read: its snapshot was not done by the deadline",
                hint: "try again, or a smaller --depth or --limit"))
    }

    /// The error for an object that has been freed.
    static func gone(_ entry: RegistryEntry) -> CommandFailure {
        if entry.isFound {
            return CommandFailure(
                .gone, "\(entry.name) is gone: no \(entry.typeName) stands at its address any more",
                hint: "`instances \(entry.typeName)` gives out new numbers")
        }
        let what = entry.propertyOf ?? "the \(entry.typeName)"
        return CommandFailure(
            .gone, "\(entry.name) is gone: \(what) was deallocated",
            hint: "`objects` lists what is alive")
    }
}
#endif
