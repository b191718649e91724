#if TELLTALE_AGENT
import TelltaleSystem

/// Where threads wait until a place may be free in a ``Bulkhead``, and one of them is called at a time.
final class PlaceGate: Sendable {
    private let isOpen = TimedCondition(false)

    /// Has one of those who wait look again, or the next one who comes.
    func call() {
        isOpen.withLock { $0 = true }
        isOpen.wakeOne()
    }

    /// Waits to be called; false if nobody did until `deadline`.
    func wait(until deadline: MonotonicTime) -> Bool {
        isOpen.wait(until: deadline) { isOpen -> Bool? in
            guard isOpen else { return nil }
            isOpen = false
            return true
        } ?? false
    }
}
#endif
