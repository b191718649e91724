#if TELLTALE_AGENT
import Synchronization
package import TelltaleSystem

/// The result of the self-test of one layout in this process.
///
/// A final result is read without a lock, and a forked child inherits it. A transient failure is tested
/// again when the layout is requested more than ``rest`` later.
package final class Calibration<Layout: CalibratedLayout>: AnyCalibration {
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
    /// Written once. The object that it points to is never freed, because a reader may be using it.
    private let settled = Atomic<UInt>(0)
    private let progress = TimedCondition(Progress.none)

    package var subject: String { Layout.subject }

    func adopt(_ parent: Calibration<Layout>) {
        settled.store(parent.settled.load(ordering: .acquiring), ordering: .releasing)
    }

    private var whole: Layout? {
        UnsafeRawPointer(bitPattern: settled.load(ordering: .acquiring)).map {
            Unmanaged<Settled>.fromOpaque($0).takeUnretainedValue().layout
        }
    }

    /// The layout as known now; nil before the first self-test has ended.
    package var now: Layout? {
        if let whole { return whole }
        return progress.withLock { progress in
            if case .passing(let layout, _) = progress { layout } else { nil }
        }
    }

    /// Returns the layout. Waits for its self-test until `deadline`, and at most until the time by which
    /// all calibrations should have ended.
    package func known(by deadline: MonotonicTime) -> Layout {
        if let whole { return whole }
        let latest = RuntimeCaches.current.layouts.begin()
        _ = progress.wait(until: min(deadline, latest)) { progress -> Bool? in
            if case .passing = progress { return true }
            return whole != nil ? true : nil
        }
        return now ?? .off("its self-test has not ended yet", isPassing: true)
    }

    /// The layout, tested on the calling thread if it isn't known yet. Only for self-tests that take
    /// microseconds and never block.
    var immediate: Layout {
        if let whole { return whole }
        let layout = Layout.tried()
        end(layout)
        return layout
    }

    // MARK: For the thread that calibrates

    package var isDue: Bool { whole == nil && progress.withLock { Self.isDue($0) } }

    package func run() {
        let isMine = progress.withLock { progress in
            guard whole == nil, Self.isDue(progress) else { return false }
            progress = .running
            return true
        }
        if isMine { end(Layout.tried()) }
    }

    package func fail(_ reason: String) {
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

    package var state: String {
        guard let now else { return "its self-test has not ended yet" }
        return now.failures.isEmpty ? "available" : now.notes.joined(separator: "; ")
    }
}

/// A calibration of any layout.
package protocol AnyCalibration: Sendable {
    var subject: String { get }
    var state: String { get }
    /// True if the self-test must run: it never ran, or its failure was transient.
    var isDue: Bool { get }
    /// Runs the self-test if it is due.
    func run()
    func fail(_ reason: String)
}
#endif
