import CTelltaleSystem
import Glibc
import TelltalePicture
import TelltaleSystem
import Testing

@testable import TelltaleRuntime

/// System calls and words of memory, as the measured faults showed them.
struct WaitReaderTests {
    private static func reader(_ memory: [UInt: UInt64] = [:], queues: Set<UInt> = [])
        -> WaitReader
    {
        let word: @Sendable (UInt) -> UInt64? = { address in
            // By halves, as an unaligned word is.
            if let whole = memory[address] { return whole }
            return memory[address &- 4].map { $0 >> 32 }
        }
        return WaitReader(
            word: word, groups: [0x5000], semaphores: [0x6000], queues: queues,
            locks: LockReader(word: word, layout: LockLayout(), Self.threads),
            dispatch: DispatchLayout())
    }

    /// Two threads, the second of which has its own memory at 0x7F00_0000_9000.
    private static let threads = [Int32(11), 12].map { id in
        var thread = ThreadFacts(id: id, state: .running)
        thread.threadPointer = 0x7F00_0000_9000 - UInt(12 - id) * 0x10_0000
        return thread
    }

    private static func sample(_ name: String, _ arguments: [UInt]) -> ThreadFacts {
        ThreadFacts(
            id: 77, state: .waiting(SystemCall(number: 202, arguments: arguments, name: name)))
    }

    private func wait(
        _ arguments: [UInt], _ memory: [UInt: UInt64] = [:], _ names: String...,
        queues: Set<UInt> = []
    ) -> ThreadWait {
        Self.reader(memory, queues: queues).wait(
            of: Self.sample("futex", arguments), frames: names.map { Self.frame($0) })
    }

    private static func frame(_ name: String) -> ResolvedFrame {
        var frame = ResolvedFrame(address: 0x40_0000, kind: .returnAddress)
        frame.function = name
        frame.symbol = name
        return frame
    }

    @Test("the events of Dispatch's manager and of run loops are told from those of the host")
    func eventLoops() {
        func wait(_ names: String...) -> ThreadWait {
            Self.reader().wait(
                of: Self.sample("epoll_wait", [5, 0, 0, 0]), frames: names.map { Self.frame($0) })
        }
        #expect(
            wait("epoll_wait", "_dispatch_event_loop_drain") == .eventLoop("epoll_wait"))
        #expect(wait("epoll_wait", "CFRunLoopServiceMachPort") == .eventLoop("epoll_wait"))
        #expect(wait("epoll_wait", "serve()") == .event("epoll_wait"))
    }

    @Test("a wait for operations is told from one on the condition that Foundation waits on")
    func operations() {
        let call: [UInt] = [0x4d88, 0x189, 0, 0]
        #expect(
            wait(
                call, [:], "___pthread_cond_wait",
                "OperationQueue.waitUntilAllOperationsAreFinished()")
                == .operations(condition: 0x4d88))
        #expect(
            wait(call, [:], "___pthread_cond_wait", "Operation.waitUntilFinished()")
                == .operations(condition: 0x4d88))
    }

    @Test("a sync waiter is known by its context, without a symbol")
    func sync() {
        // The context at 0x7000: the queue at 56, the event at 96 with the waiter's id behind it.
        let memory: [UInt: UInt64] = [
            0x7060: UInt64(77) << 32 | 0xFFFF_FFFF, 0x7064: 77, 0x7038: 0x1000, 0x7050: 0x2000,
            0x7058: 0,
        ]
        let call: [UInt] = [0x7060, 0x80, 0xFFFF_FFFF, 0]
        #expect(wait(call, memory) == .queue(0x1000))
        #expect(wait(call, memory, queues: [0x1000]) == .queue(0x1000))
        #expect(wait(call, memory, queues: [0x9000]) == .unknown("futex"))
        let reader = Self.reader(memory, queues: [0x1000, 0x2000])
        #expect(reader.held(by: Self.sample("futex", call), frame: nil) == [0x2000])
    }

    @Test("the owner of a mutex stands behind its word, that of an inheriting lock in it")
    func owners() {
        let mutex: [UInt: UInt64] = [0x8000: 2, 0x8008: 1 << 32 | 12, 0x8010: 0]
        let call: [UInt] = [0x8000, 0x80, 2, 0]
        #expect(wait(call, mutex, "__lll_lock_wait") == .lock(0x8000, owner: 12, .mutex))
        #expect(wait(call, mutex) == .lock(0x8000, owner: 12, .mutex))
        #expect(
            wait(call, mutex, "", "", "___pthread_cond_wait") == .lock(0x8000, owner: 12, .mutex))
        #expect(
            wait([0x8000, 0x86, 0, 0], [0x8000: 0x8000_000C], "$s15Synchronization12_MutexHandleV")
                == .lock(0x8000, owner: 12, .synchronization))
        #expect(
            wait([0x8000, 0x86, 0, 0], [0x8000: 0x8000_000C], "syscall", "once_slow")
                == .lock(0x8000, owner: 12, .once))
    }

    @Test(
        "a holder is never a number that no thread has had",
        arguments: [
            // A stream's lock, whose owner is a pointer: 0x7F00_7600_0000, which no thread has.
            [0x8008: 0x7F00_7600_0000, 0x8010: 0],
            // A mutex that other processes share, held by a thread of one of these.
            [0x8008: 1 << 32 | 99, 0x8010: 0x80],
            // The number of users, or the kind, of no mutex.
            [0x8008: 12, 0x8010: 0], [0x8008: 1 << 32 | 12, 0x8010: 0x7F00],
            [0x8008: 1 << 32 | 0xFFFF_FFF0, 0x8010: 0],
        ] as [[UInt: UInt64]])
    func noHolder(_ memory: [UInt: UInt64]) {
        let memory = memory.merging([0x8000: 2]) { $1 }
        let call: [UInt] = [0x8000, 0x80, 2, 0]
        #expect(
            wait(call, memory, "", "pthread_mutex_lock") == .lock(0x8000, owner: nil, .mutex))
        #expect(wait(call, memory) == .unknown("futex"))
    }

    @Test("a thread that has ended without giving its mutex back is its holder")
    func ended() {
        #expect(
            wait(
                [0x8000, 0x80, 2, 0], [0x8000: 2, 0x8008: 1 << 32 | 99, 0x8010: 0],
                "pthread_mutex_lock") == .lock(0x8000, owner: 99, .mutex))
    }

    @Test("the lock of a stream notes its owner's thread pointer; other low-level locks note none")
    func streams() {
        let call: [UInt] = [0x8000, 0x80, 2, 0]
        let names = "__lll_lock_wait_private"
        #expect(
            wait(call, [0x8000: 1 << 32 | 2, 0x8008: 0x7F00_0000_9000], names, "fputs")
                == .lock(0x8000, owner: 12, .stream))
        #expect(
            wait(call, [0x8000: 2, 0x8008: 1 << 32 | 12, 0x8010: 0], names)
                == .lock(0x8000, owner: nil, .other))
        let standard = ctelltale_standard_lock(1)
        #expect(
            wait([standard, 0x80, 2, 0], [standard &+ 8: 0x7F00_0000_9000], names, "puts")
                == .lock(standard, owner: 12, .standardOutput))
    }

    @Test(
        "what a waiter of a read-write lock sleeps on says where the lock is, and its words who has it"
    )
    func readWriteLocks() {
        func lock(readers: UInt32, writers: UInt32, phase: UInt32, writer: UInt32) -> [UInt: UInt64]
        {
            [
                0x8000: UInt64(writers) << 32 | UInt64(readers), 0x8008: 3 << 32 | UInt64(phase),
                0x8010: 0, 0x8018: UInt64(writer),
            ]
        }
        let written = lock(readers: 3, writers: 0, phase: 3, writer: 12)
        let read = "pthread_rwlock_rdlock"
        let write = "pthread_rwlock_wrlock"
        #expect(
            wait([0x8008, 0x80, 3, 0], written, read)
                == .lock(0x8000, owner: 12, .readerWriter))
        #expect(
            wait([0x800C, 0x80, 3, 0], written, write)
                == .lock(0x8000, owner: 12, .readerWriter))
        // One reader has it, and a writer waits: it sleeps on the phase, and further readers on the count.
        let held = lock(readers: 1 << 3 | 6, writers: 0, phase: 2, writer: 0)
        #expect(
            wait([0x8008, 0x80, 2, 0], held, write) == .lock(0x8000, owner: nil, .readLocked))
        #expect(
            wait([0x8000, 0x80, 14, 0], held, read) == .lock(0x8000, owner: nil, .readLocked))
        #expect(
            wait([0x9000, 0x80, 3, 0], [:], read) == .lock(0x9000, owner: nil, .readerWriter))
    }

    @Test("groups and semaphores are known by where their words lie, or by the function")
    func dispatchObjects() {
        #expect(wait([0x5034, 0x80, 0, 0]) == .group(0x5000))
        #expect(wait([0x4034, 0x80, 0, 0], [:], "_dispatch_group_wait_slow") == .group(0x4000))
        #expect(wait([0x6040, 0x189, 0, 0]) == .semaphore(0x6000))
        #expect(wait([0x6040, 0x189, 0, 0x7FFF]) == .time)
        #expect(
            wait([0x4040, 0x189, 0, 0], [:], "_dispatch_semaphore_wait_slow", "f()")
                == .semaphore(0x4000))
    }

    @Test("a worker of Dispatch without work is idle, and so is a parked main thread")
    func idle() {
        #expect(
            wait(
                [0x4040, 0x189, 0, 0x7FFF], [:], "__futex_abstimed_wait_common64",
                "_dispatch_semaphore_wait_slow", "_dispatch_worker_thread") == .idle)
        let parked = Self.reader().wait(
            of: Self.sample("rt_sigsuspend", [0, 8]), frames: [])
        #expect(parked == .idle)
    }

    @Test("joins, conditions and sleeps are told apart")
    func others() {
        #expect(
            wait([0x4990, 0x109, 28523, 0], [:], "__pthread_clockjoin_ex") == .thread(28523))
        #expect(wait([0x4d88, 0x189, 0, 0], [:], "___pthread_cond_wait") == .condition(0x4d88))
        #expect(wait([0x4d88, 0x189, 0, 0x7F], [:], "___pthread_cond_timedwait") == .time)
        let asleep = Self.reader().wait(of: Self.sample("clock_nanosleep", [0, 0]), frames: [])
        #expect(asleep == .time)
    }

    @Test("locks of this process tell their holder")
    func calibration() {
        #if os(Linux)
        #expect(LockLayout.known(by: .now.advanced(by: .seconds(30))).notes == [])
        #endif
    }
}
