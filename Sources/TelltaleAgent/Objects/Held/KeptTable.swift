#if TELLTALE_AGENT
import TelltaleSystem

/// What is kept of something that was asked for, as long as it holds.
protocol Keepable: AnyObject, Sendable {
    /// Whether names were registered or taken back since, or the object is gone.
    func isOver(names: Int) -> Bool
}

/// What is kept for all connections, by what they ask: what many clients ask, or one after the other, is known to
/// each of them.
final class KeptTable<Key: Hashable & Sendable, Kept: Keepable>: Sendable {
    private typealias Table = [Key: Kept?]

    private static var most: Int { 64 }

    /// nil of what came once.
    private let table = Locked<Table>([:])

    /// What is kept of something.
    func kept(of key: Key) -> Kept? { table.withLock { $0[key] ?? nil } }

    /// Notes that something came; whether it had come before.
    func note(_ key: Key) -> Bool {
        exchange { table in
            if table[key] != nil { return true }
            if table.count >= Self.most { table = [:] }
            table[key] = .some(nil)
            return false
        }
    }

    /// Keeps what is known of something that was noted.
    func keep(_ kept: Kept, for key: Key) {
        exchange { table in
            if table[key] != nil { table[key] = kept }
        }
    }

    /// Forgets what is kept, unless something else has come in its place.
    func forget(_ kept: Kept, of key: Key) {
        exchange { table in
            if let known = table[key], known === kept { table[key] = .some(nil) }
        }
    }

    /// Forgets what is of no use any more, with the queues that it holds.
    func sweep(names: Int) {
        exchange { table in
            for (key, kept) in table where kept?.isOver(names: names) == true {
                table[key] = .some(nil)
            }
        }
    }

    // What goes with them is the host's, and goes outside of the lock.
    private func exchange<Result>(_ change: (inout Table) -> Result) -> Result {
        let (before, result) = table.withLock { table in
            let before = table
            return (before, change(&table))
        }
        return withExtendedLifetime(before) { result }
    }
}
#endif
