#if TELLTALE_AGENT
import TelltaleSystem

/// What the host has registered, with what is only noted so far.
extension SharedState {
    var objects: Registry<RegistryEntry> {
        settle()
        return settledObjects
    }

    /// The probes of the queues that are observed.
    var probes: QueueProbes {
        settle()
        return settledProbes
    }

    /// What went wrong so far, oldest first.
    var allNotes: [String] {
        settle()
        return settledNotes
    }

    /// Registers an object or a closure. Its name is looked at, and what is wrong with it said, when that is settled.
    func register(_ note: NotedObjects.Note) {
        switch noted.note(note) {
        case .nothing: break
        case .asksWorker: settleOnWorker()
        case .settles: settle()
        }
    }

    /// Has what is noted settled by a worker; before the agent's first start by this thread.
    func settleOnWorker() {
        guard noted.asks() else { return }
        releases.haveWorker { [self] in
            noted.isBegun()
            settle()
        }
    }

    private func settle() {
        guard !noted.isEmpty else { return }
        // Said under the lock, so that whoever finds all settled finds that as well.
        let gone = noted.settle(in: settledObjects, settledProbes) { entry, replaced, isRefused in
            if isRefused {
                Registrar.sayRefused(entry.name, for: "an object")
            } else if let replaced {
                Registrar.say(entry, replaces: replaced)
            }
        }
        Registry.letGo(gone)
    }
}
#endif
