#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The one limit in bytes for everything the agent keeps for later commands: the values of changes, the
/// results of jobs, dumps, handles. Beyond the limit the oldest entry is evicted first, whatever its kind;
/// the newest entry stays.
final class KeptMemory: Sendable {
    enum Kind: String, CaseIterable, Sendable { case changes, jobs, dumps, handles }

    fileprivate struct Key: Hashable {
        let kind: Kind
        let number: Int
    }

    fileprivate struct State {
        /// The keys in the order in which they were added, including keys whose entries were removed since.
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

    /// The limit, as messages name it.
    var limitText: String { Quantity.bytes(limit) }

    /// Sets the function that evicts the entry with a given number; it is called without a lock.
    func dropping(_ kind: Kind, _ drop: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.dropping[kind] = drop }
    }

    /// Adds the entry with this number to the total, and evicts the oldest entries beyond the limit.
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

    /// Removes an entry that is no longer kept.
    func forget(_ kind: Kind, _ number: Int) {
        state.withLock { $0.remove(Key(kind: kind, number: number)) }
    }

    /// The usage as text: `2.1 MB of 64 MB: changes 2 MB, dumps 97 kB; let go at the bound, the oldest first:
    /// 12 of changes`.
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

    /// The key that was added first among the kept entries.
    fileprivate var oldest: KeptMemory.Key? {
        mutating get {
            while first < order.count {
                if bytes[order[first]] != nil { return order[first] }
                first += 1
            }
            return nil
        }
    }

    /// Compacts `order` once most of its entries are gone.
    fileprivate mutating func tidy() {
        guard order.count > 2 * bytes.count + 64 else { return }
        var kept: Set<KeptMemory.Key> = []
        // A number that was added again keeps the position of its last addition.
        order = order[first...].reversed().filter {
            bytes[$0] != nil && kept.insert($0).inserted
        }.reversed()
        first = 0
    }
}
#endif
