#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import Testing

/// Potential wakers of a wait, if a search of the memory has found the threads that reach it.
struct HopeTests {
    @Test("a wait that nothing reaches is stuck, whatever else moves", arguments: hopeless)
    func nothing(_ made: DiagnosisCase) { made.check() }

    @Test("a wait that something alive reaches waits long", arguments: hopeful)
    func something(_ made: DiagnosisCase) { made.check() }

    @Test("hope excuses no server for ever", arguments: servers)
    func server(_ made: DiagnosisCase) { made.check() }

    @Test("what one thing alone could end waits for that one", arguments: cycles)
    func cycle(_ made: DiagnosisCase) { made.check() }

    @Test(
        "that nobody resumes a task is never said while a thread stands in that resume",
        arguments: [true, false])
    func resuming(isIn: Bool) {
        var process = MadeProcess()
        process.task("fetch", .continuation)
        process.window = 20
        process.thread(12, .semaphore("s"), isResuming: isIn)
        process.holders(.semaphore(process.at("s")))
        process.holders(.continuation(task: process.at("task fetch")), .thread(12))
        #expect(process.answer.verdict == .blocked)
        #expect(process.screen.contains("thread 12 waits for semaphore"))
        #expect(process.screen.contains("thread 12 (which is resuming it)") == isIn)
        #expect(process.screen.contains("nobody resumes") != isIn)
    }

    @Test("a task whose own thread waits is not the one that could end that wait")
    func ownTask() {
        var process = MadeProcess()
        process.thread(12, .semaphore("s"), task: "blocked", unmovedFor: 20)
        process.task("blocked", .runs)
        process.task("group", .children(["blocked", "ticker"]))
        process.task("ticker", .sleeps)
        process.window = 20
        process.holders(
            .semaphore(process.at("s")), .thread(12), .task(process.at("task blocked")),
            .task(process.at("task group")))
        #expect(process.screen.contains("group could still wake it"), "\(process.screen)")
        #expect(!process.screen.contains("blocked could"), "\(process.screen)")
    }

    private static let stuck = "queue photos: thread 11 waits for semaphore 0x1000"

    /// A queue's item waits for a semaphore, with another item behind; and a client may connect.
    private static func bridge(
        _ process: inout MadeProcess, for seconds: Double = 12
    ) -> WaitTarget {
        let semaphore = process.at("s")
        process.thread(11, .semaphore("s"), on: "photos", unmovedFor: seconds)
        process.items("photos", "next()")
        process.now { $0.sockets?.listening = 1 }
        return .semaphore(semaphore)
    }

    private static let hopeless = [
        DiagnosisCase("a semaphore that nothing holds", .stuck(stuck, ["no owner", "next()"])) {
            $0.holders(bridge(&$0))
        },
        DiagnosisCase("one that a cancelled timer holds", .stuck(stuck)) {
            let target = bridge(&$0)
            $0.timer()
            $0.now { $0.timers[0].isCancelled = true }
            $0.holders(target, .timer($0.at("timer 0")))
        },
        DiagnosisCase(
            "one that only the handler of its own waiter's event loop would signal", .stuck(stuck)
        ) {
            let target = bridge(&$0)
            $0.epoll(5, threads: [11])
            $0.holders(target, .event(epoll: 5, descriptor: 7))
        },
        DiagnosisCase("one that an idle worker has on its stack", .stuck(stuck)) {
            $0.thread(12, .idle)
            $0.holders(bridge(&$0), .thread(12))
        },
        DiagnosisCase(
            "jobs of the main actor, whose queue a thread of Dispatch drains that waits for them",
            .stuck("queue main: thread 11 waits for semaphore 0x1000")
        ) {
            let semaphore = $0.at("s")
            // After `dispatchMain()`.
            $0.thread(10, .idle, name: "main", isMain: true)
            $0.thread(11, .semaphore("s"), on: "main")
            $0.items("main", "next()")
            $0.task("one", .turn("executor"))
            $0.task("two", .turn("executor"))
            let executor = $0.at("executor")
            $0.now { $0.executors[executor] = "MainActor" }
            $0.holders(
                .semaphore(semaphore), .task($0.at("task one")), .task($0.at("task two")))
        },
        DiagnosisCase(
            "a lost continuation of a task for which nobody waits",
            .stuck(
                "task #1 fetch waits for a continuation that nobody resumes",
                ["nothing in the process holds what could resume it", "Photos.swift:30"])
        ) {
            $0.task("fetch", .continuation)
            $0.task("tick", .sleeps)
            $0.thread(11, .runs)
            $0.holders(.continuation(task: $0.at("task fetch")))
        },
        DiagnosisCase(
            "a lost continuation while others move, with a task behind",
            .stuck(
                "task #1 fetch waits for a continuation that nobody resumes",
                ["awaits task #1 fetch"])
        ) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.task("tick", .sleeps)
            $0.timer(again: 1)
            $0.holders(.continuation(task: $0.at("task fetch")))
        },
    ]

    private static func may(_ by: String) -> [String] { [by, " could still wake "] }

    private static let hopeful = [
        DiagnosisCase("a timer", .waits(stuck, may("a timer that refers to it"))) {
            let target = bridge(&$0)
            $0.timer(again: 1)
            $0.holders(target, .timer($0.at("timer 0")))
        },
        DiagnosisCase(
            "a source",
            .waits(stuck, may("a dispatch source that refers to it and watches descriptor 7"))
        ) {
            $0.holders(bridge(&$0), .source(0x9000, watches: "descriptor 7"))
        },
        DiagnosisCase(
            "an item of a queue that moves", .waits(stuck, may("an item waiting on q"))
        ) {
            let target = bridge(&$0)
            $0.items("q", "signal()")
            $0.earlier { $0.queues.removeAll { $0.label == "q" } }
            $0.holders(target, .item(queue: $0.at("q")))
        },
        DiagnosisCase("one of two threads in read", .waits(stuck, may("thread 12 (in read)"))) {
            let target = bridge(&$0)
            $0.thread(12, .event("read"))
            $0.holders(target, .thread(12), .thread(99))
        },
        DiagnosisCase(
            "a thread in read that alone could signal it, which then is what the others wait for",
            .waits(
                "thread 12 waits for input or output in read", ["next()", "continues by itself"])
        ) {
            let target = bridge(&$0)
            $0.thread(12, .event("read"))
            $0.holders(target, .thread(12))
        },
        DiagnosisCase("a task that sleeps", .waits(stuck, may("task #1 tick"))) {
            let target = bridge(&$0)
            $0.task("tick", .sleeps)
            $0.holders(target, .task($0.at("task tick")))
        },
        DiagnosisCase(
            "a global variable",
            .waits(stuck, may("code that reads Pool.slots, which holds it,"))
        ) {
            $0.holders(bridge(&$0), .global(0x9000, name: "Pool.slots"))
        },
        DiagnosisCase(
            "an object of which no more is known", .waits(stuck, may("code that uses the Cache"))
        ) {
            $0.holders(bridge(&$0), .object(0x9000, type: "Cache"))
        },
        DiagnosisCase(
            "a thread that has come since the picture", .waits(stuck, may("something unknown"))
        ) {
            $0.holders(bridge(&$0), .thread(99))
        },
        DiagnosisCase("a task that has", .waits(stuck, may("something unknown"))) {
            let target = bridge(&$0)
            $0.holders(target, .task($0.at("task new")))
        },
        DiagnosisCase("a search that did not end", .waits(stuck, may("something unknown"))) {
            $0.holders(bridge(&$0), isWhole: false)
        },
        DiagnosisCase(
            "an event of an epoll on which a thread waits",
            .waits(stuck, may("an event on descriptor 7 (its epoll_data in epoll 5 leads to it)"))
        ) {
            let target = bridge(&$0)
            $0.epoll(5, waiting: [12])
            $0.holders(target, .event(epoll: 5, descriptor: 7))
        },
        DiagnosisCase(
            "an event of an epoll on which no thread was seen waiting",
            .waits(stuck, may("an event on descriptor 7"))
        ) {
            $0.holders(bridge(&$0), .event(epoll: 5, descriptor: 7))
        },
        DiagnosisCase(
            "a ring of which the kernel shows no request",
            .waits(stuck, may("a completion of io_uring 9"))
        ) {
            $0.holders(bridge(&$0))
            $0.now { $0.opaqueRoots = [.ring(descriptor: 9)] }
        },
        DiagnosisCase("a timer of timer_create", .waits(stuck, may("a POSIX timer"))) {
            $0.holders(bridge(&$0))
            $0.now { $0.opaqueRoots = [.processTimers(count: 1)] }
        },
        DiagnosisCase(
            "a context of io_setup", .waits(stuck, may("a completion of asynchronous I/O"))
        ) {
            $0.holders(bridge(&$0))
            $0.now { $0.opaqueRoots = [.asyncContexts] }
        },
        DiagnosisCase(
            "memory that can't be read for the moment",
            .waits(stuck, may("code that uses memory without access (PROT_NONE: 4 KiB"))
        ) {
            $0.holders(bridge(&$0))
            $0.now { $0.opaqueRoots = [.unreadableMemory(bytes: 4096)] }
        },
        DiagnosisCase(
            "more descriptors than are read",
            .waits(stuck, may("an event on an epoll (with 20,000"))
        ) {
            $0.holders(bridge(&$0))
            $0.now { $0.opaqueRoots = [.epolls(descriptors: 20_000)] }
        },
        DiagnosisCase(
            "a lost continuation beside a ring",
            .waits("task #1 fetch waits for a continuation", may("a completion of io_uring 9"))
        ) {
            $0.task("fetch", .continuation)
            $0.window = 20
            $0.holders(.continuation(task: $0.at("task fetch")))
            $0.now { $0.opaqueRoots = [.ring(descriptor: 9)] }
        },
        DiagnosisCase(
            "two that only each other could wake, beside a timer of timer_create",
            .waits(stuck, may("a POSIX timer"))
        ) {
            let target = bridge(&$0)
            let other = $0.at("t")
            $0.thread(12, .semaphore("t"))
            $0.holders(target, .thread(12))
            $0.holders(.semaphore(other), .thread(11))
            $0.now { $0.opaqueRoots = [.processTimers(count: 1)] }
        },
        DiagnosisCase(
            "a bridge to async work under way is busy at first",
            .healthy([
                "photos is busy: thread 11 waits for semaphore 0x1000 in work() Photos.swift:11"
            ])
        ) {
            let target = bridge(&$0, for: 4)
            $0.task("tick", .sleeps)
            $0.holders(target, .task($0.at("task tick")))
        },
        DiagnosisCase("a continuation that a timer will resume is idle", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.timer()
            $0.window = 20
            $0.holders(
                .continuation(task: $0.at("task fetch")), .timer($0.at("timer 0")))
        },
        DiagnosisCase(
            "a continuation that an object holds, with a task behind",
            .waits(
                "task #1 fetch waits for a continuation",
                ["code that uses the Waiters holding it", "awaits task #1 fetch"])
        ) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.window = 20
            $0.holders(
                .continuation(task: $0.at("task fetch")), .object(0x9000, type: "Waiters"))
        },
    ]

    private static let servers = [
        DiagnosisCase(
            "a registered queue that waits for a timer for 31 seconds",
            .stuck(stuck, may("a timer"))
        ) {
            let target = bridge(&$0, for: 31)
            let photos = $0.at("photos")
            $0.now { $0.owners = [photos] }
            $0.timer()
            $0.holders(target, .timer($0.at("timer 0")))
        },
        DiagnosisCase("the same for 20 seconds", .waits(stuck, may("a timer"))) {
            let target = bridge(&$0, for: 20)
            let photos = $0.at("photos")
            $0.now { $0.owners = [photos] }
            $0.timer()
            $0.holders(target, .timer($0.at("timer 0")))
        },
        DiagnosisCase(
            "the main thread with work queued",
            .stuck(
                "queue main: thread 10 (main) waits for semaphore 0x1000",
                ["the main thread is blocked"])
        ) {
            let semaphore = $0.at("s")
            $0.thread(10, .semaphore("s"), on: "main", isMain: true, unmovedFor: 31)
            $0.items("main", "redraw()")
            $0.timer()
            $0.holders(.semaphore(semaphore), .timer($0.at("timer 0")))
        },
    ]

    private static let cycles = [
        DiagnosisCase(
            "a semaphore that only a thread could signal which waits for the queue",
            .deadlock("photos -> semaphore 0x1000 -> thread 12 -> photos")
        ) {
            let target = bridge(&$0)
            $0.thread(12, .sync("photos"))
            $0.holders(target, .thread(12))
        },
        DiagnosisCase(
            "lock, actor, queue, lock: a semaphore bridges to the task that waits for the actor",
            .deadlock(
                "cache -> lock 0x2000 -> thread 11 -> semaphore 0x1000 -> task #1 fetch -> "
                    + "actor Store -> task #2 load -> cache")
        ) {
            _ = ($0.at("s"), $0.at("l"))
            $0.thread(11, .semaphore("s"), in: "holdLock()")
            $0.task("fetch", .turn("Store"))
            $0.task("load", .runs)
            $0.actor("Store", .running, jobs: "fetch")
            $0.thread(12, .sync("cache"), task: "load", executor: "Store")
            $0.thread(13, .lock("l", holder: 11), on: "cache")
            $0.holders(.semaphore($0.at("s")), .task($0.at("task fetch")))
        },
        DiagnosisCase("two that only each other could wake", .stuck(stuck)) {
            let target = bridge(&$0)
            let other = $0.at("t")
            $0.thread(12, .semaphore("t"))
            $0.thread(13, .idle)
            $0.holders(target, .thread(12), .thread(13))
            $0.holders(.semaphore(other), .thread(11), .thread(13))
        },
    ]
}
#endif
