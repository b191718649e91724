#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture

/// Determines what a thread is waiting for from its system call and its innermost functions.
///
/// If libraries have no symbols, only the object that contains the futex word decides.
package struct WaitReader: Sendable {
    /// Reads a word of this process's memory; nil if it can't be read.
    package let word: @Sendable (UInt) -> UInt64?
    package let groups: Set<UInt>
    package let semaphores: Set<UInt>
    package let queues: Set<UInt>
    package let locks: LockReader
    package let dispatch: DispatchLayout

    package init(
        word: @escaping @Sendable (UInt) -> UInt64?, groups: Set<UInt>, semaphores: Set<UInt>,
        queues: Set<UInt>, locks: LockReader, dispatch: DispatchLayout
    ) {
        self.word = word
        self.groups = groups
        self.semaphores = semaphores
        self.queues = queues
        self.locks = locks
        self.dispatch = dispatch
    }

    package func wait(of sample: ThreadFacts, frames: [ResolvedFrame]) -> ThreadWait {
        switch sample.state {
        case .running: return .running
        case .stopped: return .unknown("stopped")
        case .unknown(let reason): return .unknown(reason)
        case .waiting(let call):
            let names = frames.prefix(16).map { $0.symbol ?? $0.function ?? "" }
            if let lock = refusedInheriting(call, sample.liveStack, names) { return lock }
            let wait = wait(call, sample.id, names)
            guard wait.needsAnother, Self.isForOperations(frames) else { return wait }
            return .operations(condition: call.arguments.first ?? 0)
        }
    }

    private static func isForOperations(_ frames: [ResolvedFrame]) -> Bool {
        frames.contains { frame in
            guard let function = frame.function else { return false }
            return function.holds("OperationQueue.waitUntilAllOperationsAreFinished")
                || function.holds("Operation.waitUntilFinished")
        }
    }

    private func wait(_ call: SystemCall, _ thread: Int32, _ names: [String]) -> ThreadWait {
        if call.name == "futex" { return futex(call, thread, names) }
        if Self.pauses.contains(call.name) { return .idle }
        if Self.sleeps.contains(call.name) || Self.isSleep(call) { return .time }
        if Self.events.contains(call.name) {
            return Self.isEventLoop(names) ? .eventLoop(call.name) : .event(call.name)
        }
        return .unknown(call.name)
    }

    private static let pauses: Set<String> = [
        "rt_sigsuspend", "pause", "rt_sigtimedwait",
    ]
    private static let sleeps: Set<String> = ["nanosleep", "clock_nanosleep"]

    /// Indicates a wait for no descriptor, until a time: another way to sleep.
    private static func isSleep(_ call: SystemCall) -> Bool {
        guard call.arguments.count >= 5 else { return false }
        switch call.name {
        case "poll":
            return call.arguments[1] == 0 && Int32(truncatingIfNeeded: call.arguments[2]) >= 0
        case "ppoll": return call.arguments[1] == 0 && call.arguments[2] != 0
        case "select", "pselect6": return call.arguments[0] == 0 && call.arguments[4] != 0
        default: return false
        }
    }

    private static let events: Set<String> = [
        "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2",
        "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "recvfrom",
        "recvmsg", "recvmmsg", "sendto", "sendmsg", "sendmmsg", "accept", "accept4", "connect",
        "flock", "fcntl", "fsync", "fdatasync", "openat", "open", "wait4", "waitid",
        "io_uring_enter", "splice", "sendfile", "ioctl", "close", "stat", "newfstatat",
    ]

    // Dispatch's manager and run loops wait in such a call permanently.
    private static func isEventLoop(_ names: [String]) -> Bool {
        names.prefix(6).contains { $0.holds("_dispatch_event_loop") || $0.holds("CFRunLoop") }
    }

    // MARK: Futexes

    private enum Command {
        static let wait: UInt = 0
        static let lockInheriting: UInt = 6
        static let waitBitset: UInt = 9
        static let lockInheriting2: UInt = 13
    }

    private func futex(_ call: SystemCall, _ thread: Int32, _ names: [String]) -> ThreadWait {
        guard call.arguments.count >= 4 else { return .unknown("futex") }
        let address = call.arguments[0]
        // Masks out the flags for a private futex and for the clock.
        let command = call.arguments[1] & 0x7F
        switch command {
        case Command.lockInheriting, Command.lockInheriting2:
            return .lock(address, owner: owner(at: address), Self.kind(names))
        case Command.wait, Command.waitBitset:
            return plainFutex(
                address, expected: UInt32(truncatingIfNeeded: call.arguments[2]),
                hasEnd: call.arguments[3] != 0, thread, names)
        default: return .unknown("futex \(command)")
        }
    }

    private func plainFutex(
        _ address: UInt, expected: UInt32, hasEnd: Bool, _ thread: Int32, _ names: [String]
    ) -> ThreadWait {
        if let queue = syncTarget(address, thread) { return .queue(queue) }
        func has(_ parts: String...) -> Bool {
            names.contains { name in parts.contains { name.holds($0) } }
        }
        let group = address &- dispatch.groupWord
        if dispatch.has(.groups), groups.contains(group) || has("_dispatch_group_wait_slow") {
            return hasEnd ? .time : .group(group)
        }
        if has("_dispatch_once_wait") {
            return .lock(address, owner: owner(at: address), .once)
        }
        let semaphore = address &- dispatch.semaphoreWord
        if let index = names.firstIndex(where: { $0.holds("_dispatch_semaphore_wait_slow") }) {
            // A Dispatch worker waits for work in the same function.
            let caller = index + 1 < names.count ? names[index + 1] : ""
            if caller.hasPrefix("_dispatch_worker_thread") { return .idle }
            if hasEnd { return .time }
            return dispatch.has(.semaphores) ? .semaphore(semaphore) : .unknown("futex")
        }
        if dispatch.has(.semaphores), semaphores.contains(semaphore) {
            return hasEnd ? .time : .semaphore(semaphore)
        }
        if has("pthread_rwlock") {
            if hasEnd { return .time }
            return locks.readWriteLock(address, expected: expected, isReader: has("rdlock"))
        }
        let isContended = expected == locks.layout.mutexContended && !hasEnd
        let isOfMutex = isContended && isMutex(address, besides: thread)
        // A waiter that was signalled may still have to wait for the mutex.
        if has("pthread_cond") {
            if isOfMutex { return locks.mutex(address) }
            return hasEnd ? .time : .condition(address)
        }
        if has("join_ex", "pthread_join", "pthread_clockjoin") {
            return .thread(Int32(bitPattern: expected))
        }
        if has("lll_lock_wait_private") { return locks.lowLevelLock(address) }
        if has("__lll_lock_wait", "pthread_mutex_lock", "lll_mutex_lock") || isOfMutex {
            return locks.mutex(address)
        }
        if has("_dispatch_worker_thread"), names.count <= 4 { return .idle }
        if hasEnd { return .time }
        if has("sem_wait") { return .semaphore(address) }
        return .unknown("futex")
    }

    /// The queue on which `thread` waits in `sync`, if the futex belongs to such a waiter's context.
    func syncTarget(_ futex: UInt, _ thread: Int32) -> UInt? {
        let numbers = dispatch.numbers
        let context = futex &- UInt(numbers.sync_event)
        guard dispatch.has(.syncWaiters),
            let waiter = word(context &+ UInt(numbers.sync_waiter)),
            UInt32(truncatingIfNeeded: waiter) == UInt32(thread),
            let queue = word(context &+ UInt(numbers.sync_queue)).map({ UInt($0) }),
            queues.isEmpty || queues.contains(queue), queue & 7 == 0, queue != 0
        else { return nil }
        return queue
    }

    /// The wait of a thread that the kernel has told of a deadlock (EDEADLK) when it wanted a priority-inheriting
    /// mutex: glibc has it sleep for good, on a word of its own stack (nptl/pthread_mutex_lock.c, glibc 2.36). The
    /// mutex is in a register that only a debugger sees.
    private func refusedInheriting(
        _ call: SystemCall, _ stack: Range<UInt>?, _ names: [String]
    ) -> ThreadWait? {
        guard call.name == "futex", call.arguments.count >= 4, let stack,
            stack.contains(call.arguments[0]), call.arguments[3] == 0,
            [Command.wait, Command.waitBitset].contains(call.arguments[1] & 0x7F),
            UInt32(truncatingIfNeeded: call.arguments[2]) == 0,
            names.contains(where: { $0.holds("pthread_mutex_lock") })
        else { return nil }
        return .lock(call.arguments[0], owner: nil, .mutex)
    }

    /// Names the owners of the mutexes that ``refusedInheriting(_:_:_:)`` is about. The kernel refuses a mutex
    /// whose owner waits, by way of others, for the one who wants it: if only one thread waits so, it is the owner.
    package static func closeCircles(_ threads: inout [ThreadFacts]) {
        var owners: [Int32: Int32] = [:]
        var refused: [Int] = []
        for (index, thread) in threads.enumerated() {
            guard case .lock(let address, let owner, _) = thread.wait else { continue }
            if let owner {
                owners[thread.id] = owner
            } else if thread.liveStack?.contains(address) == true {
                refused.append(index)
            }
        }
        for index in refused {
            let id = threads[index].id
            let waiters = owners.keys.filter { leads($0, to: id, owners) }
            guard let owner = waiters.first, waiters.count == 1,
                case .lock(let address, _, let kind) = threads[index].wait
            else { continue }
            threads[index].wait = .lock(address, owner: owner, kind)
        }
    }

    private static func leads(_ from: Int32, to end: Int32, _ owners: [Int32: Int32]) -> Bool {
        var next = from
        for _ in 0..<64 {
            guard let owner = owners[next] else { return false }
            if owner == end { return true }
            next = owner
        }
        return false
    }

    /// Returns true if there is a contended mutex at the address, owned by another thread.
    private func isMutex(_ address: UInt, besides thread: Int32) -> Bool {
        guard
            word(address).map({ UInt32(truncatingIfNeeded: $0) })
                == locks.layout.mutexContended,
            let owner = locks.mutexOwner(at: address)
        else { return false }
        return owner != thread
    }

    private func owner(at address: UInt) -> Int32? {
        guard locks.layout.has(.inheritingLocks), let value = word(address) else { return nil }
        return locks.layout.owner(in: UInt32(truncatingIfNeeded: value))
    }

    private static func kind(_ names: [String]) -> ThreadWait.LockKind {
        for name in names {
            if name.holds("_MutexHandle") { return .synchronization }
            if name.holds("once_slow") { return .once }
            if name.holds("_dispatch_unfair_lock") { return .other }
            if name.holds("pthread_mutex") { return .mutex }
        }
        return .synchronization
    }

    // MARK: Queues

    /// Returns true if a thread's stack contains a function that drains the main queue. One of these
    /// functions is exported, so it has a name in a stripped library too.
    package func isInMainItem(_ sample: ThreadFacts) -> Bool {
        sample.stack.contains { $0.function?.hasPrefix("_dispatch_main_queue_") == true }
    }

    /// See ``ThreadFacts/isResuming``.
    package func isResuming(_ sample: ThreadFacts) -> Bool {
        if sample.stack.isEmpty { return sample.state == .running }
        return sample.stack.contains { frame in
            frame.isMethod("resume", of: "CheckedContinuation")
                || frame.symbol?.hasPrefix("swift_continuation_") == true
        }
    }

    /// The queues whose items `sample` is executing, innermost first. `frame` is the start of Dispatch's
    /// chain of frames for the thread; nil if unknown.
    package func held(by sample: ThreadFacts, frame: UInt?) -> [UInt] {
        var held: [UInt] = []
        if let queue = sample.queue { held.append(queue) }
        var next = sample.queue == nil ? nil : frame
        if case .waiting(let call) = sample.state, call.name == "futex",
            let futex = call.arguments.first, syncTarget(futex, sample.id) != nil
        {
            let context = futex &- UInt(dispatch.numbers.sync_event)
            let saved = DispatchFrame(at: context &+ UInt(dispatch.numbers.sync_frame), word: word)
            if let queue = saved?.queue, queue != 0, !held.contains(queue) { held.append(queue) }
            next = saved?.next
        }
        // The chain is as long as calls of `sync` are nested.
        for _ in 0..<32 {
            guard let address = next, let frame = DispatchFrame(at: address, word: word) else {
                break
            }
            let queue = frame.queue
            if queue != 0, queues.contains(queue), !held.contains(queue) { held.append(queue) }
            next = frame.next
        }
        return held.filter { queues.isEmpty || queues.contains($0) }
    }
}
#endif
