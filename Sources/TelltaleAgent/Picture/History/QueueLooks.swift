#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Looks at the queues in which threads are, every few seconds, so that it is known for how long their items wait.
///
/// Dispatch keeps no times. Without these looks, an item has waited since the first command that saw it.
final class QueueLooks: Sendable {
    private struct State {
        var isUnderWay = false
        var next = MonotonicTime.now
    }

    /// The time between two looks; more if one takes longer than this share of it: 0.05 % of a core.
    private static let pause = Duration.seconds(2)
    private static let share = 2000
    private static let longest = Duration.milliseconds(20)

    private let state = Locked(State())

    /// Returns true if the caller should look now.
    fileprivate func begin() -> Bool {
        state.withLock { state in
            guard !state.isUnderWay, .now >= state.next else { return false }
            state.isUnderWay = true
            return true
        }
    }

    fileprivate func look(_ threads: ThreadCapture, _ waitTimes: WaitTimes) {
        let began = ProcessClocks.threadTime
        note(threads, waitTimes)
        let took = Duration.nanoseconds(Int64(clamping: ProcessClocks.threadTime &- began))
        state.withLock { state in
            state.isUnderWay = false
            state.next = .now.advanced(by: max(Self.pause, took * Self.share))
        }
    }

    private func note(_ threads: ThreadCapture, _ waitTimes: WaitTimes) {
        guard !SeccompFilters.haveGrown else { return }
        let deadline = MonotonicTime.now.advanced(by: Self.longest)
        let layout = DispatchLayout.known(by: deadline)
        guard layout.has(.queues), layout.has(.items) else { return }
        let captured = threads.capture(.all, stacks: .none, until: deadline).threads
        let reader = DispatchReader(
            layout: layout, deadline: deadline, oldestWait: waitTimes.oldest)
        for queue in Set(captured.lazy.filter { !$0.isAgent }.compactMap(\.queue))
        where MonotonicTime.now < deadline {
            _ = GuardedReading.unbuffered { reader.queue(at: queue, items: 1) }
        }
    }
}

extension Agent {
    /// Looks at the queues in which threads are, on a worker.
    func lookAtQueues() {
        guard MemoryRoom.isEnough, shared.queueLooks.begin() else { return }
        workers.submit { [shared] in shared.queueLooks.look(shared.threads, shared.waitTimes) }
    }
}
#endif
