#if TELLTALE_AGENT
import Synchronization
package import TelltaleSystem

/// The private layouts of the runtimes in this process, and the thread that calibrates them.
///
/// Their self-tests run one after another on a thread of the agent when the agent starts, because a host's
/// thread pool may be wedged later. They take milliseconds. A caller waits for them no longer than
/// ``longest`` after their start.
///
/// Each process has its own object. In a forked child, a thread of the parent that no longer exists may
/// have held a lock, and never finishes a calibration that it began.
package final class Layouts: Sendable {
    let metadata = Calibration<MetadataLayout>()
    let queueObjects = Calibration<QueueObjectLayout>()
    let locks = Calibration<LockLayout>()
    let threads = Calibration<ThreadLayout>()
    let tasks = Calibration<TaskLayout>()
    let heap = Calibration<HeapLayout>()
    let continuations = Calibration<ContinuationLayout>()
    let dispatch = Calibration<DispatchLayout>()

    /// All calibrations, in the order of their tests: those that may have to wait for Dispatch are last.
    package var all: [any AnyCalibration] {
        [metadata, queueObjects, locks, threads, tasks, heap, continuations, dispatch]
    }

    private static let longest = Duration.seconds(2)

    private enum Runner {
        case none
        case running(since: MonotonicTime)
    }

    private let runner = TimedCondition(Runner.none)

    func adopt(_ parent: Layouts) {
        metadata.adopt(parent.metadata)
        queueObjects.adopt(parent.queueObjects)
        locks.adopt(parent.locks)
        threads.adopt(parent.threads)
        tasks.adopt(parent.tasks)
        heap.adopt(parent.heap)
        continuations.adopt(parent.continuations)
        dispatch.adopt(parent.dispatch)
    }

    /// Starts the calibrations that are due, without waiting for them.
    ///
    /// - Returns: The time by which they should have ended; in the past if they failed to.
    @discardableResult
    package func begin() -> MonotonicTime {
        let now = MonotonicTime.now
        let (since, isNew) = runner.withLock { runner in
            if case .running(let since) = runner { return (since, false) }
            guard all.contains(where: \.isDue) else { return (now, false) }
            runner = .running(since: now)
            return (now, true)
        }
        if isNew { start() }
        return since.advanced(by: Self.longest)
    }

    private func start() {
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-layout", isLingering: true) { [self] in
                for calibration in all {
                    GuardedReading.unbuffered { calibration.run() }
                    ForkGate.rest()
                }
                runner.update { $0 = .none }
                // Searched now, because the first command would have to wait for it: 0.1 s in a debug
                // build.
                GuardedReading.unbuffered {
                    _ = ActorClasses.current(until: .now.advanced(by: .seconds(5)))
                }
            }
        } catch {
            for calibration in all { calibration.fail("no thread could be had for its self-test") }
            runner.update { $0 = .none }
        }
    }

    /// Waits until the calibrations have ended. A thread that is being created, by the agent or by
    /// Dispatch, blocks all signals. If the host crashes at that moment, its backtrace lacks that thread
    /// ("failed to suspend thread").
    package func wait(until deadline: MonotonicTime) {
        _ = runner.wait(until: deadline) { runner -> Bool? in
            if case .none = runner { true } else { nil }
        }
    }
}
#endif
