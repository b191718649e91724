import CDispatch
import CTelltaleSystem
import Dispatch
import Foundation
import Synchronization

/// Stacks that leave little or no space for a signal handler, and the stack on which a host handler runs.
enum StackModes {
    private static let alternate = Alternate(bytes: 65_536)
    /// The stack on which the host's handler last ran: 0 none, 1 the thread's own stack, 2 the alternate
    /// one.
    private static let place = Atomic<Int>(0)
    private static let mainThread = Mutex<pthread_t?>(nil)

    /// `handler-stack=own` and `handler-stack=alternate`: a handler for SIGUSR1 that was installed before
    /// the agent, without and with SA_ONSTACK, in a main thread that has an alternate stack.
    static func prepare(_ options: Set<String>) {
        guard let option = options.first(where: { $0.hasPrefix("handler-stack=") }) else { return }
        alternate.use()
        mainThread.withLock { $0 = pthread_self() }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var local = 0
            let address = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
            StackModes.place.store(
                StackModes.alternate.holds(address) ? 2 : 1, ordering: .relaxed)
        }
        action.sa_flags = SA_RESTART | (option.hasSuffix("=alternate") ? Int32(SA_ONSTACK) : 0)
        sigaction(SIGUSR1, &action, nil)
    }

    /// `handler-stack`; `handler-stack signal`, which sends the main thread its signal; `small-stack KIND`,
    /// which starts a running thread and prints its id; `small-stacks KIND`, which starts several that
    /// never end.
    static func perform(_ words: [String]) -> String? {
        switch words.first {
        case "handler-stack" where words.last == "signal":
            guard let thread = mainThread.withLock({ $0 }) else { return "none" }
            return pthread_kill(thread, SIGUSR1) == 0 ? "sent" : "not sent"
        case "handler-stack":
            return ["none", "own", "alternate"][place.load(ordering: .relaxed)]
        case "small-stack": return words.last.flatMap { Small(rawValue: $0) }.map(start)
        case "small-stacks": return words.last.flatMap { Repeated(rawValue: $0) }.map(startAgain)
        default: return nil
        }
    }

    enum Small: String {
        /// An alternate stack of the minimum size that the kernel accepts. With AVX-512 the kernel's own
        /// part is larger than that, so no byte of the stack may be touched if the result should be the
        /// same on any processor.
        case alternate
        /// The minimum stack of a thread, most of it free.
        case least
        /// The same stack, used up except for less than a signal takes.
        case full
        /// The thread is in a host handler, on an alternate stack that is nearly used up.
        case handler
    }

    /// Threads that repeatedly have next to no space for some milliseconds.
    enum Repeated: String, CaseIterable {
        /// In a handler that was installed for one signal, on an alternate stack that is nearly used up.
        case oneshot
        /// In a handler that has unblocked all signals, on such a stack.
        case unblocking
        /// New threads, which use little of their stack at first and later all of it.
        case diving
    }

    private static func startAgain(_ kind: Repeated) -> String {
        for index in 0..<3 {
            Thread.detachNewThread {
                guard kind == .diving else { runInHandlers(kind, Int32(index)) }
                while true { dive() }
            }
        }
        return "started"
    }

    // Code that runs without stack space calls no function: the first call of a library function would
    // itself need more space.
    private static func runInHandlers(_ kind: Repeated, _ index: Int32) -> Never {
        let stack = Alternate(bytes: 8192)
        stack.use()
        let signal = 40 + index
        var action = sigaction()
        action.sa_flags = Int32(SA_ONSTACK)
        switch kind {
        case .oneshot:
            action.sa_flags |= Int32(bitPattern: UInt32(SA_RESETHAND))
            action.__sigaction_handler.sa_handler = { _ in StackModes.useUp(8192) }
        default:
            sigfillset(&action.sa_mask)
            action.__sigaction_handler.sa_handler = { _ in
                var every = sigset_t()
                sigfillset(&every)
                pthread_sigmask(SIG_UNBLOCK, &every, nil)
                StackModes.useUp(8192)
            }
        }
        while true {
            sigaction(signal, &action, nil)
            raise(signal)
            work()
        }
    }

    private static func useUp(_ bytes: UInt) {
        var local = 0
        let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        work(leaving: 1000, above: here & ~(bytes - 1))
    }

    private static func dive() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 65_536)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { _ in
                let low = StackModes.lowEnd()
                StackModes.work()
                StackModes.work(leaving: 1500, above: low)
                return nil
            }, nil)
        if code == 0 { pthread_join(thread, nil) }
    }

    private static func work(leaving bytes: UInt, above low: UInt) {
        var local = 0
        let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        if here - low > bytes { work(leaving: bytes, above: low) } else { work() }
    }

    // Runs for some milliseconds, without a call.
    private static func work() {
        var count = 0
        while count < 1_000_000 { count &+= 1 }
    }

    private static func start(_ kind: Small) -> String {
        let id = Mutex<Int32>(0)
        let told = DispatchSemaphore(value: 0)
        let start = Start(kind: kind) { number in
            id.withLock { $0 = number }
            told.signal()
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        if kind == .least || kind == .full {
            pthread_attr_setstacksize(&attributes, 16_384)
        }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
            }, Unmanaged.passRetained(start).toOpaque())
        guard code == 0 else { return "errno \(code)" }
        told.wait()
        return "\(id.withLock { $0 })"
    }

    private final class Start {
        let kind: Small
        let tell: (Int32) -> Void

        init(kind: Small, tell: @escaping (Int32) -> Void) {
            self.kind = kind
            self.tell = tell
        }

        func run() -> Never {
            if kind == .alternate { Alternate(bytes: 2048, isClosed: true).use() }
            tell(Int32(truncatingIfNeeded: ctelltale_thread_id()))
            switch kind {
            case .full: fill(leaving: 1500, above: lowEnd())
            case .handler: StackModes.runInAHandler()
            default: spin()
            }
        }
    }

    // A host handler that computes for a long time, on a small stack of its own.
    private static func runInAHandler() -> Never {
        Alternate(bytes: 8192).use()
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var local = 0
            let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
            StackModes.fill(leaving: 1000, above: here & ~8191)
        }
        action.sa_flags = Int32(SA_ONSTACK)
        sigaction(SIGUSR2, &action, nil)
        raise(SIGUSR2)
        spin()
    }

    private static func fill(leaving bytes: UInt, above low: UInt) -> Never {
        var local = 0
        let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        if here - low > bytes { fill(leaving: bytes, above: low) }
        spin()
    }

    private static func spin() -> Never {
        var count = 0
        while true { count &+= 1 }
    }

    // Returns the low end of the calling thread's stack.
    private static func lowEnd() -> UInt {
        var attributes = pthread_attr_t()
        guard pthread_getattr_np(pthread_self(), &attributes) == 0 else { return 0 }
        defer { pthread_attr_destroy(&attributes) }
        var address: UnsafeMutableRawPointer?
        var size = 0
        pthread_attr_getstack(&attributes, &address, &size)
        return UInt(bitPattern: address)
    }

    @_silgen_name("pthread_getattr_np") private static func pthread_getattr_np(
        _ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>
    ) -> Int32

    /// A signal stack, aligned to its size and never released. An overrun hits unmapped memory.
    private struct Alternate: Sendable {
        let start: UInt
        let bytes: Int

        init(bytes: Int, isClosed: Bool = false) {
            self.bytes = bytes
            let size = max(bytes, 4096)
            let memory = UInt(bitPattern: aligned_alloc(size, 2 * size))
            let closed = isClosed ? 2 * size : size
            mprotect(UnsafeMutableRawPointer(bitPattern: memory), closed, PROT_NONE)
            start = memory + UInt(size)
        }

        func use() {
            var stack = stack_t()
            stack.ss_sp = UnsafeMutableRawPointer(bitPattern: start)
            stack.ss_size = bytes
            guard sigaltstack(&stack, nil) == 0 else { fatalError("errno \(errno)") }
        }

        func holds(_ address: UInt) -> Bool {
            address >= start && address < start + UInt(bytes)
        }
    }
}
