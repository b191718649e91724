package import TelltaleProtocol

/// What a command came to.
package enum CommandOutcome {
    /// An answer, and how many of its lines have been shown already as they came.
    case answer(Answer, shownLines: Int)
    /// An empty line or a comment.
    case nothing
    /// `quit`
    case quit

    /// Whether it is an answer to what was asked, whatever its exit status: a script goes on.
    package var isFinding: Bool { exitStatus == 7 }

    /// The exit status of an answer.
    package var exitStatus: Int32 {
        switch self {
        case .answer(.value(let answer), _), .answer(.plain(let answer), _):
            // What was asked for by name is there and could not be read.
            answer.value.kind == .unavailable ? 6 : 0
        case .answer(.stuck(let answer), _): answer.isStuck ? 7 : answer.verdict == .unknown ? 5 : 0
        default: 0
        }
    }
}
