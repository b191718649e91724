#if TELLTALE_AGENT
import CTelltaleSystem
import Synchronization
import TelltaleSystem

/// Tests the counts of groups and semaphores, and the futex word of a thread of our own that waits in one
/// of them or in `sync`.
extension DispatchSelfTest {
    mutating func tryCounters() {
        let group = ctelltale_dispatch_make_group()
        let semaphore = ctelltale_dispatch_make_semaphore(7)
        guard group != 0, semaphore != 0 else {
            return layout.fail(.groups, .semaphores, reason: "none could be made")
        }
        for _ in 0..<3 { ctelltale_dispatch_enter(group) }
        let three = layout.counter(at: group)
        for _ in 0..<3 { ctelltale_dispatch_leave(group) }
        let none = layout.counter(at: group)
        if let three, let none, three.outstanding == 3, none.outstanding == 0, three.is_counted,
            !three.has_waiters, !three.has_notify
        {
            layout.kinds[FirstWord(three.kind_less_one &+ 1)] = .group
        } else {
            layout.fail(.groups, reason: "a group of our own was not read back")
        }
        if let words = layout.counter(at: semaphore), words.value == 7, words.original == 7,
            words.is_counted
        {
            layout.kinds[FirstWord(words.kind_less_one &+ 1)] = .semaphore
        } else {
            layout.fail(.semaphores, reason: "a semaphore of our own was not read back")
        }
        ctelltale_dispatch_release(group)
        ctelltale_dispatch_release(semaphore)
    }

    mutating func tryWaiters() {
        let sleeper: SleepingThread
        do throws(SystemError) {
            sleeper = try SleepingThread()
        } catch {
            return layout.fail(
                .syncWaiters, .groups, .semaphores, reason: "there was no thread to try it with",
                isPassing: true)
        }
        if layout.has(.items) {
            layout.expect(
                syncWaiter(sleeper), .syncWaiters, "a thread of our own in sync was not read back")
        } else {
            layout.fail(.syncWaiters, reason: "the items could not be read")
        }
        layout.expect(
            group(sleeper), .groups, "a thread of our own that waits in a group was not found")
        layout.expect(
            semaphore(sleeper), .semaphores,
            "a thread of our own that waits in a semaphore was not found")
    }

    private static let innermost: Function = { _ in _ = ran.load(ordering: .relaxed) }

    private func syncWaiter(_ sleeper: SleepingThread) -> SleepingThread.Outcome {
        let outer = ctelltale_dispatch_make_queue("telltale.layout.outer", 0, 0)
        let queue = ctelltale_dispatch_make_queue("telltale.layout.sync", 1, 0)
        guard outer != 0, queue != 0 else { return .otherwise }
        func word(_ address: UInt) -> UInt? { GuardedMemory.load(UInt.self, at: address) }
        ctelltale_dispatch_suspend(queue)
        let numbers = layout.numbers
        let outcome = sleeper.sleep {
            // Waits inside a queue of its own, which its frame has to show.
            Self.inside(outer) { ctelltale_dispatch_sync(queue, nil, Self.innermost) }
        } until: { sleep in
            let context = sleep.address &- UInt(numbers.sync_event)
            let item = items(of: queue).first
            return item?.address == context && item?.is_sync_waiter == true
                && item?.waiter == sleep.thread
                && item?.invoke == Self.address(of: Self.innermost)
                && word(context &+ UInt(numbers.sync_queue)) == queue
                && DispatchFrame(at: context &+ UInt(numbers.sync_frame))?.queue == outer
        }
        // With no other item in it, the queue is handed to the waiter itself.
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
            let counter = layout.counter(at: group)
            return $0.address == group &+ UInt(layout.numbers.group_word)
                && counter?.has_waiters == true && counter?.outstanding == 1
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
            $0.address == semaphore &+ UInt(layout.numbers.semaphore_word)
                && layout.counter(at: semaphore)?.value == -1
        }
        ctelltale_dispatch_signal_semaphore(semaphore)
        guard sleeper.hasEnded() else { return .late }
        ctelltale_dispatch_release(semaphore)
        return outcome
    }
}
#endif
