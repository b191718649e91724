#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// The latest result of `stuck`, for any client, so that the status line and the process listing agree with
/// it.
final class Judgement: Sendable {
    private let last = Locked<(answer: StuckAnswer, at: MonotonicTime)?>(nil)

    /// Stores an answer.
    func keep(_ answer: StuckAnswer) { last.withLock { $0 = (answer, .now) } }

    /// The latest answer.
    var answer: StuckAnswer? { last.withLock { $0?.answer } }

    /// The latest answer and its time.
    var dated: (answer: StuckAnswer, at: MonotonicTime)? { last.withLock { $0 } }

    /// Returns true if there is an answer that is younger than `length`.
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
