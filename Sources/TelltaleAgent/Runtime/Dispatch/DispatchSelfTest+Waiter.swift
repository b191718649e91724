#if TELLTALE_AGENT
#if os(Linux) && (arch(x86_64) || arch(arm64))
import CTelltaleSystem
import TelltaleSystem

/// A thread of our own that waits in `sync`.
extension DispatchSelfTest {
    private struct Waiter {
        var thread: Int32 = 0
        var isDone = false
    }

    mutating func trySyncWaiter() {
        let queue = ctelltale_dispatch_make_queue("telltale.try.sync", 1, 0)
        guard queue != 0 else { return fail(.syncWaiters, reason: "a queue could not be made") }
        ctelltale_dispatch_suspend(queue)
        let waiter = TimedCondition(Waiter())
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-try", stackBytes: 256 << 10) {
                waiter.update {
                    $0.thread = Int32(truncatingIfNeeded: ctelltale_thread_id())
                }
                ctelltale_dispatch_sync(queue, nil) { _ in }
                waiter.update { $0.isDone = true }
            }
        } catch {
            ctelltale_dispatch_resume(queue)
            ctelltale_dispatch_release(queue)
            return fail(
                .syncWaiters, reason: "there was no thread to try it with", isPassing: true)
        }
        let deadline = MonotonicTime.now.advanced(by: Self.patience)
        var found: CTelltaleDispatchItem?
        while found == nil, .now < deadline {
            found = Self.items(of: queue).first
            if found == nil { Moment.short() }
        }
        let thread = waiter.update { $0.thread }
        if let found {
            if found.flags & 1 == 0 || found.waiter != thread || thread == 0 {
                fail(.syncWaiters, reason: "a thread of our own in sync was not read back")
            }
        } else {
            fail(
                .syncWaiters, reason: "a thread of our own did not get to wait in time",
                isPassing: true)
        }
        // With nothing else in it the queue is handed to the waiter itself.
        ctelltale_dispatch_resume(queue)
        let isDone = waiter.wait(until: deadline) { $0.isDone ? true : nil } ?? false
        // Where it isn't done the thread still uses the queue, which stays.
        if isDone { ctelltale_dispatch_release(queue) }
    }
}
#endif
#endif
