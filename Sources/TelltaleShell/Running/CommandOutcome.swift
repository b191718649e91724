package import TelltaleProtocol

/// What a command came to.
package enum CommandOutcome {
    /// An answer; without the lines that have been shown already as they came.
    case answer(any CommandAnswer)
    /// An answer whose lines have all been shown already.
    case shown
    /// The session ends.
    case quit

    /// The exit status of a client that was started for the command alone.
    package var exitStatus: ExitStatus {
        if case .answer(let answer) = self { answer.exitStatus } else { .done }
    }
}
