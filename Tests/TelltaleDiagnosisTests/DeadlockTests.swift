#if TELLTALE_AGENT
import TelltalePicture
@testable import TelltaleProtocol
import Testing

/// Cycles in who waits for whom, and what looks like one.
struct DeadlockTests {
    @Test("a cycle is a deadlock, whatever it is made of", arguments: cycles)
    func cycle(_ made: DiagnosisCase) { made.check() }

    @Test("what is no cycle is no deadlock", arguments: nearMisses)
    func nearMiss(_ made: DiagnosisCase) { made.check() }

    @Test("fifty pairs of tasks that await each other at the same places are one finding")
    func pairsOfTasks() {
        var made = MadeProcess()
        for number in 0..<50 {
            // Their addresses come in either order, as they do in a process.
            _ = number.isMultiple(of: 2) ? made.at("album \(number)") : made.at("cover \(number)")
            made.task("cover \(number)", .task("album \(number)"), in: "chooseCover()")
            made.task("album \(number)", .task("cover \(number)"), in: "assemble()")
        }
        // Others, which have made another mistake.
        made.task("left", .task("right"), in: "chooseCover()")
        made.task("right", .task("left"), in: "chooseCover()")
        made.task("waiter", .task("album 49"), in: "show()")
        let findings = made.answer.findings
        #expect(findings.map(\.count) == [50, nil], "\(made.screen)")
        #expect(findings[0].parties.count == 2)
        #expect(made.screen.contains("DEADLOCK ×50 "), "\(made.screen)")
        #expect(made.screen.contains("BLOCKED BY IT  task "), "\(made.screen)")
        #expect(made.answer.summary.contains("(and 1 more); 1 task waits"))
    }

    @Test("deadlocks of queues of different names are each said; those of one name are counted")
    func pairsOfQueues() {
        var made = MadeProcess()
        for number in Int32(0)..<3 {
            made.thread(
                11 + number * 2, .lock("a\(number)", holder: 12 + number * 2), on: "photos",
                in: "add()", line: 3)
            made.thread(
                12 + number * 2, .lock("b\(number)", holder: 11 + number * 2), in: "show()", line: 4
            )
            made.thread(
                31 + number * 2, .sync("to\(number)"), on: "from\(number)", in: "add()", line: 3)
            made.thread(
                32 + number * 2, .sync("from\(number)"), on: "to\(number)", in: "show()", line: 4)
        }
        let findings = made.answer.findings
        #expect(findings.map { $0.count ?? 1 }.sorted() == [1, 1, 1, 3], "\(made.screen)")
        #expect(findings.allSatisfy { $0.parties.count == 2 })
    }

    @Test("of more deadlocks than are shown those that are alike are counted all the same")
    func manyPairs() {
        var made = MadeProcess()
        for number in 0..<2_000 {
            made.task("cover \(number)", .task("album \(number)"), in: "chooseCover()")
            made.task("album \(number)", .task("cover \(number)"), in: "assemble()")
        }
        #expect(made.answer.findings.map(\.count) == [1_000])
    }

    private static let cycles = [
        DiagnosisCase(
            "two queues sync onto each other",
            .deadlock(
                "downloads -> photos -> downloads",
                [
                    "add() ", "Photos.swift:11", "download()", "sync to photos",
                    "BLOCKED BY IT  1 item",
                ])
        ) {
            $0.thread(11, .sync("downloads"), on: "photos", in: "add()")
            $0.thread(12, .sync("photos"), on: "downloads", in: "download()")
            $0.items("photos", "read()")
        },
        DiagnosisCase(
            "a queue syncs onto itself",
            .deadlock("photos -> photos", ["barrier sync to photos", "Photos.swift:11"])
        ) {
            $0.queue("photos") {
                $0.kind = .concurrent
                $0.width = 4094
                $0.hasPendingBarrier = true
            }
            $0.thread(11, .sync("photos"), on: "photos")
            $0.queue("photos") { $0.items[0].isBarrier = true }
        },
        DiagnosisCase(
            "main waits for a queue that waits for main: main comes first",
            .deadlock("main -> photos -> main", ["the main thread is blocked", "Photos.swift:10"])
        ) {
            $0.thread(10, .sync("photos"), on: "main", isMain: true)
            $0.thread(9, .sync("main"), on: "photos")
        },
        DiagnosisCase(
            "main waits for a queue that waits for a lock that main holds",
            .deadlock("main -> photos -> lock 0x1000 -> main", ["held by the main thread"])
        ) {
            _ = $0.at("lock")
            $0.thread(10, .sync("photos"), isMain: true)
            $0.thread(11, .lock("lock", holder: 10), on: "photos")
        },
        DiagnosisCase(
            "two locks are taken in two orders",
            .deadlock(
                "downloads -> lock 0x2000 -> photos -> lock 0x1000 -> downloads",
                ["waits for lock 0x1000, held by thread 12"])
        ) {
            _ = ($0.at("a"), $0.at("b"))
            $0.thread(12, .lock("b", holder: 11), on: "downloads")
            $0.thread(11, .lock("a", holder: 12), on: "photos")
        },
        DiagnosisCase(
            "two Mutexes are taken in two orders by threads of no queue",
            .deadlock("thread 11 -> Mutex 0x1000 -> thread 12 -> Mutex 0x2000 -> thread 11")
        ) {
            _ = ($0.at("a"), $0.at("b"))
            $0.thread(11, .mutex("a", holder: 12))
            $0.thread(12, .mutex("b", holder: 11))
        },
        DiagnosisCase(
            "a lock is taken twice by one thread",
            .deadlock("photos -> lock 0x1000 -> photos")
        ) {
            _ = $0.at("a")
            $0.thread(11, .lock("a", holder: 11), on: "photos")
        },
        DiagnosisCase(
            "a queue waits for a lock, whose holder syncs onto the queue",
            .deadlock("photos -> lock 0x1000 -> thread 12 -> photos", ["sync to photos"])
        ) {
            _ = $0.at("lock")
            $0.thread(11, .lock("lock", holder: 12), on: "photos")
            $0.thread(12, .sync("photos"))
        },
        DiagnosisCase(
            "three queues in a ring",
            .deadlock(
                "a -> b -> c -> a", ["Photos.swift:11", "Photos.swift:12", "Photos.swift:13"])
        ) {
            $0.thread(11, .sync("b"), on: "a")
            $0.thread(12, .sync("c"), on: "b")
            $0.thread(13, .sync("a"), on: "c")
        },
        DiagnosisCase(
            "two threads join each other", .deadlock("thread 11 -> thread 12 -> thread 11")
        ) {
            $0.thread(11, .join(12))
            $0.thread(12, .join(11))
        },
        DiagnosisCase(
            "a barrier waits for a reader that syncs onto the queue of the barrier's thread",
            .deadlock("cache -> photos -> cache")
        ) {
            $0.queue("photos") {
                $0.kind = .concurrent; $0.width = 4094; $0.hasPendingBarrier = true
            }
            $0.thread(11, .sync("cache"), on: "photos")
            $0.thread(12, .sync("photos"), on: "cache")
        },
        DiagnosisCase(
            "two tasks await each other",
            .deadlock(
                "task #1 cover -> task #2 album -> task #1 cover",
                ["awaits task #2 album", "chooseCover()", "at least 1.2 s"])
        ) {
            $0.task("cover", .task("album"), in: "chooseCover()")
            $0.task("album", .task("cover"), in: "assemble()")
            $0.now { $0.sockets = nil }
        },
        DiagnosisCase(
            "a task awaits a child that awaits it",
            .deadlock("task #1 parent -> task #2 child -> task #1 parent")
        ) {
            $0.task("parent", .children(["child"]))
            $0.task("child", .task("parent"))
        },
        DiagnosisCase(
            "a thread of an actor waits for a queue, on which a thread waits for the actor's lock",
            .deadlock("photos -> Mutex 0x1000 -> task #1 refresh -> photos")
        ) {
            _ = $0.at("lock")
            $0.thread(11, .sync("photos"), task: "refresh", executor: "Store")
            $0.thread(12, .mutex("lock", holder: 11), on: "photos")
            $0.task("refresh", .runs)
        },
        DiagnosisCase(
            "two operations depend on each other",
            .deadlock("operation a -> operation b -> operation a")
        ) {
            $0.operation("a", .waiting, after: "b")
            $0.operation("b", .waiting, after: "a")
        },
        DiagnosisCase(
            "an operation waits for itself, in a queue of which nothing is known",
            .deadlock(
                "thread 11 -> operation Import -> thread 11", ["waits for operation Import"])
        ) {
            $0.thread(11, .operations)
            $0.ownOperation(of: 11, "Import")
        },
        DiagnosisCase(
            "an operation waits for one that is behind it in a queue of one",
            .deadlock("thread 11 -> operation part -> operation Import -> thread 11")
        ) {
            $0.thread(11, .operations)
            $0.ownOperation(of: 11, "Import", waitsFor: "part")
        },
        DiagnosisCase(
            "a timer and a client who may connect are no hope for a cycle",
            .deadlock("a -> b -> a")
        ) {
            $0.thread(11, .sync("b"), on: "a")
            $0.thread(12, .sync("a"), on: "b")
            $0.timer()
            $0.now { $0.sockets?.listening = 1 }
        },
    ]

    private static let nearMisses = [
        DiagnosisCase("a lock that is handed on between the pictures", .healthy()) {
            $0.thread(11, .lock("a", holder: 12), on: "photos")
            $0.thread(12, .lock("b", holder: 11))
            $0.moves(11, 12)
        },
        DiagnosisCase(
            "a cycle of which one thread has run",
            .healthy(["photos is busy: thread 11 sync to downloads in work() Photos.swift:11"])
        ) {
            $0.thread(11, .sync("downloads"), on: "photos")
            $0.thread(12, .sync("photos"), on: "downloads")
            $0.moves(11)
        },
        DiagnosisCase(
            "a cycle through a timed wait, which will end",
            .healthy(["photos is busy: thread 11 is in a timed wait in work() Photos.swift:11"])
        ) {
            $0.thread(11, .sleeps, on: "photos", unmovedFor: 3)
            $0.thread(12, .sync("photos"), on: "downloads")
        },
        DiagnosisCase(
            "a chain that ends in a thread that computes",
            .healthy(["c is busy: thread 13 runs in work() Photos.swift:13"])
        ) {
            $0.thread(11, .sync("b"), on: "a")
            $0.thread(12, .sync("c"), on: "b")
            $0.thread(13, .runs, on: "c")
        },
        DiagnosisCase(
            "a lock whose holder can't be read closes no cycle",
            .waits(
                "queue photos: thread 11 waits for lock 0x1000, whose holder isn't known",
                ["waits for lock"])
        ) {
            _ = $0.at("a")
            $0.thread(11, .lock("a", holder: nil), on: "photos")
            $0.thread(12, .sync("photos"))
        },
        DiagnosisCase("readers of a concurrent queue without a barrier", .healthy()) {
            $0.queue("photos") {
                $0.kind = .concurrent; $0.width = 4094
            }
            $0.thread(11, .runs, on: "photos")
            $0.thread(12, .runs, on: "photos")
        },
        DiagnosisCase("tasks that await each other in a chain", .healthy()) {
            $0.task("a", .task("b"))
            $0.task("b", .task("c"))
            $0.task("c", .sleeps)
        },
    ]
}
#endif
