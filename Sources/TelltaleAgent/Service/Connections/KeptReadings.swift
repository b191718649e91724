#if TELLTALE_AGENT
import TelltaleSystem

/// The readings that connections keep, for all of them by the bytes of their requests: what many clients ask, or
/// one after the other, is known to each of them.
final class KeptReadings: Sendable {
    private static let most = 64

    private let readings = Locked<[[UInt8]: KeptReading]>([:])

    /// What is kept of a request without its number.
    func reading(of rest: [UInt8]) -> KeptReading? { readings.withLock { $0[rest] } }

    func keep(_ reading: KeptReading, for rest: [UInt8]) {
        exchange { readings in
            if readings.count >= Self.most { readings = [:] }
            readings[rest] = reading
        }
    }

    /// Forgets a reading, unless another one has come in its place.
    func forget(_ reading: KeptReading, of rest: [UInt8]) {
        exchange { readings in
            if readings[rest] === reading { readings[rest] = nil }
        }
    }

    /// Forgets what is of no use any more, with the queues that it holds.
    func sweep(names: Int) {
        exchange { readings in
            if readings.contains(where: { $0.value.isOver(names: names) }) {
                readings = readings.filter { !$0.value.isOver(names: names) }
            }
        }
    }

    // What goes with them is the host's, and goes outside of the lock.
    private func exchange(_ change: (inout [[UInt8]: KeptReading]) -> Void) {
        let before = readings.withLock { readings in
            let before = readings
            change(&readings)
            return before
        }
        withExtendedLifetime(before) {}
    }
}
#endif
