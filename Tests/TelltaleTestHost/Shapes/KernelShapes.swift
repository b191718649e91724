import Dispatch
import Foundation
import TelltaleParked

extension Shape {
    /// Waits that something will end whose only pointer the kernel keeps: no memory of the process leads to it.
    static let kernelOnes =
        [
            kept("semaphore-in-epoll-data") { KernelShapes.keepInEpoll($0) },
            kept("semaphore-in-ring-request") { KernelShapes.keepInRing($0) },
            kept("semaphore-in-timer-value") { KernelShapes.keepInTimer($0) },
            kept("semaphore-in-async-request") { KernelShapes.keepInRequest($0) },
            kept("semaphore-in-locked-memory") { KernelShapes.keepLocked($0, PROT_NONE) },
            kept("semaphore-in-read-only-memory") { KernelShapes.keepLocked($0, PROT_READ) },
            Shape("semaphore-in-epoll-data-of-its-waiter") { KernelShapes.waitOnOwnLoop() },
            Shape("stream-lock-of-blocked-writer") { KernelShapes.fillStream() },
            Shape("reader-behind-writer-behind-reader") { KernelShapes.readTwice() },
        ]

    /// An item with others behind it waits for a semaphore that the kernel's pointer leads to.
    private static func kept(_ name: String, _ keep: @escaping @Sendable (UInt64) -> Void) -> Shape
    {
        Shape(name) {
            let handling = DispatchQueue(label: "shape.handling")
            KernelShapes.startWaiting(on: handling, keep)
            standInLine(handling)
        }
    }
}

@_silgen_name("syscall") private func systemCall(_ number: Int, _ a: Int, _ b: Int, _ c: Int) -> Int

/// The receiver of an event.
private final class Delivery: Sendable {
    let arrived = DispatchSemaphore(value: 0)
}

private enum KernelShapes {
    /// Leaves nothing of the functions that make it: they ran on a stack that has ended.
    static func startWaiting(on queue: DispatchQueue, _ keep: @escaping @Sendable (UInt64) -> Void)
    {
        let delivery = Delivery()
        let arrived = delivery.arrived
        onQueue(queue) { arrived.wait() }
        let pointer = UInt64(UInt(bitPattern: Unmanaged.passRetained(delivery).toOpaque()))
        JoinedThread.start { keep(pointer) }.join()
    }

    private static func deliver(_ data: UInt64) {
        guard let pointer = UnsafeRawPointer(bitPattern: UInt(data)) else { return }
        Unmanaged<Delivery>.fromOpaque(pointer).takeUnretainedValue().arrived.signal()
    }

    static func keepInEpoll(_ data: UInt64) {
        let epoll = Epoll.make()
        Epoll.add(Epoll.makeCounter(), to: epoll, data: data)
        onThread {
            var event = Epoll.Event()
            while Epoll.wait(epoll, &event, 1, -1) > 0 { deliver(event.word) }
        }
    }

    static func keepInRing(_ data: UInt64) {
        guard Ring.isAllowed else {
            say("NOT HERE the kernel allows no io_uring")
            exit(0)
        }
        let counter = Epoll.makeCounter()
        let given = DispatchSemaphore(value: 0)
        let note = RingNote(data)
        Thread.detachNewThread {
            guard let ring = Ring() else { return }
            note.submit(to: ring, counter)
            given.signal()
            while true { for word in ring.waitForWords() { deliver(word) } }
        }
        given.wait()
    }

    /// Hands a word over without a copy of it in the closure of a thread.
    private final class RingNote: @unchecked Sendable {  // used by one thread after another
        private var data: UInt64
        init(_ data: UInt64) { self.data = data }

        func submit(to ring: Ring, _ descriptor: Int32) {
            ring.poll(descriptor, data: data)
            ring.submit()
            data = 0
        }
    }

    static func keepInTimer(_ data: UInt64) {
        var action = sigaction()
        action.sa_flags = SA_SIGINFO | Int32(SA_RESTART)
        action.__sigaction_handler.sa_sigaction = { _, info, _ in
            guard let info else { return }
            KernelShapes.deliver(
                UInt64(UInt(bitPattern: info.pointee._sifields._rt.si_sigval.sival_ptr)))
        }
        sigaction(SIGUSR1, &action, nil)
        var event = sigevent()
        event.sigev_notify = Int32(SIGEV_SIGNAL)
        event.sigev_signo = SIGUSR1
        event.sigev_value.sival_ptr = UnsafeMutableRawPointer(bitPattern: UInt(data))
        var timer: timer_t?
        timer_create(CLOCK_MONOTONIC, &event, &timer)
        var time = itimerspec()
        time.it_value.tv_sec = 900
        if let timer { timer_settime(timer, 0, &time, nil) }
        event.sigev_value.sival_ptr = nil
    }

    /// A request of Linux's own asynchronous input and output, which waits for a descriptor.
    static func keepInRequest(_ data: UInt64) {
        #if arch(x86_64)
        let (setUp, submit) = (206, 209)
        #else
        let (setUp, submit) = (0, 2)
        #endif
        var context = 0
        guard
            withUnsafeMutablePointer(to: &context, { systemCall(setUp, 8, Int(bitPattern: $0), 0) })
                == 0
        else {
            say("NOT HERE the kernel allows no io_setup")
            exit(0)
        }
        // struct iocb: aio_data; opcode 5 (poll) and the descriptor behind 16 bytes; the events behind 24.
        let request = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
        request.initializeMemory(as: UInt64.self, repeating: 0, count: 8)
        request.storeBytes(of: data, as: UInt64.self)
        request.storeBytes(of: 5, toByteOffset: 16, as: UInt16.self)
        request.storeBytes(of: UInt32(Epoll.makeCounter()), toByteOffset: 20, as: UInt32.self)
        request.storeBytes(of: UInt64(POLLIN), toByteOffset: 24, as: UInt64.self)
        var list = [request]
        _ = list.withUnsafeMutableBytes {
            systemCall(submit, context, 1, Int(bitPattern: $0.baseAddress))
        }
        request.storeBytes(of: 0, as: UInt64.self)
    }

    /// Memory that is locked while it is not used.
    static func keepLocked(_ data: UInt64, _ protection: Int32) {
        let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return }
        memory.storeBytes(of: data, as: UInt64.self)
        mprotect(memory, 4096, protection)
    }

    // MARK: One who waits for what only it could deliver

    static func waitOnOwnLoop() {
        let delivery = Delivery()
        let arrived = delivery.arrived
        let epoll = Epoll.make()
        let data = UInt64(UInt(bitPattern: Unmanaged.passRetained(delivery).toOpaque()))
        Epoll.add(Epoll.makeCounter(), to: epoll, data: data)
        let trigger = Epoll.makeCounter()
        Epoll.add(trigger, to: epoll, data: 1)
        let line = DispatchQueue(label: "shape.line")
        onQueue(line) { turn(epoll, arrived) }
        standInLine(line)
        // The agent has to have seen who waits on the loop.
        pause(microseconds: 2_500_000)
        Epoll.signal(trigger)
    }

    private static func turn(_ epoll: Int32, _ arrived: DispatchSemaphore) {
        var event = Epoll.Event()
        while Epoll.wait(epoll, &event, 1, -1) > 0 {
            if event.word == 1 { waitForOwnEvent(arrived) } else { deliver(event.word) }
        }
    }

    private static func waitForOwnEvent(_ arrived: DispatchSemaphore) {
        arrived.wait()  // blocks: waitForOwnEvent
    }

    // MARK: Locks without an owner's id

    static func fillStream() {
        var pipes: [Int32] = [-1, -1]
        pipe(&pipes)
        guard let opened = fdopen(pipes[1], "w") else { return }
        nonisolated(unsafe) let stream = opened  // it has a lock of its own
        onThread { while true { fputs(String(repeating: "x", count: 999), stream) } }
        settle()
        for _ in 0..<4 { onThread { fputs("line\n", stream) } }
    }

    static func readTwice() {
        let lock = PreferringLock()
        let line = DispatchQueue(label: "shape.line")
        onQueue(line) {
            lock.read()
            settle()
            lock.read()
        }
        onThread { lock.write() }
        standInLine(line)
    }

    /// A read-write lock that lets no reader pass a writer who waits.
    private final class PreferringLock: @unchecked Sendable {  // it is one
        private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

        init() {
            var attributes = pthread_rwlockattr_t()
            pthread_rwlockattr_init(&attributes)
            // PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
            pthread_rwlockattr_setkind_np(&attributes, 2)
            pthread_rwlock_init(lock, &attributes)
        }

        func read() { pthread_rwlock_rdlock(lock) }
        func write() { pthread_rwlock_wrlock(lock) }
    }
}
