#if TELLTALE_COMPILED
import Glibc

package enum SignalNumber {
    /// The largest number there is.
    package static var largest: Int32 { 64 }

    /// Returns whether a signal may be taken. Never taken are signals that can't be caught, faults,
    /// and those that the Swift runtime's crash reporter handles (SIGQUIT too: chaining into it
    /// ended the process).
    package static func canBeTaken(_ signal: Int32) -> Bool {
        guard (1...largest).contains(signal) else { return false }
        return ![
            SIGKILL, SIGSTOP, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
            SIGSYS,
            SIGTSTP, SIGTTIN, SIGTTOU, SIGPROF, SIGCHLD, SIGPIPE,
        ].contains(signal)
    }

    private static let names: [(Int32, String)] = [
        (SIGHUP, "SIGHUP"), (SIGINT, "SIGINT"), (SIGQUIT, "SIGQUIT"), (SIGILL, "SIGILL"),
        (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"), (SIGFPE, "SIGFPE"),
        (SIGKILL, "SIGKILL"), (SIGUSR1, "SIGUSR1"), (SIGSEGV, "SIGSEGV"), (SIGUSR2, "SIGUSR2"),
        (SIGPIPE, "SIGPIPE"), (SIGALRM, "SIGALRM"), (SIGTERM, "SIGTERM"), (SIGCHLD, "SIGCHLD"),
        (SIGCONT, "SIGCONT"), (SIGSTOP, "SIGSTOP"), (SIGTSTP, "SIGTSTP"), (SIGTTIN, "SIGTTIN"),
        (SIGTTOU, "SIGTTOU"), (SIGURG, "SIGURG"), (SIGXCPU, "SIGXCPU"), (SIGXFSZ, "SIGXFSZ"),
        (SIGVTALRM, "SIGVTALRM"), (SIGPROF, "SIGPROF"), (SIGWINCH, "SIGWINCH"),
        (SIGIO, "SIGIO"),
        (SIGSYS, "SIGSYS"),
    ]

    /// `SIGUSR1`, or `signal 99`.
    package static func name(_ signal: Int32) -> String {
        if let name = names.first(where: { $0.0 == signal })?.1 { return name }
        if signal == SIGPWR { return "SIGPWR" }
        if (34...64).contains(signal) {
            return signal == 34 ? "SIGRTMIN" : "SIGRTMIN+\(signal - 34)"
        }
        return "signal \(signal)"
    }

    /// The number of `SIGUSR1`, `USR1`, `SIGRTMIN+3` or `10`.
    package static func number(named text: String) -> Int32? {
        if let number = Int32(text) { return (1...largest).contains(number) ? number : nil }
        let upper = text.uppercased()
        let full = upper.hasPrefix("SIG") ? upper : "SIG" + upper
        return (1...largest).first { name($0) == full }
    }
}
#endif
