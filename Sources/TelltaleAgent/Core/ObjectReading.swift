#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentProtocol
    import TelltaleAgentSystem

    /// Reads registered objects, each on its owner and with a deadline.
    struct ObjectReading: Sendable {
        let agent: Agent

        /// How one object's reading went.
        enum Result: Sendable {
            case read(ValueNode, how: String)
            case failed(CommandFailure)
        }

        /// Reads `path` below the object called `name`.
        ///
        /// - Important: Runs host code only where the entry is a closure of the host's, or its types
        ///   chose their own fields; on a worker, with a deadline.
        func read(
            _ entry: RegistryEntry, path: [ValuePath.Component],
            expecting place: HandleTable.Place? = nil, limits: ReadLimits, snapshot: Bool,
            deadline: MonotonicTime
        ) -> Result {
            if snapshot {
                return readSnapshot(entry, path: path, expecting: place, limits: limits)
            }
            let call = start(
                entry, path: path, expecting: place, limits: limits, deadline: deadline)
            return finish(
                call, entry: entry, path: path, expecting: place, limits: limits,
                deadline: deadline)
        }

        /// Begins a reading, so that several go on side by side.
        func start(
            _ entry: RegistryEntry, path: [ValuePath.Component],
            expecting place: HandleTable.Place? = nil, limits: ReadLimits, deadline: MonotonicTime
        ) -> HostCall<Result> {
            let masks = agent.masks
            let handles = agent.handles
            return HostCall.start(
                on: entry.owner, .read, lane: entry.lane, workers: agent.workers,
                known: entry.readingLane, pumpUntil: deadline
            ) {
                let reader = ValueReader(limits: limits, masks: masks, handles: handles)
                return Self.read(entry, path: path, expecting: place, with: reader)
            }
        }

        /// Ends a reading that was begun.
        func finish(
            _ call: HostCall<Result>, entry: RegistryEntry, path: [ValuePath.Component],
            expecting place: HandleTable.Place? = nil, limits: ReadLimits, deadline: MonotonicTime
        ) -> Result {
            switch call.outcome(until: deadline) {
            case .finished(.read(_, how: Self.needsSnapshot)):
                return readSnapshot(entry, path: path, expecting: place, limits: limits)
            case .finished(let result): return result
            case .cancelled, .abandoned:
                return .failed(unanswered(entry))
            }
        }

        /// What is said of an owner that did not answer.
        func unanswered(_ entry: RegistryEntry) -> CommandFailure {
            let seconds = Text.seconds(agent.configuration.ownerDeadline)
            return CommandFailure(
                .timeout,
                "\(entry.name) was not read: \(entry.owner.shortName) did not answer in \(seconds)",
                hint:
                    "`stuck` says who holds it; `show \(entry.name) --snapshot` reads a frozen copy "
                    + "without asking it")
        }

        static let needsSnapshot = "needs a snapshot"

        // On the owner.
        private static func read(
            _ entry: RegistryEntry, path: [ValuePath.Component],
            expecting place: HandleTable.Place?, with reader: ValueReader
        ) -> Result {
            do throws(CommandFailure) {
                switch entry.target {
                case .closure(let make):
                    let node = try reader.read(.value(make()), rootName: entry.name, path: path)
                    return .read(node, how: "from its closure")
                case .object(let weak):
                    guard let object = weak.object else { throw Self.gone(entry) }
                    try place?.verify(in: .object(object), masks: reader.masks)
                    if case .none = entry.owner {
                        return try readInPlace(object, entry: entry, path: path, with: reader)
                    }
                    let node = try reader.read(.object(object), rootName: entry.name, path: path)
                    return .read(node, how: "on its owner")
                }
            } catch {
                return .failed(error)
            }
        }

        // Nobody guards it: what can't tear is read where it is, the rest from a frozen copy.
        private static func readInPlace(
            _ object: AnyObject, entry: RegistryEntry, path: [ValuePath.Component],
            with reader: ValueReader
        ) throws(CommandFailure) -> Result {
            guard
                let node = try reader.readPlain(
                    .object(object), rootName: entry.name, path: path)
            else { return .read(ValueNode(type: "", kind: .unavailable), how: needsSnapshot) }
            return .read(node, how: "in place")
        }

        private func readSnapshot(
            _ entry: RegistryEntry, path: [ValuePath.Component],
            expecting place: HandleTable.Place?, limits: ReadLimits
        ) -> Result {
            guard case .object(let weak) = entry.target else {
                return .failed(
                    CommandFailure(
                        .unsupported, "\(entry.name) is made by a closure and has no snapshot"))
            }
            // The copy's own weak reference says whether its object is there; none is taken.
            guard let address = weak.address else {
                return .failed(CommandFailure(.unsupported, NodeMaker.unknownLayout))
            }
            let reader = SnapshotReader(
                limits: limits, masks: agent.masks, handles: agent.handles)
            // On a worker: types may choose what is shown of them, and that is code of the host's.
            let workers = agent.workers
            let call = HostCall<Result>.on(
                .none, .read, lane: entry.lane, workers: workers, until: limits.deadline
            ) {
                // The answer doesn't wait for that: 50 ms for each resident GiB.
                defer { workers.submit { FrozenCopy.awaitEnded() } }
                do throws(CommandFailure) {
                    let node = try reader.read(
                        .weak(at: address), rootName: entry.name, path: path, expecting: place)
                    return .read(node, how: "in a snapshot")
                } catch {
                    return .failed(error)
                }
            }
            if case .finished(let result) = call { return result }
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
