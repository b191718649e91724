#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Gives dumps their numbers, and keeps the last ones with their text.
final class DumpStore: Sendable {
    private struct State {
        var next = 1
        var kept: [DumpAnswer] = []
        var bytes = 0
        var last: (id: Int, made: MonotonicTime)?
    }

    private let count: Int
    private let byteLimit: Int
    private let state = Locked(State())

    init(count: Int, bytes: Int) {
        self.count = count
        byteLimit = bytes
    }

    func makeID() -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Keeps a dump, and lets the oldest ones go at the bounds.
    func keep(_ dump: DumpAnswer) {
        state.withLock { state in
            state.last = (dump.id, .now)
            state.kept.append(dump)
            state.bytes += Self.size(dump)
            while state.kept.count > count || (state.bytes > byteLimit && !state.kept.isEmpty) {
                state.bytes -= Self.size(state.kept.removeFirst())
            }
        }
    }

    /// The last dump's number, and how long ago it was made.
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
        dump.lines.reduce(0) { $0 + $1.utf8.count + 1 }
    }
}
#endif
