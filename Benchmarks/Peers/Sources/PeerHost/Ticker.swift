import Dispatch
import Synchronization

/// A thread that would run every millisecond, and how long it was kept from it.
final class Ticker: Sendable {
    private let isOn = Atomic<Bool>(false)
    private let longest = Atomic<Int64>(0)
    private let ticks = Atomic<Int>(0)
    private let wake = DispatchSemaphore(value: 0)

    /// The longest gap in microseconds and the number of ticks since the last ``reset()``.
    var state: (longest: Int64, ticks: Int) {
        (longest.load(ordering: .relaxed), ticks.load(ordering: .relaxed))
    }

    func start() {
        isOn.store(true, ordering: .relaxed)
        wake.signal()
    }

    func stop() { isOn.store(false, ordering: .relaxed) }

    func reset() {
        longest.store(0, ordering: .relaxed)
        ticks.store(0, ordering: .relaxed)
    }

    /// What its thread does.
    func run() {
        while true {
            wake.wait()
            var last = ContinuousClock.now
            while isOn.load(ordering: .relaxed) {
                HostThread.sleep(microseconds: 1_000)
                let now = ContinuousClock.now
                longest.max((now - last).inMicroseconds, ordering: .relaxed)
                ticks.add(1, ordering: .relaxed)
                last = now
            }
        }
    }
}

extension Duration {
    /// Whole microseconds.
    var inMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
