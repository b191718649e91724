#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What was changed through the agent, by whom: bounded, with what `undo` needs, and written to the
/// audit log as it happens.
final class ChangeLog: Sendable {
    private struct Kept {
        var record: ChangeRecord
        var entry: String
        /// Holds the old value; nil for a call and for what was put back.
        var change: PerformedChange?
        /// Why there is nothing to be put back.
        var obstacle = "was a call"
    }

    private struct State {
        var next = 1
        var kept: [Kept] = []
        var dropped = 0
    }

    private let limit: Int
    private let audit: String?
    private let state = Locked(State())

    init(limit: Int, audit: String?) {
        self.limit = limit
        self.audit = audit
    }

    var answer: ChangesAnswer {
        state.withLock { ChangesAnswer(changes: $0.kept.map(\.record), dropped: $0.dropped) }
    }

    func add(
        path: String, entry: String, change: PerformedChange, by peer: Peer, undoes: Int?
    ) -> ChangeRecord {
        // A key can be a URL.
        let record = append(
            SecretURL.masking(path) ?? path, entry: entry, old: change.oldText,
            new: change.newText, result: undoes.map { "undoes \($0)" } ?? "done", by: peer,
            change: change)
        if let undoes {
            let released = state.withLock { state -> PerformedChange? in
                guard let at = state.kept.firstIndex(where: { $0.record.number == undoes })
                else {
                    return nil
                }
                state.kept[at].record.result = "undone by \(record.number)"
                state.kept[at].obstacle = "is undone by \(record.number)"
                defer { state.kept[at].change = nil }
                return state.kept[at].change
            }
            // Let go outside of the lock: its owner is asked for that.
            withExtendedLifetime(released) {}
        }
        return record
    }

    func addCall(_ action: String, arguments: String, result: String, by peer: Peer)
        -> ChangeRecord
    {
        append(action, new: arguments, result: result, by: peer)
    }

    /// Adds a change or a call that was not made, since whoever asked for it had gone before it
    /// began; `new` says so in the place of a value. What is returned is for whoever may still hear
    /// it.
    func addWithdrawn(
        _ path: String, new: String, by peer: Peer, since end: String
    ) -> CommandFailure {
        _ = append(
            path, new: new, result: "cancelled: \(end)", by: peer, obstacle: "was not made")
        return CommandFailure(.gone, "\(path) was \(new): \(end)")
    }

    /// Lets go of all old values; nothing can be undone any more.
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

    /// Adds that a queue was suspended or let go on.
    func addHold(of queue: String, result: String, by peer: Peer) -> ChangeRecord {
        append("queue \(queue)", new: result, by: peer)
    }

    /// What is needed to put back the change with `number`.
    func undoable(
        _ number: Int
    ) throws(CommandFailure) -> (change: PerformedChange, path: String, entry: String) {
        let (kept, dropped) = state.withLock { state in
            (state.kept.first { $0.record.number == number }, state.dropped)
        }
        guard let kept else {
            throw CommandFailure(
                .notFound,
                number > 0 && number <= dropped
                    ? "change \(number) is too old: the last \(limit) are kept"
                    : "there is no change \(number)",
                hint: "`changes` lists what can be undone")
        }
        guard let change = kept.change else {
            throw CommandFailure(
                .unsupported,
                "change \(number) can't be undone: \(kept.record.path) \(kept.obstacle)",
                hint: "`changes` lists what can be undone")
        }
        return (change, kept.record.path, kept.entry)
    }

    private func append(
        _ path: String, entry: String = "", old: String? = nil, new: String,
        result: String = "done", by peer: Peer, change: PerformedChange? = nil,
        obstacle: String = "was a call"
    ) -> ChangeRecord {
        let (record, released) = state.withLock { state in
            let record = ChangeRecord(
                number: state.next, path: path, old: old, new: new, result: result, by: peer,
                time: Quantity.moment(nanoseconds: WallClock.nanoseconds), note: change?.note)
            state.next += 1
            state.kept.append(
                Kept(record: record, entry: entry, change: change, obstacle: obstacle))
            guard state.kept.count > limit else { return (record, nil as Kept?) }
            state.dropped += 1
            return (record, state.kept.removeFirst())
        }
        withExtendedLifetime(released) {}
        write(record)
        return record
    }

    private func write(_ record: ChangeRecord) {
        guard audit != "off" else { return }
        let old = record.old.map { "\($0.escaped) -> " } ?? ""
        let line =
            "telltale[\(ProcessIdentity.pid)] AUDIT \(record.time) change \(record.number) "
            + "\(record.path.escaped): \(old)\(record.new.escaped) "
            + "(\(record.result.escaped)) by "
            + ProcessFacts.rendered(pid: record.by.pid, uid: record.by.uid).escaped
        if let audit {
            do throws(SystemError) {
                let mode = try PrivateFile.appendKeepingMode(
                    Array((line + "\n").utf8), to: audit)
                if mode & 0o044 != 0 {
                    SharedState.current.note(
                        "the audit log \(audit) has mode 0\(String(mode, radix: 8)), so others "
                            + "may read it; the agent leaves it so")
                }
                return
            } catch {
                SharedState.current.note(
                    "the audit log could not be written: \(error); changes are on standard error"
                )
            }
        }
        let deadline = MonotonicTime.now.advanced(by: .milliseconds(200))
        _ = StandardError.write(lines: [line], until: deadline)
    }
}

/// A change that was made, and what is needed to put it back.
///
/// It keeps the old and the new value alive: an object that was replaced lives until the change
/// is dropped, and an array that is still in use is copied by the host's next change to it.
///
/// The two values are read only on the owner of the object that they stand in, where
/// ``ValueWriter`` is called; wherever the last copy is let go, they are let go on that owner.
struct PerformedChange: Sendable {
    /// What stood in a place before and after; nil where a dictionary had no such key.
    struct Values {
        let old: Any?
        let new: Any?
    }

    /// The value before, as it would be typed; `<masked>` for a secret.
    let oldText: String
    /// The value after, as it would be typed; `<masked>` for a secret.
    let newText: String
    /// What of the host did not notice the change, where that is known.
    let note: String?

    let rootName: String
    let path: [ValuePath.Component]
    let object: UInt
    let values: HeldValue<Values>

    /// The value before. On the owner.
    var old: Any? { values.value?.old }
    /// The value after. On the owner.
    var new: Any? { values.value?.new }
}
#endif
