#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The log of the changes made through the agent, with the client of each. It is bounded, keeps the old
/// values for `undo`, and writes each entry to the audit log as it happens.
final class ChangeLog: Sendable {
    private struct Kept {
        var record: ChangeRecord
        var entry: String
        /// The change with the old value; `nil` for a call and for an undone change.
        var change: PerformedChange?
        /// The reason why the entry can't be undone.
        var obstacle = "was a call"
        /// The numbers of all changes in the same transaction.
        var members: Set<Int> = []
        /// The number of the change that has undone this one.
        var undoneBy: Int?
        /// True for a change that undoes another.
        var isUndo = false
    }

    private struct State {
        var next = 1
        var kept: LatestElements<Kept>
        var dropped = 0
    }

    private let limit: Int
    let audit: AuditLog
    private let memory: KeptMemory
    private let state: Locked<State>

    init(limit: Int, audit: String?, memory: KeptMemory) {
        self.limit = limit
        self.memory = memory
        state = Locked(State(kept: LatestElements(limit: limit)))
        self.audit = AuditLog(place: audit)
        memory.dropping(.changes) { [weak self] in self?.drop(upTo: $0) }
    }

    /// Releases a change and all earlier ones, because the memory limit was reached.
    private func drop(upTo number: Int) {
        let released = state.withLock { state in
            var released: [Kept] = []
            while let oldest = state.kept.first, oldest.record.number <= number,
                let gone = state.kept.removeOldest()
            {
                released.append(gone)
                state.dropped += 1
            }
            return released
        }
        withExtendedLifetime(released) {}
    }

    var answer: ChangesAnswer {
        state.withLock { ChangesAnswer(changes: $0.kept.map(\.record), dropped: $0.dropped) }
    }

    func add(_ made: Made, _ origin: Origin, by peer: Peer) -> ChangeRecord {
        append(
            // A key in the path can be a URL.
            HostLabel.shown(made.path), entry: made.entry, old: made.change.oldText,
            new: made.change.newText, result: origin.result, by: peer, change: made.change,
            command: origin.command, isUndo: origin.isUndo)
    }

    /// Adds the changes of a transaction, in that order; `undoing` are the numbers of the changes they have
    /// reversed.
    func add(
        together made: [Made], _ origin: Origin, by peer: Peer, undoing: [Int] = []
    ) -> [ChangeRecord] {
        guard made.count > 1 || !undoing.isEmpty else {
            return made.map { add($0, origin, by: peer) }
        }
        var records: [ChangeRecord] = []
        for (index, one) in made.enumerated() {
            var origin = origin
            // Each record names the change it undoes.
            if case .undoes = origin, undoing.indices.contains(index) {
                origin = .undoes(undoing[index])
            }
            let record = add(one, origin, by: peer)
            if undoing.indices.contains(index) { end(undoing[index], by: record.number) }
            records.append(record)
        }
        return group(records)
    }

    /// Groups changes so that they are undone together. Other changes may have been added between them.
    private func group(_ records: [ChangeRecord]) -> [ChangeRecord] {
        guard records.count > 1, let first = records.first, let last = records.last else {
            return records
        }
        let numbers = Set(records.map(\.number))
        return state.withLock { state in
            state.kept.indices.compactMap { index in
                guard numbers.contains(state.kept[index].record.number) else { return nil }
                state.kept[index].members = numbers
                if state.kept[index].record.result == "done" {
                    state.kept[index].record.result =
                        "done (part of transaction \(first.number)–\(last.number))"
                }
                return state.kept[index].record
            }
        }
    }

    /// Releases the old value of a change that another one has undone.
    private func end(_ number: Int, by other: Int) {
        let released = state.withLock { state -> PerformedChange? in
            guard let at = state.kept.firstIndex(where: { $0.record.number == number }) else {
                return nil
            }
            state.kept[at].record.result = "undone by \(other)"
            state.kept[at].obstacle = "is undone by \(other)"
            state.kept[at].undoneBy = other
            defer { state.kept[at].change = nil }
            return state.kept[at].change
        }
        // Released outside the lock, because the release calls the owner.
        withExtendedLifetime(released) {}
    }

    func addCall(
        _ action: String, arguments: String, result: String, by peer: Peer,
        command: String = "call"
    ) -> ChangeRecord {
        append(action, new: arguments, result: result, by: peer, command: command)
    }

    /// Records the outcome of a call that had been abandoned.
    func add(lateEnd result: String, of number: Int) {
        let record = state.withLock { state -> ChangeRecord? in
            guard let at = state.kept.firstIndex(where: { $0.record.number == number }) else {
                return nil
            }
            state.kept[at].record.result = result
            return state.kept[at].record
        }
        if let record { audit.write(record) }
    }

    /// Records a change or a call that was not made because its client was gone before it began. `new` says
    /// so in place of a value. Returns the failure, for a client that may still receive it.
    func addWithdrawn(
        _ path: String, new: String, by peer: Peer, since end: String
    ) -> CommandFailure {
        _ = append(
            path, new: new, result: "cancelled: \(end)", by: peer, obstacle: "was not made")
        return CommandFailure(.gone, "\(path) was \(new): \(end)")
    }

    /// Releases all old values, so that nothing can be undone any more.
    func letGo() {
        let released = state.withLock { state in
            let released = state.kept.compactMap(\.change)
            for index in state.kept.indices where state.kept[index].change != nil {
                state.kept[index].change = nil
                state.kept[index].obstacle = "was made for an agent that was stopped"
            }
            return released
        }
        withExtendedLifetime(released) {}
    }

    /// Records that a queue was suspended or resumed.
    func addHold(of queue: String, result: String, by peer: Peer) -> ChangeRecord {
        append("queue \(queue)", new: result, by: peer)
    }

    /// Records a last-resort operation on a Dispatch object.
    func addForced(
        _ target: String, result: String, by peer: Peer, command: String
    ) -> ChangeRecord {
        append(
            target, new: command, result: result, by: peer, obstacle: "can't be", command: command)
    }

    /// Returns what is needed to undo the change with `number` and the others of its transaction, the last
    /// one first.
    func undoable(_ number: Int) throws(CommandFailure) -> [Undoable] {
        let kept = try kept(number)
        let numbers = kept.members.isEmpty ? [number] : kept.members.sorted(by: >)
        var found: [Undoable] = []
        for number in numbers {
            let kept = try self.kept(number)
            guard let change = kept.change else {
                throw CommandFailure(
                    .unsupported,
                    "change \(number) can't be undone: \(kept.record.path) \(kept.obstacle)",
                    hint: "`changes` lists all changes and calls")
            }
            found.append(
                Undoable(
                    number: number, undone: number, path: kept.record.path, entry: kept.entry,
                    change: change))
        }
        return found
    }

    /// Returns the number of the last change of a user that can be undone and undoes no other.
    func last(of peer: Peer) throws(CommandFailure) -> Int {
        let last = state.withLock { state in
            state.kept.last {
                $0.record.by.uid == peer.uid && $0.change != nil && !$0.isUndo
            }?.record.number
        }
        guard let last else {
            throw CommandFailure(
                .notFound, "user \(peer.uid) has no change left to undo",
                hint: "`changes` lists all changes; `undo N` undoes any of them")
        }
        return last
    }

    /// Returns what is needed to redo an undone change.
    func redoable(_ number: Int) throws(CommandFailure) -> [Undoable] {
        guard let other = try kept(number).undoneBy else {
            throw CommandFailure(
                .unsupported, "change \(number) was not undone, so it can't be made again",
                hint: "`changes` says which were")
        }
        return try undoable(other).map { undoable in
            var redoable = undoable
            redoable.number = number
            return redoable
        }
    }

    private func kept(_ number: Int) throws(CommandFailure) -> Kept {
        let (kept, dropped) = state.withLock { state in
            (state.kept.first { $0.record.number == number }, state.dropped)
        }
        guard let kept else {
            throw CommandFailure(
                .notFound,
                number > 0 && number <= dropped
                    ? "change \(number) is too old: the last \(limit) are kept, in at most "
                        + "\(memory.limitText) with all else that is kept"
                    : "there is no change \(number)",
                hint: "`changes` lists all changes and calls")
        }
        return kept
    }

    private func append(
        _ path: String, entry: String = "", old: String? = nil, new: String,
        result: String = "done", by peer: Peer, change: PerformedChange? = nil,
        obstacle: String = "was a call", command: String? = nil, isUndo: Bool = false
    ) -> ChangeRecord {
        let (record, released) = state.withLock { state in
            let record = ChangeRecord(
                number: state.next, path: path, old: old, new: new, result: result, by: peer,
                time: Quantity.moment(nanoseconds: WallClock.nanoseconds), note: change?.note,
                command: command)
            state.next += 1
            let released = state.kept.append(
                Kept(
                    record: record, entry: entry, change: change, obstacle: obstacle,
                    isUndo: isUndo))
            if released != nil { state.dropped += 1 }
            return (record, released)
        }
        if let released { memory.forget(.changes, released.record.number) }
        withExtendedLifetime(released) {}
        memory.keep(
            .changes, record.number,
            bytes: MemoryLayout<Kept>.stride + path.utf8.count + (old?.utf8.count ?? 0)
                + new.utf8.count + (change?.bytes ?? 0))
        audit.write(record)
        return record
    }
}
#endif
