#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What `stuck` has last said of the process, whoever asked: the status line and the listing say the
/// same.
final class Judgement: Sendable {
    private let last = Locked<(answer: StuckAnswer, at: MonotonicTime)?>(nil)

    /// Keeps an answer.
    func keep(_ answer: StuckAnswer) { last.withLock { $0 = (answer, .now) } }

    /// The last one.
    var answer: StuckAnswer? { last.withLock { $0?.answer } }

    /// Whether there is one that is no older.
    func isFresh(for length: Duration) -> Bool {
        last.withLock { $0.map { MonotonicTime.now.since($0.at) < length } ?? false }
    }
}
#endif
