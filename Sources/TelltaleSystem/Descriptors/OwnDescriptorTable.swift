#if TELLTALE_AGENT
import CTelltaleSystem

/// Threads with a table of descriptors of their own, for a process that has none left: the numbers that it may have
/// are counted for each table.
///
/// Work there opens files by their paths and closes them again. It must not use descriptors of the
/// process, leave one open, or have a thread created: that thread would share the table, and might
/// be the host's.
enum OwnDescriptorTable {
    /// Hands the work over, and lets go of it on the thread that has done it.
    private final class Work: @unchecked Sendable {
        private var body: (() -> Void)?
        let isOver = TimedCondition<Bool?>(nil)

        init(_ body: @escaping () -> Void) { self.body = body }

        func run() {
            let body = body
            self.body = nil
            body?()
        }

        func end(isDone: Bool) {
            if !isDone { body = nil }
            isOver.update { $0 = isDone }
        }
    }

    private static let refused = Locked(false)

    /// Indicates that the kernel has not refused them, and that no filter of the host's may end the process at
    /// their calls.
    static var mayBeHad: Bool { !refused.withLock { $0 } && !SeccompFilters.haveGrown }

    /// Gives the calling thread a descriptor table with these descriptors in it; `thread` is a thread with
    /// the process's table.
    static func detach(
        keeping first: OwnDescriptor? = nil, _ second: OwnDescriptor? = nil, thread: Int32
    ) -> Bool {
        let isDone = ctelltale_descriptors_detach(first?.raw ?? -1, second?.raw ?? -1, thread)
        if !isDone { refused.withLock { $0 = true } }
        return isDone
    }

    /// Runs `body` on such a thread and waits for it; nil, without running `body`, if no such thread can be
    /// created.
    static func run<Result>(_ body: () -> Result) -> Result? {
        // Already on one: it has all that it may have.
        guard mayBeHad, !ctelltale_descriptors_are_own() else { return nil }
        let caller = Int32(truncatingIfNeeded: NativeThread.currentID)
        var result: Result?
        withoutActuallyEscaping(body) { body in
            let work = Work { result = body() }
            do throws(SystemError) {
                try NativeThread.start(name: "telltale-apart") {
                    let isDetached = detach(thread: caller)
                    if isDetached { work.run() }
                    work.end(isDone: isDetached)
                }
                _ = work.isOver.wait(until: .distantFuture) { $0 }
            } catch {
                work.end(isDone: false)
            }
        }
        return result
    }
}
#endif
