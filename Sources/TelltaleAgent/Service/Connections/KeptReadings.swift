#if TELLTALE_AGENT
import TelltaleSystem

/// The readings that connections keep, for all of them by the bytes of their requests: what many clients ask, or
/// one after the other, is known to each of them.
final class KeptReadings: Sendable {
    private typealias Readings = [[UInt8]: KeptReading?]

    private static let most = 64

    /// By what follows a request's number; nil of one that came once.
    private let readings = Locked<Readings>([:])

    /// What is kept of a request.
    func reading(of rest: [UInt8]) -> KeptReading? { readings.withLock { $0[rest] ?? nil } }

    /// Notes that a request came; whether it had come before.
    func note(_ rest: [UInt8]) -> Bool {
        exchange { readings in
            if readings[rest] != nil { return true }
            if readings.count >= Self.most { readings = [:] }
            readings[rest] = .some(nil)
            return false
        }
    }

    /// Keeps a reading for a request that was noted.
    func keep(_ reading: KeptReading, for rest: [UInt8]) {
        exchange { readings in
            if readings[rest] != nil { readings[rest] = reading }
        }
    }

    /// Forgets a reading, unless another one has come in its place.
    func forget(_ reading: KeptReading, of rest: [UInt8]) {
        exchange { readings in
            if let kept = readings[rest], kept === reading {
                readings[rest] = .some(nil)
            }
        }
    }

    /// Forgets what is of no use any more, with the queues that it holds.
    func sweep(names: Int) {
        exchange { readings in
            for (rest, reading) in readings where reading?.isOver(names: names) == true {
                readings[rest] = .some(nil)
            }
        }
    }

    // What goes with them is the host's, and goes outside of the lock.
    private func exchange<Result>(_ change: (inout Readings) -> Result) -> Result {
        let (before, result) = readings.withLock { readings in
            let before = readings
            return (before, change(&readings))
        }
        return withExtendedLifetime(before) { result }
    }
}
#endif
