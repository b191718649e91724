#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// What is kept for looks at Dispatch's objects: the layout that was tried, and what was seen before.
///
/// One for each process: in a forked child a thread that isn't there any more may have held a lock.
final class DispatchMemory: Sendable {
    private enum Trial {
        case untried
        case running
        case done(DispatchLayout, at: MonotonicTime)
    }

    private final class Kept: Sendable {
        let layout: DispatchLayout
        init(_ layout: DispatchLayout) { self.layout = layout }
    }

    /// What failed for want of a thread is tried again after this time.
    private static let patience = Duration.seconds(5)
    private let trial = TimedCondition(Trial.untried)
    /// A layout of which every part held: it holds for good, and in every child. Without a lock.
    private let whole = Atomic<UInt>(0)
    let waitTimes = WaitTimes()
    /// The images of the last look, since nothing is loaded between most of them.
    let images = Locked<LoadedImages?>(nil)

    /// Takes over what a parent has learnt.
    func adopt(_ parent: DispatchMemory) {
        whole.store(parent.whole.load(ordering: .acquiring), ordering: .releasing)
    }

    private var kept: DispatchLayout? {
        UnsafeRawPointer(bitPattern: whole.load(ordering: .acquiring)).map {
            Unmanaged<Kept>.fromOpaque($0).takeUnretainedValue().layout
        }
    }

    /// Has the layout tried, unless it has been or is being, on a thread of its own; waits for nothing.
    func begin() {
        guard kept == nil else { return }
        let isFirst = trial.update { trial in
            switch trial {
            case .running: return false
            case .done(let layout, let at):
                guard layout.isWorthRetrying, MonotonicTime.now.since(at) > Self.patience else {
                    return false
                }
            case .untried: break
            }
            trial = .running
            return true
        }
        guard isFirst else { return }
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-try") { [self] in
                done(DispatchSelfTest.run())
            }
        } catch {
            done(.none("there was no thread to try it on", isWorthRetrying: true))
        }
    }

    /// Whether the layout has been tried, whatever that came to.
    var isTried: Bool {
        kept != nil
            || trial.update { trial in
                if case .done = trial { true } else { false }
            }
    }

    private func done(_ layout: DispatchLayout) {
        if layout.failures.isEmpty {
            // Kept for good: a reader may have it in hand.
            let made = Unmanaged.passRetained(Kept(layout))
            let (isNew, _) = whole.compareExchange(
                expected: 0, desired: UInt(bitPattern: made.toOpaque()),
                ordering: .acquiringAndReleasing)
            if !isNew { made.release() }
        }
        trial.update { $0 = .done(layout, at: .now) }
    }

    /// The layout, waiting for the trial until `deadline`: 1 to 2 ms, right after `start()`.
    func layout(by deadline: MonotonicTime) -> DispatchLayout {
        if let kept { return kept }
        begin()
        // A trial takes 7 ms; one that got no thread from Dispatch may hang for ever.
        let patience = min(deadline, MonotonicTime.now.advanced(by: .milliseconds(100)))
        return trial.wait(until: patience) { trial -> DispatchLayout? in
            if case .done(let layout, _) = trial { return layout }
            return nil
        } ?? .none("it is still being tried on objects of the agent's own")
    }
}
#endif
