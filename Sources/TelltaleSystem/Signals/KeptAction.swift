#if TELLTALE_AGENT
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

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
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        guard action.sa_flags & Int32(SA_SIGINFO) == 0, handler == nil else { return }
        _ = Self.ignore(signal)
    }

    /// Puts the action back.
    package func putBack() {
        var action = action
        _ = sigaction(signal, &action, nil)
    }

    private static func ignore(_ signal: Int32) -> Bool {
        #if canImport(Darwin)
        Darwin.signal(signal, SIG_IGN) != SIG_ERR
        #else
        unsafeBitCast(Glibc.signal(signal, SIG_IGN), to: Int.self) != -1
        #endif
    }
}
#endif
