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
        guard !noted.isEmpty else { return }
        releases.giveToWorker(Settling(self))
    }

    private final class Settling: Releasable {
        private let shared: SharedState

        init(_ shared: SharedState) { self.shared = shared }

        func letGo() { shared.settle() }
    }

    private func settle() {
        guard !noted.isEmpty else { return }
        for settled in noted.settle(in: settledObjects, settledProbes) {
            if settled.isRefused {
                Registrar.sayRefused(settled.entry.name, for: "an object")
            } else if let replaced = settled.replaced {
                Registrar.say(settled.entry, replaces: replaced)
            }
            Registry.letGo(settled.gone)
        }
    }
}
#endif
