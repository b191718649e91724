#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// One bound in bytes for all that the agent keeps for later commands: the values of changes, the results of
/// jobs, dumps, handles. Beyond it the oldest goes first, whatever it is; the last one stays.
final class KeptMemory: Sendable {
    enum Kind: String, CaseIterable, Sendable { case changes, jobs, dumps, handles }

    fileprivate struct Key: Hashable {
        let kind: Kind
        let number: Int
    }

    fileprivate struct State {
        /// In the order in which they were added; those that were let go of since are in it too.
        var order: [Key] = []
        var first = 0
        var bytes: [Key: Int] = [:]
        var total = 0
        var dropped: [Kind: Int] = [:]
        var dropping: [Kind: @Sendable (Int) -> Void] = [:]
    }

    let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    /// The bound, as messages name it.
    var limitText: String { Quantity.bytes(limit) }

    /// Has `drop` let go of what has a number, from now on; called without a lock.
    func dropping(_ kind: Kind, _ drop: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.dropping[kind] = drop }
    }

    /// Counts what is kept by a number from now on, and lets go of the oldest beyond the bound.
    func keep(_ kind: Kind, _ number: Int, bytes: Int) {
        let dropped = state.withLock { state -> [(Key, (@Sendable (Int) -> Void)?)] in
            let key = Key(kind: kind, number: number)
            state.remove(key)
            state.order.append(key)
            state.bytes[key] = bytes
            state.total += bytes
            var dropped: [Key] = []
            while state.total > limit, let oldest = state.oldest, oldest != key {
                state.remove(oldest)
                state.dropped[oldest.kind, default: 0] += 1
                dropped.append(oldest)
            }
            state.tidy()
            return dropped.map { ($0, state.dropping[$0.kind]) }
        }
        for (key, drop) in dropped { drop?(key.number) }
    }

    /// Says that what had a number is not kept any more.
    func forget(_ kind: Kind, _ number: Int) {
        state.withLock { $0.remove(Key(kind: kind, number: number)) }
    }

    /// `2.1 MB of 64 MB: changes 2 MB, dumps 97 kB; 12 changes let go at the bound`.
    var text: String {
        let (total, bytes, dropped) = state.withLock { state in
            (
                state.total,
                Dictionary(state.bytes.map { ($0.key.kind, $0.value) }, uniquingKeysWith: +),
                state.dropped
            )
        }
        let parts = Kind.allCases.compactMap { kind in
            bytes[kind].map { "\(kind.rawValue) \(Quantity.bytes($0))" }
        }
        let gone = Kind.allCases.compactMap { kind in
            dropped[kind].map { "\(Quantity.count($0)) of \(kind.rawValue)" }
        }
        return "\(Quantity.bytes(total)) of \(limitText)"
            + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
            + (gone.isEmpty
                ? ""
                : "; let go at the bound, the oldest first: " + gone.joined(separator: ", "))
    }
}

extension KeptMemory.State {
    fileprivate mutating func remove(_ key: KeptMemory.Key) {
        total -= bytes.removeValue(forKey: key) ?? 0
    }

    /// The one that was added first of those that are kept.
    fileprivate var oldest: KeptMemory.Key? {
        mutating get {
            while first < order.count {
                if bytes[order[first]] != nil { return order[first] }
                first += 1
            }
            return nil
        }
    }

    /// Shortens the order once most of it has gone.
    fileprivate mutating func tidy() {
        guard order.count > 2 * bytes.count + 64 else { return }
        var kept: Set<KeptMemory.Key> = []
        // A number that was counted anew stands where it was added last.
        order = order[first...].reversed().filter {
            bytes[$0] != nil && kept.insert($0).inserted
        }.reversed()
        first = 0
    }
}
#endif
