#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem

    /// The tasks that the host has given to the agent: those that can be cancelled.
    ///
    /// A task that is only found in memory may end and be freed between its being read and being
    /// called; nothing can be done to it that is safe. These are held, so that they can't.
    final class ObservedTasks: Sendable {
        /// One task, held.
        struct Entry: Sendable {
            var identifier: UInt64
            /// The object, which lives as long as this does.
            var address: UInt
            /// Runs cancellation handlers of the host's.
            var cancel: @Sendable () -> Void
        }

        private struct State {
            var entries: [UInt64: Entry] = [:]
            /// At this number those that have ended are let go.
            var purge = 64
        }

        /// More are not held.
        static let most = 16_384
        private let state = Locked(State())

        /// Holds a task.
        ///
        /// - Returns: False where there are too many that have not ended.
        func add(_ entry: Entry) -> Bool {
            let isDue = state.withLock { $0.entries.count >= $0.purge }
            if isDue { letEndedGo() }
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

        private func letEndedGo() {
            let layout = TaskLayout.shared(until: .now)
            guard layout.has(.tasks), let runtime = TaskRuntime.known else { return }
            let reader = TaskReader(runtime: runtime, text: TextRanges(), endings: [])
            let ended = all.filter {
                reader.read(at: $0.address, withFrames: false).reading == nil
            }
            let released = state.withLock { state in
                let released = ended.compactMap { state.entries.removeValue(forKey: $0.identifier) }
                state.purge = max(64, state.entries.count * 2)
                return released
            }
            withExtendedLifetime(released) {}
        }
    }
#endif
