#if TELLTALE_COMPILED
import CTelltaleSystem
import Glibc

/// Detached threads of the agent: named, with every signal blocked except those that they handle.
package enum NativeThread {
    private final class Start {
        let name: String
        let signals: [Int32]
        let body: @Sendable () -> Void
        let isLingering: Bool
        private let birth: TimedCondition<Birth>

        private let needsHeap: Bool

        private enum Birth { case awaited, fit, unfit, unconditional }

        init(
            name: String, signals: [Int32], needsHeap: Bool, isLingering: Bool,
            body: @escaping @Sendable () -> Void
        ) {
            self.name = name
            self.signals = signals
            self.body = body
            self.needsHeap = needsHeap
            self.isLingering = isLingering
            birth = TimedCondition(.awaited)
        }

        /// On the new thread: whether it is to do its work. It has a heap from then on if it can.
        func begins() -> Bool {
            let hasHeap = !needsHeap || MemoryRoom.takeHeap()
            return birth.update { birth in
                if case .awaited = birth { birth = hasHeap ? .fit : .unfit }
                return birth != .unfit
            }
        }

        /// On the thread that makes it: whether the new one does its work.
        func isBegun(by deadline: MonotonicTime) -> Bool {
            let isFit = birth.wait(until: deadline) { birth -> Bool? in
                birth == .awaited ? nil : birth != .unfit
            }
            // A thread that has had no processor until then does its work whenever it has.
            return isFit
                ?? birth.update { birth in
                    if case .awaited = birth { birth = .unconditional }
                    return birth != .unfit
                }
        }
    }

    /// Names the calling thread; the kernel keeps 15 bytes of it.
    package static func name(_ name: String) { ctelltale_name_thread(name) }

    /// Lets another thread have the processor, if one waits for it.
    package static func yield() { sched_yield() }

    /// Starts a thread that runs `body` and ends.
    ///
    /// - Parameters:
    ///   - name: The kernel keeps 15 bytes of it.
    ///   - stackBytes: The size of its stack, which is only address space until it is touched. The size is
    ///     quadrupled as often as needed if the thread-local storage of the process alone is larger. Nil
    ///     for the default size of the host's threads, for host code.
    ///   - signals: The signals that it receives; all others are blocked, so that no handler of the host
    ///     ever runs on it.
    ///   - isLasting: Indicates that it must be able to allocate even if the process reaches the
    ///     limit of its memory right after this call.
    ///   - isLingering: Makes it stay for ``lingering`` when `body` has ended.
    ///   - sharesTable: Allows a thread with a descriptor table of its own (``OwnDescriptorTable``) to
    ///     create it.
    ///   - body: The work.
    /// - Throws: `EAGAIN` if the process or the user can't have another thread, `ENOMEM` if the thread
    ///   could not allocate memory: it would end the process.
    package static func start(
        name: String, stackBytes: Int? = 1 << 20, signals: [Int32] = [], isLasting: Bool = false,
        isLingering: Bool = false, sharesTable: Bool = false, body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        #if TELLTALE_AGENT
        // It would have the table of the thread that makes it.
        guard sharesTable || !ctelltale_descriptors_are_own() else {
            throw SystemError(
                "pthread_create(\(name), without the process's descriptors)", code: EAGAIN)
        }
        #endif
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }

        let needsProof = isLasting || !MemoryRoom.heapCanBegin
        let start = Start(
            name: name, signals: signals, needsHeap: needsProof, isLingering: isLingering,
            body: body)
        let argument = Unmanaged.passRetained(start)
        // The mask applies from the thread's first instruction on: the host's signals must not reach it,
        // and those by which Swift's backtracer suspends threads must. If the C library doesn't support
        // that, the thread inherits the mask of the creating thread, which blocks everything itself for the
        // moment.
        var before = sigset_t()
        let isMasked = signals.withUnsafeBufferPointer {
            ctelltale_mask_new_thread(&attributes, $0.baseAddress, $0.count)
        }
        if !isMasked { ctelltale_block_for_new_thread(&before) }
        var thread = pthread_t()
        var code = pthread_create(&thread, &attributes, Self.main, argument.toOpaque())
        // The thread-local storage of all libraries lies on the stack too: a library with a large
        // block makes it too small to begin with, which EINVAL means.
        var bytes = stackBytes ?? Self.smallest
        // That much address space may not be available, although less is enough.
        if stackBytes == nil, code == EAGAIN || code == ENOMEM {
            pthread_attr_setstacksize(&attributes, bytes)
            code = pthread_create(&thread, &attributes, Self.main, argument.toOpaque())
        }
        while code == EINVAL, bytes < Self.largestStack {
            bytes *= 4
            pthread_attr_setstacksize(&attributes, bytes)
            code = pthread_create(&thread, &attributes, Self.main, argument.toOpaque())
        }
        if !isMasked { pthread_sigmask(SIG_SETMASK, &before, nil) }
        guard code == 0 else {
            argument.release()
            throw SystemError("pthread_create(\(name))", code: code)
        }
        // Until it has had a processor the C library has it block everything, so that a crash of the host
        // right now could not suspend it. That takes 50 µs, and on a busy machine it isn't waited for.
        let moment = Duration.milliseconds(needsProof ? 1000 : 20)
        guard start.isBegun(by: .now.advanced(by: moment)) else {
            throw SystemError("malloc(in \(name))", code: ENOMEM)
        }
    }

    /// The time that a thread with short work stays after it. The C library blocks all signals in an ending
    /// thread, and a host that crashes at that moment gets no backtrace of it. So threads with short work
    /// at the agent's start don't end right after it.
    package static let lingering = Duration.seconds(1)

    /// The stack size of a thread if the host's own size is not available.
    private static var smallest: Int { 1 << 20 }

    /// The maximum stack size of a thread whose storage needs more than it asks for.
    private static var largestStack: Int { 64 << 20 }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
        {
            if let argument = $0 { run(argument) }
            return nil
        }

    private static func run(_ argument: UnsafeMutableRawPointer) {
        ForkGate.working { perform(argument) }
    }

    private static func perform(_ argument: UnsafeMutableRawPointer) {
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        guard start.begins() else { return }
        name(start.name)
        #if TELLTALE_AGENT
        ctelltale_thread_schedules_normally()
        let id = Int32(truncatingIfNeeded: ctelltale_thread_id())
        ctelltale_agent_thread_begins(id)
        defer { ctelltale_agent_thread_ends(id) }
        #endif
        start.signals.withUnsafeBufferPointer {
            ctelltale_mask_thread($0.baseAddress, $0.count)
        }
        start.body()
        if start.isLingering { sleep(lingering) }
    }

    /// Lets threads that wake up preempt the calling thread at once, from now on; since Linux 6.12. Its
    /// share of the core is unchanged.
    package static func giveCore() { _ = ctelltale_thread_gives_core_always() }

    /// Suspends the calling thread for `duration`, or less if a signal arrives.
    package static func sleep(_ duration: Duration) {
        let parts = duration.components
        guard parts.seconds >= 0, parts.attoseconds >= 0 else { return }
        var left = timespec(
            tv_sec: time_t(clamping: parts.seconds),
            tv_nsec: Int(clamping: parts.attoseconds / 1_000_000_000))
        _ = ForkGate.waiting { nanosleep(&left, nil) }
    }

    /// The C library's handle of the calling thread, which costs nothing; a thread that has ended may have
    /// had the same one.
    package static var current: some Equatable { pthread_self() }

    package static var currentID: Int64 { ctelltale_thread_id() }

    /// Runs code that waits for the host on a thread of the agent: no fork waits for the thread in the
    /// meantime.
    package static func waiting(_ body: () -> Void) { ForkGate.waiting(body) }

    /// Runs the agent's own part of such code.
    package static func working(_ body: () -> Void) { ForkGate.working(body) }

    #if TELLTALE_AGENT
    /// Runs code that may be the host's own work on a thread of the agent: an actor that runs a job here
    /// continues here with the other jobs in its queue.
    ///
    /// During that time the thread counts as one of the host's: no fork waits for it, and a search for
    /// stuck threads sees it.
    package static func lent(_ body: () -> Void) {
        let id = Int32(truncatingIfNeeded: currentID)
        let isLent = ctelltale_agent_thread_lend(id)
        ForkGate.waiting(body)
        if isLent { _ = ctelltale_agent_thread_take_back(id) }
    }

    /// Runs the agent's own part of such work, on whatever thread that is.
    package static func own(_ body: () -> Void) {
        let id = Int32(truncatingIfNeeded: currentID)
        let wasLent = ctelltale_agent_thread_take_back(id)
        ForkGate.working(body)
        if wasLent { _ = ctelltale_agent_thread_lend(id) }
    }

    /// Runs long work of the agent. Host threads that wake up in the meantime get the core at once, instead
    /// of waiting for a tick of the scheduler; threads that still wait get it after a time slice of 30 µs.
    /// On a host thread it changes nothing.
    ///
    /// - Important: Not for work that other threads wait for, such as an owner access.
    package static func givingCore<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard isAgents else { return try body() }
        ctelltale_thread_gives_core(true)
        ctelltale_thread_gives_turns(true)
        defer {
            ctelltale_thread_gives_turns(false)
            ctelltale_thread_gives_core(false)
        }
        return try body()
    }

    /// Indicates that the calling thread is one of the agent's.
    package static var isAgents: Bool {
        isAgents(Int32(truncatingIfNeeded: currentID))
    }

    /// Returns whether a thread of this process, by the kernel's id, is one of the agent's own.
    package static func isAgents(_ id: Int32) -> Bool {
        ctelltale_is_agent_thread(id)
    }
    #endif
}

/// Keeps forks of the host apart from the agent's threads: a child that is forked while one of them
/// is in the Swift runtime inherits the runtime's lock, and has no thread that would release it.
///
/// A fork waits until the agent's threads are quiet, at most 20 ms (200 if the cores are busy). Host
/// threads are not affected, and a build without the agent does nothing here.
package enum ForkGate {
    /// Lets a fork proceed first if it waits for this thread: for work of more than some milliseconds,
    /// which takes longer on a busy machine than a fork waits. Usually a single load.
    ///
    /// Must be called outside of all runtime functions, and without a lock that the host's threads need.
    @inline(__always)
    package static func rest() {
        #if TELLTALE_AGENT
        ctelltale_fork_rest()
        #endif
    }

    static func working(_ body: () -> Void) {
        #if TELLTALE_AGENT
        let wasWorking = ctelltale_fork_is_inside()
        ctelltale_fork_enter()
        defer { if !wasWorking { _ = ctelltale_fork_leave() } }
        #endif
        body()
    }

    /// Waits in the kernel: `body` is one system call, or code of the host.
    @inline(__always)
    static func waiting<Result>(_ body: () -> Result) -> Result {
        #if TELLTALE_AGENT
        let wasWorking = ctelltale_fork_leave()
        defer { if wasWorking { ctelltale_fork_enter() } }
        #endif
        return body()
    }
}
#endif
