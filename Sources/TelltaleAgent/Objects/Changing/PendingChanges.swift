#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The changes that connections have collected since their `begin`; a connection's changes end with it.
final class PendingChanges: Sendable {
    /// The maximum number of changes that one connection may collect, and of bytes of their typed texts: one
    /// full request.
    static let limit = 256
    static let mostBytes = Literal.maximumBytes

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
            guard let collected = open[connection], collected.count < Self.limit,
                (collected + [change]).reduce(0, { $0 + $1.edit.text.text.utf8.count })
                    <= Self.mostBytes
            else { return false }
            open[connection]?.append(change)
            return true
        }
        guard isAdded else {
            throw CommandFailure(
                .bound,
                "no more is kept: at most \(Self.limit) changes, of "
                    + "\(Quantity.count(Self.mostBytes)) bytes together",
                hint: "`commit` makes them, `rollback` forgets them")
        }
    }

    /// The changes that a connection has collected.
    ///
    /// - Throws: `.usage` if the connection has begun none, or collected none, unless `orNone` is set.
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

    /// Drops the changes that a connection has collected.
    func end(_ connection: UInt64) {
        _ = open.withLock { $0.removeValue(forKey: connection) }
    }
}
#endif
