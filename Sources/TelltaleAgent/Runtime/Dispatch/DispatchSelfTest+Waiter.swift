#if TELLTALE_AGENT
#if os(Linux) && (arch(x86_64) || arch(arm64))
import CTelltaleSystem
import TelltaleSystem

/// A thread of our own that waits in `sync`, in a group and in a semaphore: what it sleeps on.
extension DispatchSelfTest {
    mutating func tryWaiters() {
        let sleeper: SleepingThread
        do throws(SystemError) {
            sleeper = try SleepingThread()
        } catch {
            return fail(
                .syncWaiters, .groups, .semaphores, reason: "there was no thread to try it with",
                isPassing: true)
        }
        if layout.has(.items) {
            judge(syncWaiter(sleeper), .syncWaiters, "a thread of our own in sync was not read back")
        } else {
            fail(.syncWaiters, reason: "the items could not be read")
        }
        judge(group(sleeper), .groups, "a thread of our own in a group was not found")
        judge(semaphore(sleeper), .semaphores, "a thread of our own in a semaphore was not found")
    }

    private mutating func judge(
        _ outcome: SleepingThread.Outcome, _ part: DispatchLayout.Part, _ reason: String
    ) {
        switch outcome {
        case .seen: break
        case .otherwise: fail(part, reason: reason)
        case .late:
            fail(part, reason: "a thread of our own did not wait in time", isPassing: true)
        }
    }

    private func syncWaiter(_ sleeper: SleepingThread) -> SleepingThread.Outcome {
        let outer = ctelltale_dispatch_make_queue("telltale.layout.held", 0, 0)
        let queue = ctelltale_dispatch_make_queue("telltale.layout.sync", 1, 0)
        guard outer != 0, queue != 0 else { return .otherwise }
        func word(_ address: UInt) -> UInt? { GuardedMemory.load(UInt.self, at: address) }
        ctelltale_dispatch_suspend(queue)
        let outcome = sleeper.sleep {
            // In a queue of its own, which its frame has to show.
            withUnsafeTemporaryAllocation(of: UInt.self, capacity: 1) { inner in
                inner[0] = queue
                ctelltale_dispatch_sync(outer, inner.baseAddress) {
                    guard let queue = $0?.load(as: UInt.self) else { return }
                    ctelltale_dispatch_sync(queue, nil) { _ in }
                }
            }
        } until: { sleep in
            let context = sleep.address &- layout.syncEvent
            let item = Self.items(of: queue).first
            return item.map { $0.flags & 1 != 0 && $0.waiter == sleep.thread } == true
                && word(context &+ layout.syncQueue) == queue
                && GuardedMemory.load(Int32.self, at: context &+ layout.syncWaiter) == sleep.thread
                && DispatchFrame(at: context &+ layout.syncFrame)?.queue == outer
        }
        // With nothing else in it the queue is handed to the waiter itself.
        ctelltale_dispatch_resume(queue)
        guard sleeper.hasEnded() else { return .late }
        ctelltale_dispatch_release(queue)
        ctelltale_dispatch_release(outer)
        return outcome
    }

    private func group(_ sleeper: SleepingThread) -> SleepingThread.Outcome {
        let group = ctelltale_dispatch_make_group()
        guard group != 0 else { return .otherwise }
        ctelltale_dispatch_enter(group)
        let outcome = sleeper.sleep {
            ctelltale_dispatch_wait_group(group)
        } until: {
            $0.address == group &+ layout.groupWord
                && Self.counter(group).map { GroupState($0).hasWaiters } == true
        }
        ctelltale_dispatch_leave(group)
        guard sleeper.hasEnded() else { return .late }
        ctelltale_dispatch_release(group)
        return outcome
    }

    private func semaphore(_ sleeper: SleepingThread) -> SleepingThread.Outcome {
        let semaphore = ctelltale_dispatch_make_semaphore(0)
        guard semaphore != 0 else { return .otherwise }
        let outcome = sleeper.sleep {
            ctelltale_dispatch_wait_semaphore(semaphore)
        } until: {
            $0.address == semaphore &+ layout.semaphoreWord
                && Self.counter(semaphore)?.value == -1
        }
        ctelltale_dispatch_signal_semaphore(semaphore)
        guard sleeper.hasEnded() else { return .late }
        ctelltale_dispatch_release(semaphore)
        return outcome
    }
}
#endif
#endif
