import TelltaleTestSupport
import Testing

@testable import TelltaleSystem

#if canImport(Glibc) && DEBUG
    import Glibc

    struct FrozenCopyTests {
        private static var soon: MonotonicTime { .now.advanced(by: .seconds(20)) }

        private static func write(_ text: String, into room: UnsafeMutableRawBufferPointer) -> Int {
            room.copyBytes(from: text.utf8)
            return text.utf8.count
        }

        private static func answer(_ text: String) -> FrozenCopy.Outcome {
            .answered(Array(text.utf8))
        }

        @Test("a copy answers, and what it changes is not changed here")
        func answers() {
            var number = 1
            let outcome = FrozenCopy.ask(capacity: 4096, until: Self.soon) { room in
                number += 1
                return Self.write("\(number)", into: room)
            }
            #expect(outcome == Self.answer("2"))
            #expect(number == 1)
        }

        @Test("a copy that dies costs nothing but its answer")
        func dies() {
            let outcome = FrozenCopy.ask(capacity: 64, until: Self.soon) { _ in
                raise(SIGSEGV)
                return 0
            }
            #expect(outcome == .died(signal: SIGSEGV))
        }

        @Test("a copy that hangs is killed at its deadline")
        func hangs() {
            let outcome = FrozenCopy.ask(
                capacity: 64, until: .now.advanced(by: .milliseconds(50))
            ) { _ in
                while true { pause() }
            }
            #expect(outcome == .late)
        }

        @Test("a copy that waits for what nobody gives back is killed before its deadline")
        func waits() {
            let outcome = FrozenCopy.ask(capacity: 64, until: Self.soon) { _ in
                while true { pause() }
            }
            #expect(outcome == .stuck)
        }

        @Test("an answer over the bound is none")
        func tooLong() {
            let outcome = FrozenCopy.ask(capacity: 8, until: Self.soon) { $0.count + 1 }
            #expect(outcome == .died(signal: 0))
        }

        // The host of the copy is a copy itself, so that it has no other children.
        @Test(
            "the host's own wait never sees a child, and no SIGCHLD comes",
            .disabled(if: Sanitizer.watchesThreads))
        func unseen() {
            let outcome = FrozenCopy.ask(capacity: 256, until: Self.soon) { room in
                var childSignal = sigset_t()
                sigemptyset(&childSignal)
                sigaddset(&childSignal, SIGCHLD)
                pthread_sigmask(SIG_BLOCK, &childSignal, nil)
                let goesOn = Locked(true)
                let looks = Locked((all: 0, seeing: 0))
                let ended = Locked(false)
                guard
                    (try? NativeThread.start(
                        name: "waits",
                        body: {
                            while goesOn.withLock({ $0 }) {
                                let seen = waitpid(-1, nil, WNOHANG)
                                looks.withLock {
                                    $0.all += 1
                                    if seen != -1 { $0.seeing += 1 }
                                }
                            }
                            ended.withLock { $0 = true }
                        })) != nil
                else { return nil }
                let inner = FrozenCopy.ask(capacity: 64, until: Self.soon) { _ in
                    usleep(20_000)
                    return 0
                }
                while looks.withLock({ $0.all }) < 10 { sched_yield() }
                goesOn.withLock { $0 = false }
                while !ended.withLock({ $0 }) { sched_yield() }
                var pending = sigset_t()
                sigpending(&pending)
                let signals = sigismember(&pending, SIGCHLD)
                return Self.write(
                    "\(inner == .answered([])), seen \(looks.withLock { $0.seeing }), "
                        + "signals \(signals)", into: room)
            }
            #expect(outcome == Self.answer("true, seen 0, signals 0"))
        }

        @Test("a copy has no descriptors but the standard ones, and the host keeps its own")
        func descriptors() throws {
            let descriptor = FileDescriptor(taking: dup(0))
            let raw = descriptor.raw
            try #require(raw > 2)
            let outcome = FrozenCopy.ask(capacity: 64, until: Self.soon) { room in
                Self.write("open: \(fcntl(raw, F_GETFD) >= 0)", into: room)
            }
            #expect(outcome == Self.answer("open: false"))
            #expect(fcntl(descriptor.raw, F_GETFD) >= 0)
        }

        @Test("the signals that the calling thread has blocked are as before")
        func mask() {
            var before = sigset_t()
            var after = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &before)
            _ = FrozenCopy.ask(capacity: 64, until: Self.soon) { _ in 0 }
            pthread_sigmask(SIG_SETMASK, nil, &after)
            for signal in 1..<32 as Range<Int32> {
                #expect(sigismember(&before, signal) == sigismember(&after, signal))
            }
        }

        @Test(
            "copies of a process whose threads allocate without pause answer",
            .disabled(if: Sanitizer.watchesThreads))
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
            for _ in 0..<100 {
                let outcome = FrozenCopy.ask(capacity: 1 << 20, until: Self.soon) { room in
                    let parts = (0..<100).map { String(repeating: "x", count: $0 * 40) }
                    return parts.joined().utf8.count == 198_000 ? Self.write("ok", into: room) : nil
                }
                #expect(outcome == Self.answer("ok"))
            }
        }
    }
#endif
