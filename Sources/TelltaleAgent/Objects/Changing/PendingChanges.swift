#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The changes that connections have collected since their `begin`; each goes with its connection.
final class PendingChanges: Sendable {
    /// How many one connection may collect.
    static let limit = 256

    private let open = Locked<[UInt64: [PathChanging.Asked]]>([:])

    func begin(_ connection: UInt64) throws(CommandFailure) {
        let isOpen = open.withLock { open in
            defer { if open[connection] == nil { open[connection] = [] } }
            return open[connection] != nil
        }
        guard !isOpen else {
            throw CommandFailure(
                .conflict, "changes are collected already",
                hint: "`commit` makes them, `rollback` forgets them")
        }
    }

    func isOpen(_ connection: UInt64) -> Bool { open.withLock { $0[connection] != nil } }

    func add(_ change: PathChanging.Asked, of connection: UInt64) throws(CommandFailure) {
        let isAdded = open.withLock { open -> Bool in
            guard let count = open[connection]?.count, count < Self.limit else { return false }
            open[connection]?.append(change)
            return true
        }
        guard isAdded else {
            throw CommandFailure(
                .bound, "this connection has collected \(Self.limit) changes, and no more are kept",
                hint: "`commit` makes them, `rollback` forgets them")
        }
    }

    /// What a connection has collected.
    ///
    /// - Throws: `.usage` where it has begun nothing, and where there is none unless that is well.
    func all(
        of connection: UInt64, orNone: Bool = false
    ) throws(CommandFailure) -> [PathChanging.Asked] {
        guard let pending = open.withLock({ $0[connection] }) else {
            throw CommandFailure(
                .usage, "no changes are collected", hint: "`begin` collects what `set` would change"
            )
        }
        guard orNone || !pending.isEmpty else {
            throw CommandFailure(
                .usage, "no change was collected since `begin`",
                hint: "set PATH VALUE, then `commit`")
        }
        return pending
    }

    /// Forgets what a connection has collected.
    func end(_ connection: UInt64) {
        _ = open.withLock { $0.removeValue(forKey: connection) }
    }
}
#endif
