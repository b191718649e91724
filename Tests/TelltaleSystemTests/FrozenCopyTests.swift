import TelltaleTestSupport
import Testing

@testable import TelltaleSystem

#if canImport(Glibc) && DEBUG
import Glibc

// Written by one thread of a process that the tests make.
/// The number of runs of a fork handler.
nonisolated(unsafe) private let handled = UnsafeMutablePointer<Int>.allocate(capacity: 1)

@_silgen_name("fork") private func systemFork() -> Int32
@_silgen_name("prctl") private func systemControl(
    _ option: Int32, _ value: UInt, _: UInt, _: UInt, _: UInt
) -> Int32

struct FrozenCopyTests {
    private static var soon: MonotonicTime { .now.advanced(by: .seconds(20)) }

    /// `__WCLONE`: without it no wait sees a copy.
    private static let clones = Int32(bitPattern: 0x8000_0000)

    /// Waits for a copy's process without taking it.
    private static func awaitEnd(of copy: FrozenCopy) {
        var info = siginfo_t()
        #expect(waitid(P_PID, id_t(copy.process), &info, WEXITED | WNOWAIT | clones) == 0)
    }

    private static func word(
        at pointer: UnsafeRawPointer, in copy: FrozenCopy
    ) -> Int? {
        MemorySource.copy(copy).load(Int.self, at: UInt(bitPattern: pointer))
    }

    /// Calls `body` with a word of memory.
    private static func withWord<Result>(
        _ body: (UnsafeMutablePointer<Int>) throws -> Result
    ) rethrows -> Result {
        let word = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        defer { word.deallocate() }
        word.pointee = 1
        return try body(word)
    }

    /// Has a process of its own run `body`, which has no children yet.
    ///
    /// - Returns: What it returned, 0 to 100; 255 where it did not.
    private static func inAProcess(_ body: () -> Int32) throws -> Int32 {
        let child = systemFork()
        if child == 0 {
            alarm(20)
            _exit(body())
        }
        try #require(child > 0)
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 255
    }

    @Test("what is read is as it was when the copy was made")
    func frozen() throws {
        try Self.withWord { word in
            let copy = try FrozenCopy(until: Self.soon)
            word.pointee = 2
            #expect(Self.word(at: word, in: copy) == 1)
            #expect(copy.end() == nil)
            #expect(Self.word(at: word, in: copy) == nil)
        }
    }

    @Test(
        "large pieces and pieces at the edge of what is mapped are read, beyond it nothing is")
    func edges() throws {
        let size = 64 << 10
        let mapping = try #require(
            mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        let bytes = UnsafeMutableRawBufferPointer(start: mapping, count: size)
        for index in 0..<size {
            bytes[index] = UInt8(truncatingIfNeeded: index &* 31 &+ index >> 8)
        }
        munmap(mapping + size / 2, size / 2)
        defer { munmap(mapping, size / 2) }
        let copy = try FrozenCopy(until: Self.soon)
        let source = MemorySource.copy(copy)
        let start = UInt(bitPattern: mapping)
        let inside = [(0, 1), (4093, 8), (100, 9000), (0, size / 2), (size / 2 - 1, 1)]
        for (offset, count) in inside {
            var read = [UInt8](repeating: 0, count: count)
            let isRead = read.withUnsafeMutableBytes {
                source.read(address: start + UInt(offset), into: $0)
            }
            #expect(isRead)
            #expect(read.elementsEqual(bytes[offset..<offset + count]))
        }
        for (offset, count) in [(size / 2 - 4, 8), (size / 2, 1), (100, size / 2)] {
            var read = [UInt8](repeating: 0, count: count)
            let isRead = read.withUnsafeMutableBytes {
                source.read(address: start + UInt(offset), into: $0)
            }
            #expect(!isRead)
        }
        for address in [0, 8, UInt.max - 3] {
            #expect(source.load(Int.self, at: address) == nil)
        }
        #expect(copy.end() == nil)
    }

    @Test("no handler of pthread_atfork runs, also not one that would wait for ever")
    func forkHandlers() throws {
        handled.pointee = 0
        let result = try Self.inAProcess {
            pthread_atfork(
                {
                    handled.pointee += 1
                    while handled.pointee < 2 { pause() }
                }, nil, nil)
            guard let copy = try? FrozenCopy(until: Self.soon) else { return 1 }
            guard Self.word(at: handled, in: copy) == 0, copy.end() == nil else { return 2 }
            guard handled.pointee == 0 else { return 3 }
            // It counts: fork() runs it.
            handled.pointee = 1
            if systemFork() == 0 { _exit(0) }
            return handled.pointee == 2 ? 0 : 4
        }
        #expect(result == 0)
    }

    @Test("the host's own wait never sees a child, and no SIGCHLD comes")
    func unseen() throws {
        let result = try Self.inAProcess {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGCHLD)
            sigprocmask(SIG_BLOCK, &signals, nil)
            guard let copy = try? FrozenCopy(until: Self.soon) else { return 1 }
            // It is there for who asks the kernel for clones.
            guard waitpid(copy.process, nil, WNOHANG | Self.clones) == 0
            else { return 2 }
            guard waitpid(-1, nil, WNOHANG) == -1, errno == ECHILD else { return 3 }
            guard copy.end() == nil else { return 4 }
            FrozenCopy.awaitEnded()
            guard waitpid(-1, nil, WNOHANG) == -1, errno == ECHILD else { return 5 }
            sigpending(&signals)
            guard FrozenCopy.left == 0 else { return 6 }
            return Int32(sigismember(&signals, SIGCHLD)) * 7
        }
        #expect(result == 0)
    }

    @Test("where the kernel keeps a process's memory from others, the copy reads its own")
    func notDumpable() throws {
        let result = try Self.inAProcess {
            // Another user, without capabilities and not dumpable from then on.
            if geteuid() == 0 { setuid(54321) }
            let setDumpable: Int32 = 4
            _ = systemControl(setDumpable, 0, 0, 0, 0)
            return Self.withWord { word in
                guard let copy = try? FrozenCopy(until: Self.soon) else { return 1 }
                let source = MemorySource.copy(copy)
                word.pointee = 2
                guard Self.word(at: word, in: copy) == 1, copy.isServed else { return 2 }
                guard source.load(Int.self, at: 1 << 44) == nil else { return 3 }
                let large = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: 300_000, alignment: 8)
                defer { large.deallocate() }
                large.initializeMemory(as: UInt8.self, repeating: 7)
                guard let later = try? FrozenCopy(until: Self.soon) else { return 4 }
                var read = [UInt8](repeating: 0, count: 300_000)
                guard
                    read.withUnsafeMutableBytes({
                        MemorySource.copy(later).read(
                            address: UInt(bitPattern: large.baseAddress), into: $0)
                    }), read.allSatisfy({ $0 == 7 })
                else { return 5 }
                return copy.end() == nil && later.end() == nil ? 0 : 6
            }
        }
        #expect(result == 0)
    }

    @Test("a copy ends by itself at its deadline, and what is read of it counts for nothing")
    func deadline() throws {
        let copy = try FrozenCopy(until: .now.advanced(by: .milliseconds(20)))
        Self.awaitEnd(of: copy)
        #expect(Self.word(at: handled, in: copy) == nil)
        #expect(copy.end() == "ended before it was read")
    }

    @Test("a copy that was killed, or that the host's own wait took, is said to be gone")
    func killed() throws {
        let killed = try FrozenCopy(until: Self.soon)
        kill(killed.process, SIGKILL)
        Self.awaitEnd(of: killed)
        #expect(killed.end() == "ended before it was read")
        let taken = try FrozenCopy(until: Self.soon)
        kill(taken.process, SIGKILL)
        #expect(waitpid(taken.process, nil, Self.clones) == taken.process)
        #expect(taken.end() == "ended before it was read")
    }

    @Test("a copy ends with the thread that made it")
    func endsWithItsThread() throws {
        let copy = Locked<Int32>(0)
        try NativeThread.start(name: "maker") {
            guard let made = try? FrozenCopy(until: Self.soon) else { return }
            _ = Unmanaged.passRetained(made)
            let process = made.process
            // Named once it is to end with its thread.
            while ProcessFiles(pid: process).name != "telltale-copy" { sched_yield() }
            copy.withLock { $0 = process }
        }
        try waitUntil("it is gone") {
            let process = copy.withLock { $0 }
            return process > 0
                && waitpid(process, nil, WNOHANG | Self.clones) == process
        }
    }

    @Test("a copy holds none of the host's descriptors, and its peers see one that is closed")
    func descriptors() throws {
        var ends: (Int32, Int32) = (-1, -1)
        let isMade = withUnsafeMutableBytes(of: &ends) {
            $0.baseAddress.map { pipe($0.assumingMemoryBound(to: Int32.self)) } == 0
        }
        try #require(isMade)
        defer { close(ends.0) }
        let copy = try FrozenCopy(until: Self.soon)
        close(ends.1)
        var byte: UInt8 = 0
        #expect(read(ends.0, &byte, 1) == 0)
        #expect(DirectoryListing.names(in: "/proc/self/fd").count > 2)
        try waitUntil("only its own pipe is left") {
            DirectoryListing.names(in: "/proc/\(copy.process)/fd").count == 2
        }
        #expect(copy.end() == nil)
    }

    @Test("the signals that the calling thread has blocked are as before")
    func mask() throws {
        var before = sigset_t()
        var after = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &before)
        #expect(try FrozenCopy(until: Self.soon).end() == nil)
        pthread_sigmask(SIG_SETMASK, nil, &after)
        for signal in 1..<65 as Range<Int32> {
            #expect(sigismember(&before, signal) == sigismember(&after, signal))
        }
    }

    @Test("copies of a process whose threads allocate without pause are read")
    func whileOthersAllocate() throws {
        let goesOn = Locked(true)
        let running = Locked(0)
        for _ in 0..<3 {
            running.withLock { $0 += 1 }
            try NativeThread.start(name: "allocator") {
                var kept: [[UInt8]] = []
                while goesOn.withLock({ $0 }) {
                    kept.append([UInt8](repeating: 1, count: Int.random(in: 1...5000)))
                    if kept.count > 100 { kept.removeAll() }
                }
                running.withLock { $0 -= 1 }
            }
        }
        defer {
            goesOn.withLock { $0 = false }
            while running.withLock({ $0 }) > 0 { sched_yield() }
        }
        try Self.withWord { word in
            for number in 1...100 {
                word.pointee = number
                let copy = try FrozenCopy(until: Self.soon)
                #expect(Self.word(at: word, in: copy) == number)
                #expect(copy.end() == nil)
            }
        }
    }
}
#endif
