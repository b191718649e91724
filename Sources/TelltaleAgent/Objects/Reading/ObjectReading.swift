#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Reads registered objects, each on its owner and with a deadline.
struct ObjectReading: Sendable {
    let agent: Agent

    /// How one object's reading went.
    enum Result: Sendable {
        case read(ValueNode, how: String)
        case failed(CommandFailure)
    }

    /// What the owner's turn came to.
    enum Turn: Sendable {
        case done(Result)
        /// Nobody guards the value, and it can tear.
        case needsSnapshot
    }

    /// Reads `path` below the object called `name`.
    ///
    /// - Important: Runs host code only where the entry is a closure of the host's, or its types
    ///   chose their own fields; on a worker, with a deadline.
    func read(
        _ entry: RegistryEntry, path: [ValuePath.Component],
        expecting place: HandleTable.Place? = nil, limits: ReadLimits, snapshot: Bool,
        within time: OwnerTime
    ) -> Result {
        if snapshot {
            return readSnapshot(entry, path: path, expecting: place, limits: limits)
        }
        let call = start(entry, path: path, expecting: place, limits: limits, within: time)
        return finish(
            call, entry: entry, path: path, expecting: place, limits: limits, within: time)
    }

    /// Begins a reading, so that several go on side by side.
    func start(
        _ entry: RegistryEntry, path: [ValuePath.Component],
        expecting place: HandleTable.Place? = nil, limits: ReadLimits, within time: OwnerTime
    ) -> HostCall<Turn> {
        let masks = agent.masks
        let handles = agent.handles
        return HostCall.start(
            on: entry.owner, .read, in: entry.bulkhead(for: .read), workers: agent.workers,
            until: time.deadline
        ) {
            let reader = ValueReader(limits: limits, masks: masks, handles: handles)
            return Self.read(entry, path: path, expecting: place, with: reader)
        }
    }

    /// Ends a reading that was begun.
    func finish(
        _ call: HostCall<Turn>, entry: RegistryEntry, path: [ValuePath.Component],
        expecting place: HandleTable.Place? = nil, limits: ReadLimits, within time: OwnerTime
    ) -> Result {
        switch call.outcome(until: time.deadline) {
        case .finished(.needsSnapshot):
            return readSnapshot(entry, path: path, expecting: place, limits: limits)
        case .finished(.done(let result)): return result
        case .cancelled, .abandoned, .withdrawn:
            return .failed(Self.unanswered(entry, within: time))
        }
    }

    /// What is said of an owner that did not answer.
    static func unanswered(_ entry: RegistryEntry, within time: OwnerTime) -> CommandFailure {
        CommandFailure(
            .timeout,
            "\(entry.name) was not read: \(entry.owner.shortName) did not answer in \(time.text)",
            hint:
                "`stuck` says who holds it; `show \(entry.name) --snapshot` reads a frozen copy "
                + "without asking it")
    }

    // On the owner.
    private static func read(
        _ entry: RegistryEntry, path: [ValuePath.Component],
        expecting place: HandleTable.Place?, with reader: ValueReader
    ) -> Turn {
        do throws(CommandFailure) {
            switch entry.target {
            case .closure(let make):
                guard let make = make.value else { throw Self.gone(entry) }
                let node = try reader.read(.value(make()), rootName: entry.name, path: path)
                return .done(.read(node, how: "from its closure"))
            case .object(let reference):
                let result = try reference.withAddress { address throws(CommandFailure) in
                    try place?.verify(in: .object(at: address), masks: reader.masks)
                    return try read(at: address, entry: entry, path: path, with: reader)
                }
                guard let result else { throw Self.gone(entry) }
                return result
            }
        } catch {
            return .done(.failed(error))
        }
    }

    private static func read(
        at address: UInt, entry: RegistryEntry, path: [ValuePath.Component],
        with reader: ValueReader
    ) throws(CommandFailure) -> Turn {
        guard entry.owner.isNone else {
            let node = try reader.read(.object(at: address), rootName: entry.name, path: path)
            return .done(.read(node, how: "on its owner"))
        }
        // Nobody guards it: what can't tear is read where it is, the rest from a frozen copy.
        guard
            let node = try reader.readPlain(
                .object(at: address), rootName: entry.name, path: path)
        else { return .needsSnapshot }
        return .done(.read(node, how: "in place"))
    }

    private func readSnapshot(
        _ entry: RegistryEntry, path: [ValuePath.Component],
        expecting place: HandleTable.Place?, limits: ReadLimits
    ) -> Result {
        guard let reference = entry.reference else {
            return .failed(
                CommandFailure(
                    .unsupported, "\(entry.name) is made by a closure and has no snapshot"))
        }
        let reader = SnapshotReader(limits: limits, masks: agent.masks, handles: agent.handles)
        // On a worker: types may choose what is shown of them, and that is code of the host's.
        let workers = agent.workers
        let call = HostCall<Result>.on(
            .none, .read, in: .registration(entry.identifier), workers: workers,
            until: limits.deadline
        ) {
            // The answer doesn't wait for that: 50 ms for each resident GiB.
            defer { workers.submit { FrozenCopy.awaitEnded() } }
            do throws(CommandFailure) {
                let node = try reference.withAddress { address throws(CommandFailure) in
                    try reader.read(
                        .object(at: address), rootName: entry.name, path: path,
                        expecting: place)
                }
                guard let node else { return .failed(Self.gone(entry)) }
                return .read(node, how: "in a snapshot")
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

    /// What is said of an object that has been freed.
    static func gone(_ entry: RegistryEntry) -> CommandFailure {
        CommandFailure(
            .gone, "\(entry.name) is gone: the \(entry.typeName) was deallocated",
            hint: "`objects` lists what is alive")
    }
}
#endif
