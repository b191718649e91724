#if TELLTALE_AGENT
import TelltalePicture
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

    /// The last one, and when it was given.
    var dated: (answer: StuckAnswer, at: MonotonicTime)? { last.withLock { $0 } }

    /// Whether there is one that is no older.
    func isFresh(for length: Duration) -> Bool {
        last.withLock { $0.map { MonotonicTime.now.since($0.at) < length } ?? false }
    }
}

extension StuckSearch {
    /// A judgement and the last picture behind it.
    struct Judged {
        var answer: StuckAnswer
        /// The last picture.
        var picture: Picture
        /// The time in which nothing that waits in it becomes a finding; `nil` if nothing may.
        var holds: Duration?
    }
}
#endif
