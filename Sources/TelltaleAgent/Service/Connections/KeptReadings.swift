#if TELLTALE_AGENT
import TelltaleSystem

/// The readings that connections keep, for all of them by the bytes of their requests: what many clients ask, or
/// one after the other, is known to each of them.
final class KeptReadings: Sendable {
    private struct State {
        /// Nil of a request that came once.
        var readings: [[UInt8]: KeptReading?] = [:]
    }

    private static let most = 64

    private let state = Locked(State())

    /// What is kept of a request without its number.
    func reading(of rest: [UInt8]) -> KeptReading? { state.withLock { $0.readings[rest] ?? nil } }

    /// Notes that a request came; whether it had come before.
    func note(_ rest: [UInt8]) -> Bool {
        exchange { state in
            if state.readings[rest] != nil { return true }
            if state.readings.count >= Self.most { state.readings = [:] }
            state.readings[rest] = .some(nil)
            return false
        }
    }

    /// Keeps a reading for a request that was noted.
    func keep(_ reading: KeptReading, for rest: [UInt8]) {
        exchange { state in
            if state.readings[rest] != nil { state.readings[rest] = reading }
        }
    }

    /// Forgets a reading, unless another one has come in its place.
    func forget(_ reading: KeptReading, of rest: [UInt8]) {
        exchange { state in
            if let kept = state.readings[rest], kept === reading {
                state.readings[rest] = .some(nil)
            }
        }
    }

    /// Forgets what is of no use any more, with the queues that it holds.
    func sweep(names: Int) {
        exchange { state in
            for (rest, reading) in state.readings where reading?.isOver(names: names) == true {
                state.readings[rest] = .some(nil)
            }
        }
    }

    // What goes with them is the host's, and goes outside of the lock.
    private func exchange<Result>(_ change: (inout State) -> Result) -> Result {
        let (before, result) = state.withLock { state in
            let before = state
            return (before, change(&state))
        }
        return withExtendedLifetime(before) { result }
    }
}
#endif
