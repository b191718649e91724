#if TELLTALE_AGENT
import TelltaleSystem

/// The threads of connections. One whose connection has ended waits a moment for the next: a
/// monitor that asks ten times a second would otherwise have ten threads made, and a flood of
/// clients thousands, which the host's own threads would wait for.
final class ConnectionThreads: Sendable {
    private struct State {
        var waiting = 0
        var handed: [@Sendable () -> Void] = []
    }

    /// How long a thread waits for a further connection.
    private static let timeout = Duration.milliseconds(500)
    private let state = TimedCondition(State())

    /// Runs `body` on a thread that waits, or on a new one.
    ///
    /// - Throws: `EAGAIN` where the process may have no further thread.
    func run(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let isTaken = state.update { state in
            guard state.waiting > state.handed.count else { return false }
            state.handed.append(body)
            return true
        }
        if isTaken { return }
        try NativeThread.start(name: "telltale-conn") { [self] in
            NativeThread.giveWay()
            var next: (@Sendable () -> Void)? = body
            while let body = next {
                body()
                next = another()
            }
        }
    }

    private func another() -> (@Sendable () -> Void)? {
        state.update { $0.waiting += 1 }
        let found = state.wait(until: .now.advanced(by: Self.timeout)) { state in
            state.handed.isEmpty ? nil : Self.take(from: &state)
        }
        // One that is handed over right at the end is still taken: it counts on this thread.
        return found ?? state.update { Self.take(from: &$0) }
    }

    // Stops waiting in the same step: what is handed over must never count on a thread that is busy.
    private static func take(from state: inout State) -> (@Sendable () -> Void)? {
        state.waiting -= 1
        return state.handed.isEmpty ? nil : state.handed.removeFirst()
    }
}
#endif
