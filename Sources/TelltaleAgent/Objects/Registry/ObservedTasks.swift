#if TELLTALE_AGENT
import TelltaleSystem

/// The tasks that the host has given to the agent: those that can be cancelled.
///
/// A task that is only found in memory may end and be freed between its being read and being
/// called; nothing can be done to it that is safe. These are held, so that they can't.
///
/// With a task its result is held, also after its end. So the ended ones are let go, on the host's
/// thread that adds a further one (the result's own code runs then): whenever there may be as many of
/// them as there are live ones, and 64 at least. No call checks more than ``mostChecked`` of them.
final class ObservedTasks: Sendable {
    /// One task, held.
    struct Entry: Sendable {
        var identifier: UInt64
        /// The object, which lives as long as this does.
        var address: UInt
        private let held: HeldValue<@Sendable () -> Void>

        /// `cancel` holds the task.
        init(identifier: UInt64, address: UInt, cancel: @escaping @Sendable () -> Void) {
            self.identifier = identifier
            self.address = address
            // With the last of a task its result is freed, on a thread of the host's as before it was
            // observed, or on a worker.
            held = HeldValue(cancel, of: .none, .toOwnerOrHost)
        }

        /// Runs cancellation handlers of the host's.
        func cancel() { held.value?() }
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// At this number those that have ended are let go.
        var purge = ObservedTasks.least
        /// Those that are still to be checked.
        var unseen: [UInt64] = []
        /// Not before then, where all places are taken: each call would search in vain.
        var notBefore = MonotonicTime(nanoseconds: 0)

        /// The next ones to be checked; none as a rule.
        mutating func due() -> [Entry] {
            if unseen.isEmpty, entries.count >= purge, entries.count < most || .now > notBefore {
                unseen = Array(entries.keys)
            }
            let next = unseen.suffix(mostChecked)
            unseen.removeLast(next.count)
            return next.compactMap { entries[$0] }
        }
    }

    /// More are not held.
    static let most = 16_384
    /// Fewer are held without a check whether they have ended.
    static let least = 64
    /// How many are checked in one call: some 5 ms in a debug build.
    static let mostChecked = 256
    private let state = Locked(State())

    /// Holds a task.
    ///
    /// - Returns: False where there are too many that have not ended.
    func add(_ entry: Entry) -> Bool {
        let due = state.withLock { $0.due() }
        if !due.isEmpty { letGo(due.filter(Self.hasEnded())) }
        return state.withLock { state in
            guard state.entries.count < Self.most else { return false }
            state.entries[entry.identifier] = entry
            return true
        }
    }

    /// Lets a task go.
    ///
    /// - Returns: The task, to be let go outside of the lock: that may free the host's objects.
    func remove(_ identifier: UInt64) -> Entry? {
        state.withLock { $0.entries.removeValue(forKey: identifier) }
    }

    /// All of them.
    var all: [Entry] { state.withLock { Array($0.entries.values) } }

    var count: Int { state.withLock { $0.entries.count } }

    private static func hasEnded() -> (Entry) -> Bool {
        let layout = TaskLayout.known(by: .now)
        guard layout.has(.tasks), let runtime = TaskRuntime.known else { return { _ in false } }
        let text = TextRanges.current
        // Without them a live one looks as if it were none.
        guard text.count > 0 else { return { _ in false } }
        let reader = TaskReader(runtime: runtime, text: text, endings: [])
        return { reader.read(at: $0.address, withFrames: false).reading == nil }
    }

    // Outside of the lock: what is let go may be the last that holds the host's objects.
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
