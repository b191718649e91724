#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Numbers the dumps, and keeps the latest ones with their text.
final class DumpStore: Sendable {
    private struct State {
        var next = 1
        var kept: [DumpAnswer] = []
        var last: (id: Int, made: MonotonicTime)?
    }

    private let count: Int
    private let memory: KeptMemory
    private let state = Locked(State())

    init(count: Int, memory: KeptMemory) {
        self.count = count
        self.memory = memory
        memory.dropping(.dumps) { [weak self] id in
            self?.state.withLock { $0.kept.removeAll { $0.id == id } }
        }
    }

    func makeID() -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Keeps a dump, and drops the oldest ones beyond the limits.
    func keep(_ dump: DumpAnswer) {
        let gone = state.withLock { state in
            state.last = (dump.id, .now)
            state.kept.append(dump)
            let gone = state.kept.prefix(max(0, state.kept.count - count))
            state.kept.removeFirst(gone.count)
            return gone.map(\.id)
        }
        for id in gone { memory.forget(.dumps, id) }
        if count > 0 { memory.keep(.dumps, dump.id, bytes: Self.size(dump)) }
    }

    /// The last dump's number and age.
    var previous: (id: Int, age: Duration)? {
        state.withLock { $0.last }.map { ($0.id, MonotonicTime.now.since($0.made)) }
    }

    /// The dump with the number `id`, while it is kept.
    func dump(_ id: Int) throws(CommandFailure) -> DumpAnswer {
        let (found, ids) = state.withLock { state in
            (state.kept.first { $0.id == id }, state.kept.map(\.id))
        }
        if let found { return found }
        let known = ids.map { "d\($0)" }.joined(separator: " ")
        throw CommandFailure(
            .notFound, "there is no dump d\(id) any more, or yet",
            hint: ids.isEmpty ? "`dump` makes one" : "kept are \(known); `dump` makes a new one"
        )
    }

    private static func size(_ dump: DumpAnswer) -> Int {
        dump.lines.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
    }
}
#endif
