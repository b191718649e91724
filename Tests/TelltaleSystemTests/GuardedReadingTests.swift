import CTelltaleSystem
import Foundation
import TelltaleSystem
import Testing

/// Copies by plain loads, whose faults are answers.
@Suite(.serialized) struct GuardedReadingTests {
    private static let page = 4096

    /// Returns the handler that `sigaction` reports for a signal now.
    private static func handler(of signal: Int32) -> UInt {
        UInt(bitPattern: ctelltale_signal_current(signal))
    }

    private static func copy(_ address: UInt, _ size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0xAA, count: size)
        return bytes.withUnsafeMutableBytes { GuardedReading.read(address: address, into: $0) }
            ? bytes : nil
    }

    /// Has the thread read so much that it copies by plain loads.
    private static func warm() {
        let word = UInt64(7)
        withUnsafeBytes(of: word) { bytes in
            for _ in 0..<4 { _ = copy(UInt(bitPattern: bytes.baseAddress), 8) }
        }
    }

    #if arch(x86_64)
    @Test func everySizeIsCopiedExactly() {
        let source = (0..<1500).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
        GuardedReading.during {
            Self.warm()
            #expect(GuardedReading.isFast)
            source.withUnsafeBytes { bytes in
                for size in Array(0..<80) + [159, 160, 511, 512, 513, 1400] {
                    for start in 0..<9 {
                        let address = UInt(bitPattern: bytes.baseAddress) + UInt(start)
                        #expect(
                            Self.copy(address, size) == Array(source[start..<start + size]))
                    }
                }
            }
        }
        #expect(!GuardedReading.isFast)
    }

    @Test func aFaultAnywhereIsAnAnswer() throws {
        let room = try #require(
            mmap(nil, 3 * Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(room, 3 * Self.page) }
        #expect(mprotect(room + Self.page, Self.page, PROT_NONE) == 0)
        let hole = UInt(bitPattern: room) + UInt(Self.page)
        GuardedReading.during {
            Self.warm()
            for size in [1, 7, 8, 9, 64, 600, 5000] {
                #expect(Self.copy(hole, size) == nil)
                #expect(Self.copy(hole - 1, size + 1) == nil)
                #expect(Self.copy(hole - 8, size + 8) == nil)
                #expect(Self.copy(hole + UInt(Self.page) - 1, size) == nil)
            }
            // The end of a copy is read with part of the word before it, and with nothing after it.
            for size in 1...40 {
                #expect(Self.copy(hole - UInt(size), size) != nil)
                #expect(Self.copy(hole - UInt(size), size + 1) == nil)
            }
            // Neither an address at all, nor one that a pointer can have.
            for address: UInt in [0, 8, 0x8000_0000_0000_0000, 0xDEAD_BEEF_DEAD_BEEF, .max - 3] {
                #expect(Self.copy(address, 8) == nil)
            }
        }
    }

    @Test func aFileThatHasBecomeShorterIsAnAnswer() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        #expect(ftruncate(fileno(file), off_t(2 * Self.page)) == 0)
        let room = try #require(
            mmap(nil, 2 * Self.page, PROT_READ, MAP_SHARED, fileno(file), 0))
        defer { munmap(room, 2 * Self.page) }
        #expect(ftruncate(fileno(file), 0) == 0)
        GuardedReading.during {
            Self.warm()
            #expect(Self.copy(UInt(bitPattern: room), 64) == nil)
        }
    }
    #endif

    @Test func outsideOfAReadingTheHandlersAreAsTheyWere() {
        let before = (Self.handler(of: SIGSEGV), Self.handler(of: SIGBUS))
        GuardedReading.during {
            GuardedReading.during { Self.warm() }
            // The inner one has ended, the outer one has not.
            #expect(Self.copy(8, 8) == nil)
        }
        #expect(before == (Self.handler(of: SIGSEGV), Self.handler(of: SIGBUS)))
    }

    @Test func takenOnceTheyAreThereForSeveralReadings() {
        let before = (Self.handler(of: SIGSEGV), Self.handler(of: SIGBUS))
        let faults = TakenFaults()
        for _ in 0..<3 {
            faults.take()
            for _ in 0..<3 {
                #expect(before.0 != Self.handler(of: SIGSEGV))
                GuardedReading.during {
                    #expect(Self.copy(8, 8) == nil)
                    #expect(GuardedReading.isFast)
                }
            }
            faults.giveBack()
            #expect(before == (Self.handler(of: SIGSEGV), Self.handler(of: SIGBUS)))
        }
    }

    @Test func anotherThreadGivesThemBackButNotInTheMiddleOfAReading() {
        let before = (Self.handler(of: SIGSEGV), Self.handler(of: SIGBUS))
        let faults = TakenFaults()
        func giveBackElsewhere() {
            let other = Thread { faults.giveBackForThread() }
            other.start()
            while !other.isFinished { usleep(1000) }
        }
        faults.take()
        GuardedReading.during {
            #expect(Self.copy(8, 8) == nil)
            giveBackElsewhere()
            #expect(before.0 != Self.handler(of: SIGSEGV))
            #expect(Self.copy(8, 8) == nil)
        }
        giveBackElsewhere()
        #expect(before == (Self.handler(of: SIGSEGV), Self.handler(of: SIGBUS)))
        // The next reading takes them for itself.
        GuardedReading.during {
            #expect(Self.copy(8, 8) == nil)
            #expect(GuardedReading.isFast)
        }
        #expect(before == (Self.handler(of: SIGSEGV), Self.handler(of: SIGBUS)))
        faults.giveBack()
        #expect(before == (Self.handler(of: SIGSEGV), Self.handler(of: SIGBUS)))
    }

    @Test func takenForLongTheyAreLookedAtAgain() {
        var before = sigaction()
        sigaction(SIGBUS, nil, &before)
        let faults = TakenFaults()
        faults.take()
        let end = MonotonicTime.now.advanced(by: .milliseconds(2))
        while .now < end { NativeThread.yield() }
        var own = sigaction()
        own.__sigaction_handler.sa_handler = { _ in }
        var covered = sigaction()
        sigaction(SIGBUS, &own, &covered)
        GuardedReading.during {
            #expect(Self.copy(8, 8) == nil)
            #expect(!GuardedReading.isFast)
        }
        sigaction(SIGBUS, &covered, nil)
        faults.giveBack()
        var after = sigaction()
        sigaction(SIGBUS, nil, &after)
        #expect(
            unsafeBitCast(before.__sigaction_handler.sa_handler, to: UInt.self)
                == unsafeBitCast(after.__sigaction_handler.sa_handler, to: UInt.self))
    }

    @Test func aThreadThatBlocksTheSignalHasTheKernelCopy() {
        var blocked = sigset_t()
        var before = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGSEGV)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        GuardedReading.during {
            Self.warm()
            #expect(!GuardedReading.isFast)
            #expect(Self.copy(8, 8) == nil)
        }
    }

    @Test func aLaterHandlerOfTheHostsHasTheFaultsAndTheKernelCopies() {
        // Ours is put back by the last line, as a host's library would that was unloaded.
        var before = sigaction()
        sigaction(SIGBUS, nil, &before)
        GuardedReading.during {
            Self.warm()
            var own = sigaction()
            own.__sigaction_handler.sa_handler = { _ in }
            var covered = sigaction()
            sigaction(SIGBUS, &own, &covered)
            let other = Thread {
                GuardedReading.during {
                    Self.warm()
                    #expect(!GuardedReading.isFast)
                }
            }
            other.start()
            while !other.isFinished { usleep(1000) }
            sigaction(SIGBUS, &covered, nil)
        }
        var after = sigaction()
        sigaction(SIGBUS, nil, &after)
        #expect(
            unsafeBitCast(before.__sigaction_handler.sa_handler, to: UInt.self)
                == unsafeBitCast(after.__sigaction_handler.sa_handler, to: UInt.self))
    }

    @Test func manyThreadsReadAndFaultAtOnce() async {
        let results = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var failed = 0
                    for _ in 0..<200 {
                        GuardedReading.during {
                            Self.warm()
                            for address: UInt in [8, 0xDEAD_BEEF_DEAD_BEEF] {
                                failed += Self.copy(address, 32) == nil ? 1 : 0
                            }
                        }
                    }
                    return failed
                }
            }
            return await group.reduce(0, +)
        }
        #expect(results == 8 * 200 * 2)
    }
}
