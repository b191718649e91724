#if TELLTALE_AGENT
import Dispatch
import Synchronization
import TelltaleSystem

/// A turn on an owner by the thread of the connection itself: without a worker, whose waking and whose
/// answer are two changes of threads, most of a short answer's time (measured: 120 µs, of which 70).
///
/// That thread may wait for the owner for good. Then the connection is given another one, which begins the
/// request anew, with a worker; the first finds that it isn't asked any more when it comes back. So nothing that
/// runs code of the host's is done in this way, and of what changes something no more than the change: where
/// that was begun, the other thread is told so and does not make it again.
final class DirectTurn: Sendable {
    /// What its thread does, with a moment: since when it waits, until when it should have come back.
    private enum Phase: UInt64 {
        case none, waiting, reading, changing, takenOver
        /// Nobody would take it over any more.
        case closed

        static let bits: UInt64 = 3
        static let mask: UInt64 = (1 << bits) - 1
    }

    /// How long an owner may take before another thread waits for it.
    private static let patience = Duration.milliseconds(20)
    /// What a turn may take beyond its deadline, as on a worker.
    private static let grace = Duration.milliseconds(250)

    /// The phase in its lowest bits, and the moment above them: one word, since each request changes it thrice.
    private let state = Atomic<UInt64>(Phase.none.rawValue)

    /// What another thread has taken over.
    enum Taken {
        /// Nothing was done.
        case unbegun
        /// A change was begun; whether it was made is not known.
        case begun
    }

    enum Outcome<Result> {
        case done(Result)
        /// Another thread has the request by now.
        case takenOver
    }

    // MARK: Its own thread

    /// Whether another thread has the request by now.
    var isTakenOver: Bool {
        Self.phase(of: state.load(ordering: .acquiring)) == .takenOver
    }

    /// Runs `body` on a queue, or where nobody guards what it reads, on the calling thread. What it writes is
    /// written behind a barrier.
    ///
    /// - Returns: Nil where it has to go another way: the bulkhead has had no room for it.
    func run<Result>(
        on queue: DispatchQueue?, _ access: Owner.Access = .read, in bulkhead: Bulkhead,
        of workers: WorkerPool, from now: MonotonicTime = .now, until deadline: MonotonicTime,
        _ body: () -> Result
    ) -> Outcome<Result>? {
        guard begin(at: now) else { return nil }
        let latest = min(deadline, now.advanced(by: Self.patience))
        guard workers.enter(bulkhead, until: latest) else { return end() ? nil : .takenOver }
        defer { workers.leave(bulkhead) }
        var result: Result?
        func turn() {
            let end = deadline.advanced(by: Self.grace)
            if claim(access, until: end) { result = body() }
        }
        if let queue { queue.syncForAgent(flags: access.flags, turn) } else { turn() }
        guard end(), let result else { return .takenOver }
        return .done(result)
    }

    private func begin(at now: MonotonicTime) -> Bool {
        change(from: .none, to: Self.word(.waiting, now))
    }

    private func claim(_ access: Owner.Access, until end: MonotonicTime) -> Bool {
        change(from: .waiting, to: Self.word(access == .write ? .changing : .reading, end))
    }

    /// False where another thread has the request.
    private func end() -> Bool {
        while true {
            let word = state.load(ordering: .acquiring)
            switch Self.phase(of: word) {
            case .takenOver: return false
            case .closed: return true
            case .none, .waiting, .reading, .changing:
                if exchange(word, Phase.none.rawValue) { return true }
            }
        }
    }

    // MARK: Other threads

    /// Whether its thread waits for longer than it should.
    var isHeld: Bool { Self.isHeld(state.load(ordering: .acquiring)) }

    /// Takes the request from a thread that waits for longer than it should; where the agent `isEnding`, at
    /// all, and none is to wait from then on.
    ///
    /// - Returns: What is now the caller's; nil where nothing is.
    func takeOver(isEnding: Bool) -> Taken? {
        while true {
            let word = state.load(ordering: .acquiring)
            let (next, taken): (Phase, Taken?)
            switch Self.phase(of: word) {
            case .none where isEnding: (next, taken) = (.closed, nil)
            case .none, .takenOver, .closed: return nil
            case .waiting, .reading: (next, taken) = (.takenOver, .unbegun)
            case .changing: (next, taken) = (.takenOver, .begun)
            }
            guard isEnding || Self.isHeld(word) else { return nil }
            if exchange(word, next.rawValue) { return taken }
        }
    }

    // MARK: The word

    private static func word(_ phase: Phase, _ time: MonotonicTime) -> UInt64 {
        min(time.nanoseconds, .max >> Phase.bits) << Phase.bits | phase.rawValue
    }

    private static func phase(of word: UInt64) -> Phase {
        Phase(rawValue: word & Phase.mask) ?? .none
    }

    private static func isHeld(_ word: UInt64) -> Bool {
        let time = MonotonicTime(nanoseconds: word >> Phase.bits)
        switch phase(of: word) {
        case .waiting: return MonotonicTime.now.since(time) > patience
        case .reading, .changing: return MonotonicTime.now > time
        case .none, .takenOver, .closed: return false
        }
    }

    private func change(from phase: Phase, to next: UInt64) -> Bool {
        while true {
            let word = state.load(ordering: .acquiring)
            guard Self.phase(of: word) == phase else { return false }
            if exchange(word, next) { return true }
        }
    }

    private func exchange(_ word: UInt64, _ next: UInt64) -> Bool {
        state.compareExchange(expected: word, desired: next, ordering: .acquiringAndReleasing)
            .exchanged
    }
}
#endif
