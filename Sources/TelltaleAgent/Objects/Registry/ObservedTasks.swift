#if TELLTALE_AGENT
import TelltaleRuntime
import TelltaleSystem

/// The tasks that the host has given to the agent to observe, and which can be cancelled.
///
/// A task that is only found in memory may end and be freed between the read and a call on it, so no
/// operation on it is safe. Observed tasks are retained and can't be freed.
///
/// Retaining a task also retains its result, even after the task has ended. Therefore ended tasks are
/// released when the host adds a further task, on that thread of the host's (the result's own code runs
/// there). A check for them starts when there may be as many ended tasks as live ones, and at least 64. No
/// call checks more than ``mostChecked`` tasks.
final class ObservedTasks: Sendable {
    /// One retained task.
    struct Entry: Sendable {
        var identifier: UInt64
        /// The address of the task object, which lives at least as long as this entry.
        var address: UInt
        private let held: HeldValue<@Sendable () -> Void>

        /// Makes an entry; `cancel` retains the task.
        init(identifier: UInt64, address: UInt, cancel: @escaping @Sendable () -> Void) {
            self.identifier = identifier
            self.address = address
            // Releasing the last entry of a task frees the task's result: on a thread of the host's, as
            // before the task was observed, or on a worker.
            held = HeldValue(cancel, of: .none, .toOwnerOrHost)
        }

        /// Cancels the task, which runs the host's cancellation handlers.
        func cancel() { held.value?() }
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// The number of entries at which ended tasks are released.
        var purge = ObservedTasks.least
        /// The identifiers of the tasks still to be checked.
        var unseen: [UInt64] = []
        /// The time of the next check while the table is full: without it each call would search in vain.
        var notBefore = MonotonicTime(nanoseconds: 0)

        /// The next tasks to check; usually none.
        mutating func due() -> [Entry] {
            if unseen.isEmpty, entries.count >= purge, entries.count < most || .now > notBefore {
                unseen = Array(entries.keys)
            }
            let next = unseen.suffix(mostChecked)
            unseen.removeLast(next.count)
            return next.compactMap { entries[$0] }
        }
    }

    /// The maximum number of tasks held.
    static let most = 16_384
    /// The number of tasks that are held without a check for ended ones.
    static let least = 64
    /// The maximum number of tasks checked in one call, which takes some 5 ms in a debug build.
    static let mostChecked = 256
    private let state = Locked(State())

    /// Retains a task.
    ///
    /// - Returns: False if the table is full of tasks that have not ended.
    func add(_ entry: Entry) -> Bool {
        let due = state.withLock { $0.due() }
        if !due.isEmpty { letGo(due.filter(Self.hasEnded())) }
        return state.withLock { state in
            guard state.entries.count < Self.most else { return false }
            state.entries[entry.identifier] = entry
            return true
        }
    }

    /// Removes a task.
    ///
    /// - Returns: The entry, to be released outside the lock: its release may free the host's objects.
    func remove(_ identifier: UInt64) -> Entry? {
        state.withLock { $0.entries.removeValue(forKey: identifier) }
    }

    /// All observed tasks.
    var all: [Entry] { state.withLock { Array($0.entries.values) } }

    var count: Int { state.withLock { $0.entries.count } }

    private static func hasEnded() -> (Entry) -> Bool {
        let layout = TaskLayout.known(by: .now)
        guard layout.has(.tasks), let runtime = TaskRuntime.known else { return { _ in false } }
        let text = TextRanges.current
        // Without the text ranges a live task looks invalid.
        guard text.count > 0 else { return { _ in false } }
        let reader = TaskReader(runtime: runtime, text: text, endings: [])
        return { reader.read(at: $0.address, withFrames: false).reading == nil }
    }

    // Releases the entries outside the lock: they may have the last references to the host's objects.
    private func letGo(_ ended: [Entry]) {
        let released = state.withLock { state in
            let released = ended.compactMap { state.entries.removeValue(forKey: $0.identifier) }
            if state.unseen.isEmpty {
                let count = state.entries.count
                state.purge = min(Self.most, max(Self.least, count * 2))
                if count >= Self.most { state.notBefore = .now.advanced(by: .seconds(1)) }
            }
            return released
        }
        withExtendedLifetime(released) {}
    }
}
#endif
