#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// What the self-test of one layout came to in this process.
///
/// What holds for good is read without a lock, and a forked child takes it over. What failed only for
/// want of a thread is tried again when it is asked for ``rest`` later.
final class Calibration<Layout: CalibratedLayout>: AnyCalibration {
    private enum Progress {
        case none
        case running
        case passing(Layout, at: MonotonicTime)
    }

    private final class Settled: Sendable {
        let layout: Layout
        init(_ layout: Layout) { self.layout = layout }
    }

    private static var rest: Duration { .seconds(5) }
    /// Written once; what it points to is kept for good, since a reader may have it in hand.
    private let settled = Atomic<UInt>(0)
    private let progress = TimedCondition(Progress.none)

    var subject: String { Layout.subject }

    func adopt(_ parent: Calibration<Layout>) {
        settled.store(parent.settled.load(ordering: .acquiring), ordering: .releasing)
    }

    private var whole: Layout? {
        UnsafeRawPointer(bitPattern: settled.load(ordering: .acquiring)).map {
            Unmanaged<Settled>.fromOpaque($0).takeUnretainedValue().layout
        }
    }

    /// What is known by now; nil before the first self-test has ended.
    var now: Layout? {
        if let whole { return whole }
        return progress.withLock { progress in
            if case .passing(let layout, _) = progress { layout } else { nil }
        }
    }

    /// The layout, waiting for its self-test until `deadline`, and at most until all calibrations
    /// should have come to their end.
    func known(by deadline: MonotonicTime) -> Layout {
        if let whole { return whole }
        let latest = RuntimeCaches.current.layouts.begin()
        _ = progress.wait(until: min(deadline, latest)) { progress -> Bool? in
            if case .passing = progress { return true }
            return whole != nil ? true : nil
        }
        return now ?? .off("its self-test has not ended yet", isPassing: true)
    }

    /// The layout, tried on the calling thread where it isn't known yet: only for self-tests that
    /// take microseconds and wait for nobody.
    var immediate: Layout {
        if let whole { return whole }
        let layout = Layout.tried()
        end(layout)
        return layout
    }

    // MARK: For the thread that calibrates

    var isDue: Bool { whole == nil && progress.withLock { Self.isDue($0) } }

    func run() {
        let isMine = progress.withLock { progress in
            guard whole == nil, Self.isDue(progress) else { return false }
            progress = .running
            return true
        }
        if isMine { end(Layout.tried()) }
    }

    func fail(_ reason: String) {
        if isDue { end(.off(reason, isPassing: true)) }
    }

    private static func isDue(_ progress: Progress) -> Bool {
        switch progress {
        case .none: true
        case .running: false
        case .passing(_, let at): MonotonicTime.now.since(at) > rest
        }
    }

    private func end(_ layout: Layout) {
        if !layout.isPassing {
            let made = Unmanaged.passRetained(Settled(layout))
            let (isNew, _) = settled.compareExchange(
                expected: 0, desired: UInt(bitPattern: made.toOpaque()),
                ordering: .acquiringAndReleasing)
            if !isNew { made.release() }
        }
        progress.update { $0 = .passing(layout, at: .now) }
    }

    var state: String {
        guard let now else { return "its self-test has not ended yet" }
        return now.failures.isEmpty ? "available" : now.notes.joined(separator: "; ")
    }
}

/// A calibration whatever its layout is.
protocol AnyCalibration: Sendable {
    var subject: String { get }
    var state: String { get }
    /// Whether its self-test is to be run: it never was, or may hold by now.
    var isDue: Bool { get }
    /// Runs the self-test where it is due.
    func run()
    func fail(_ reason: String)
}
#endif
