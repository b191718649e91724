#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
@testable import TelltaleProtocol
import Testing

/// `doctor` on circles that only functions show, on late queues, and on what grows.
struct DoctorCircleTests {
    private static let once = "swift::threading_impl::once_slow(swift::threading_impl::once_t&)"

    /// Has a thread make one lazy value while it needs another.
    private static func needs(
        _ made: inout MadeProcess, _ id: Int32, _ wanted: String, makes value: String
    ) {
        made.thread(id, .runs, in: nil)
        made.now { picture in
            let names = [
                once, "\(wanted).unsafeMutableAddressor", "make()", once,
                "\(value).unsafeMutableAddressor",
            ]
            picture.threads[picture.threads.count - 1].stack = names.map {
                MadeProcess.frame($0, $0 == once ? nil : Int(id))
            }
        }
    }

    @Test("lazy values whose initialisers need each other are a deadlock")
    func initialisers() {
        var made = MadeProcess()
        Self.needs(&made, 20, "Right.value", makes: "Left.value")
        Self.needs(&made, 21, "Left.value", makes: "Right.value")
        let screen = made.doctorsScreen
        #expect(
            screen.contains("DEADLOCK     Right.value -> Left.value -> Right.value"), "\(screen)")
        #expect(made.doctor.isIll)
        var apart = MadeProcess()
        Self.needs(&apart, 20, "Right.value", makes: "Left.value")
        Self.needs(&apart, 21, "Left.value", makes: "Other.value")
        #expect(!apart.doctor.isIll, "\(apart.doctorsScreen)")
        // A thread in the initialiser of the innermost value makes it, and waits for nothing.
        var making = made
        making.now { $0.threads[1].stack.insert(MadeProcess.frame("make()", 9), at: 0) }
        #expect(!making.doctor.isIll, "\(making.doctorsScreen)")
    }

    @Test("stuck and a probe see it too")
    func stuckSeesInitialisers() {
        var made = MadeProcess()
        Self.needs(&made, 20, "Right.value", makes: "Left.value")
        Self.needs(&made, 21, "Left.value", makes: "Right.value")
        #expect(made.answer.verdict == .deadlock)
        #expect(!made.isHealthyAtOnce)
        var moved = made
        moved.earlier { $0.threads[0].stack = [] }
        #expect(moved.answer.verdict == .healthy)
    }

    /// A reader that wants a lock again, and a writer in between.
    private static func reads(again: Bool) -> MadeProcess {
        var made = MadeProcess()
        made.thread(20, .lock("routes", holder: nil), in: "count()")
        made.thread(21, .lock("routes", holder: nil), in: "change()")
        made.now { picture in
            for (index, call) in ["pthread_rwlock_rdlock", "pthread_rwlock_wrlock"].enumerated() {
                var frame = MadeProcess.frame(call, nil)
                frame.symbol = call
                picture.threads[index].stack.insert(frame, at: 0)
            }
            let outer = [again ? "count()" : "other()", "describe()"]
            picture.threads[0].stack += outer.map { MadeProcess.frame($0, 50) }
        }
        return made
    }

    @Test("a reader that wants its lock again behind a writer is a deadlock")
    func readsAgain() {
        let screen = Self.reads(again: true).doctorsScreen
        #expect(
            screen.contains(
                "for reading since describe() and wants it again in describe() Photos.swift:50, behind "
                    + "thread 21"),
            "\(screen)")
        #expect(Self.reads(again: true).doctor.isIll)
        #expect(!Self.reads(again: false).doctor.isIll)
        // Its two calls may be of two locks, and a third thread the reader for which the writer waits.
        var third = Self.reads(again: true)
        third.thread(22, .sleeps, in: "count()")
        #expect(!third.doctor.isIll, "\(third.doctorsScreen)")
    }

    @Test("an event loop that never takes what is ready uses a core for nothing")
    func readyNeverTaken() {
        func made(_ ready: Int, before: Int, reads: UInt64 = 0) -> MadeProcess {
            var made = MadeProcess()
            made.thread(20, .runs, in: "Server.turn()")
            made.epoll(7, threads: [20])
            made.now {
                $0.threads[0].processorTime = .seconds(2)
                $0.eventLoops[0].isReadable = true
                $0.eventLoops[0].ready = [.init(descriptor: 17, kind: .socket, unread: ready)]
            }
            made.earlier {
                $0.threads[0].processorTime = .seconds(1)
                $0.eventLoops[0].ready = [.init(descriptor: 17, kind: .socket, unread: before)]
            }
            made.earlierBorder { $0.uses[20] = .init(transfers: 50, seconds: 1) }
            made.border {
                $0.uses = [20: .init(transfers: 50 + reads, seconds: 1.5)]
                $0.descriptors = [
                    .init(
                        number: 17, kind: "socket", name: "tcp 127.0.0.1:80 - 127.0.0.1:999",
                        file: .init(device: 2, inode: 3))
                ]
            }
            return made
        }
        let screen = made(12, before: 12).doctorsScreen
        #expect(
            screen.contains(
                "BUSY         thread 20: 83% of a core; its event loop returns at once: fd 17 (tcp "
                    + "127.0.0.1:80 - 127.0.0.1:999) is ready and is never read"), "\(screen)")
        #expect(made(12, before: 12).doctor.isIll)
        #expect(!made(40, before: 12).doctor.isIll)
        var short = made(12, before: 12)
        short.window = 0.03
        #expect(!short.doctor.isIll)
        // A client sends the same request again and again.
        #expect(!made(12, before: 12, reads: 900).doctor.isIll)
    }

    @Test("an exit whose handler stands still is a fault")
    func exiting() {
        func made(for seconds: Double, hasHope: Bool = true) -> MadeProcess {
            var made = MadeProcess()
            made.thread(20, .semaphore("done"), in: "flush()", unmovedFor: seconds)
            if hasHope {
                made.timer(again: 1)
                made.holders(.semaphore(made.at("done")), .timer(made.at("timer 0")))
            }
            made.now {
                var frame = MadeProcess.frame("__run_exit_handlers", nil)
                frame.symbol = "__run_exit_handlers"
                $0.threads[0].stack.append(frame)
            }
            return made
        }
        let screen = made(for: 12).doctorsScreen
        #expect(
            screen.contains(
                "EXITING      thread 20 is in exit(), which has not ended for at least 12 s"),
            "\(screen)")
        #expect(made(for: 12).doctor.isIll)
        #expect(!made(for: 2).doctor.isIll, "\(made(for: 2).doctorsScreen)")
        // `stuck` accuses it only where nothing is left that could end the wait.
        #expect(!made(for: 12).answer.isStuck)
        let hopeless = made(for: 12, hasHope: false)
        #expect(hopeless.answer.isStuck)
        #expect(
            hopeless.doctor.findings.map(\.word) == ["EXITING"], "\(hopeless.doctorsScreen)")
    }

    @Test("a queue whose head runs while others wait is late, and no fault")
    func late() {
        var made = MadeProcess()
        made.thread(20, .sleeps, on: "mounts", in: "waitUntilMounted()")
        made.items("mounts", "next()", "last()")
        made.moves(20)
        made.earlier { $0.threads[0].processorTime = .seconds(-1) }
        let screen = made.doctorsScreen
        #expect(
            screen.contains(
                "LATE         queue mounts: 2 items wait behind one that has run for at least 1.2 s, and "
                    + "asks again and again with short sleeps, on thread 20 on mounts, in "
                    + "waitUntilMounted() Photos.swift:20"), "\(screen)")
        #expect(!made.doctor.isIll)
    }

    /// Three samples of one class, a second apart.
    private static func samples(_ counts: [Int]) -> [GrowthSample] {
        counts.enumerated().map { second, count in
            var sample = GrowthSample(seconds: Double(second))
            sample.amounts[.heap(1)] = .init(count, bytes: UInt64(count * 48))
            return sample
        }
    }

    @Test(
        "growth needs three points, a rate that doesn't fall, and a hundredth of the whole",
        arguments: [
            ([1000, 1100, 1200], true), ([1000, 1100, 1160], true),
            // A pool that has almost grown to its size, a cache that is full, and some noise.
            ([1000, 1100, 1120], false), ([1000, 1100, 1100], false), ([1000, 1090, 1080], false),
            ([100_000, 100_200, 100_400], false), ([10, 15, 20], false), ([1000, 1200], false),
        ])
    func growth(_ counts: [Int], _ grows: Bool) {
        #expect(Growth.all(in: Self.samples(counts)).isEmpty == !grows, "\(counts)")
    }

    @Test("growth is a suspicion with its rate")
    func growthText() throws {
        var made = MadeProcess()
        made.thread(20, .sleeps)
        let (earlier, later) = made.pictures
        var doctor = Doctor(of: earlier, later, stuck: made.answer)
        let growth = try #require(Growth.all(in: Self.samples([1000, 1100, 1200])).first)
        doctor.add([("Connection", growth)])
        let answer = doctor.answer(of: made.doctor.process)
        #expect(!answer.isIll)
        #expect(
            answer.lines().contains {
                $0.hasPrefix("GROWS        Connection +6,000/min (1,200 now, 56 KiB)")
            }, "\(answer.lines())")
        #expect(answer.next == ["instances 'Connection'"])
        // The wire may have any number.
        var huge = answer
        huge.findings = [
            .init(.grows(what: "x", count: .max, perMinute: 1e300, bytes: .max), .suspicion)
        ]
        #expect(huge.lines().contains { $0.hasPrefix("GROWS        x +1e+300/min") })
        var equal = doctor
        var other = growth
        other.subject = .heap(2)
        equal.add([("Delayed", growth), ("Task", other)])
        let grown = equal.answer(of: made.doctor.process).lines().filter {
            $0.hasPrefix("GROWS")
        }
        #expect(grown.count == 2 && grown[1].hasSuffix("56 KiB); at the same rate: Task"))
        var slow = growth
        slow.seconds = 1200
        slow.holder = "Store.sessions"
        doctor.add([("Session", slow)])
        #expect(
            doctor.answer(of: made.doctor.process).lines().contains {
                $0.hasPrefix(
                    "GROWS        Session +6,000/min for 20m (1,200 now, 56 KiB), held by Store.sessions"
                )
            }, "\(doctor.answer(of: made.doctor.process).lines())")
    }
}
#endif
