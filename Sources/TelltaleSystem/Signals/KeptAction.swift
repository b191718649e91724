#if TELLTALE_AGENT
import Glibc

/// What a process did on a signal at one moment, to be put back later.
package struct KeptAction: @unchecked Sendable {
    // A plain C struct, never changed after `init`.
    private let action: sigaction
    private let signal: Int32

    package init(of signal: Int32) {
        self.signal = signal
        var action = sigaction()
        _ = sigaction(signal, nil, &action)
        self.action = action
    }

    /// Ignores the signal if its default action is in force, which for most ends the process.
    package func ignoreIfDefault() {
        let handler = action.__sigaction_handler.sa_handler
        guard action.sa_flags & Int32(SA_SIGINFO) == 0, handler == nil else { return }
        _ = Self.ignore(signal)
    }

    /// Puts the action back.
    package func putBack() {
        var action = action
        _ = sigaction(signal, &action, nil)
    }

    private static func ignore(_ signal: Int32) -> Bool {
        unsafeBitCast(Glibc.signal(signal, SIG_IGN), to: Int.self) != -1
    }
}
#endif
