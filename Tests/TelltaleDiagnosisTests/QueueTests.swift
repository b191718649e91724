#if TELLTALE_AGENT
import TelltalePicture
import Testing

/// Suspended queues, exhausted pools, and queues whose holder is slow.
struct QueueTests {
    @Test("a suspended queue is a finding where something waits for it", arguments: suspensions)
    func suspended(_ made: DiagnosisCase) { made.check() }

    @Test("a pool is exhausted where each of its threads is blocked by others", arguments: pools)
    func pool(_ made: DiagnosisCase) { made.check() }

    @Test("a slow holder is a finding when its time is over", arguments: slowHolders)
    func slow(_ made: DiagnosisCase) { made.check() }

    private static let suspensions = [
        DiagnosisCase(
            "a suspended queue with an item and a thread that waits for it",
            .waits(
                "queue photos is suspended, 2 items wait",
                ["add()", "Photos.swift:40", "until it calls resume()\n"])
        ) {
            $0.items("photos", "add()")
            $0.queue("photos") { $0.suspendCount = 1 }
            $0.thread(12, .sync("photos"))
        },
        DiagnosisCase(
            "a queue that was suspended three times",
            .waits(
                "queue photos is suspended 3 times, 1 item waits", ["resume() as often"])
        ) {
            $0.items("photos", "add()")
            $0.queue("photos") { $0.suspendCount = 3 }
        },
        DiagnosisCase(
            "a queue that a client of the agent has suspended",
            .waits("queue photos is suspended, 1 item waits", ["a client's `suspend` holds it"])
        ) {
            $0.items("photos", "add()")
            $0.queue("photos") { $0.suspendCount = 1 }
            let photos = $0.at("photos")
            $0.now { $0.heldByClients = [photos] }
        },
        DiagnosisCase(
            "a queue that was never activated",
            .waits("queue photos was never activated, 1 item waits", ["activate()"])
        ) {
            $0.items("photos", "add()")
            $0.queue("photos") { $0.isInactive = true }
        },
        DiagnosisCase(
            "a suspended queue without items",
            .healthy(["photos is suspended (the service called suspend), and nothing waits for it"])
        ) { $0.queue("photos") { $0.suspendCount = 1 } },
        DiagnosisCase(
            "a suspended queue for which only the agent waits",
            .healthy(["photos is suspended (the service called suspend), and nothing waits for it"])
        ) {
            $0.queue("photos") { $0.suspendCount = 1 }
            $0.thread(21, .sync("photos"), isAgent: true)
        },
        DiagnosisCase("a suspended queue that was resumed once meanwhile", .healthy()) {
            $0.items("photos", "add()")
            $0.queue("photos") { $0.suspendCount = 1 }
            $0.earlier { $0.queues[0].suspendCount = 2 }
        },
        DiagnosisCase(
            "a queue that was suspended before anybody looked",
            .waits("queue photos is suspended, 1 item waits", ["at least 150 ms"])
        ) {
            $0.items("photos", "add()")
            $0.queue("photos") { $0.suspendCount = 1 }
            $0.window = 0.15
        },
        DiagnosisCase("an item that has only just come to a suspended queue", .healthy()) {
            $0.items("photos", "add()")
            $0.queue("photos") { $0.suspendCount = 1 }
            $0.earlier { $0.queues[0].items = [] }
        },
        DiagnosisCase("a queue of Dispatch's own that Dispatch has suspended", .healthy()) {
            $0.queue("closeq") {
                $0.suspendCount = 1
                $0.isDispatchsOwn = true
            }
            $0.items("closeq", "a()")
        },
        DiagnosisCase("an idle queue", .healthy()) { $0.queue("photos") },
    ]

    private static let root = "com.apple.root.default-qos"

    private static let pools = [
        DiagnosisCase(
            "a root queue whose threads all wait for a semaphore",
            .stuck(
                "\(root): all 4 threads are blocked, 3 items wait",
                ["4 threads, one is 11", "fetch()", "no thread is left"])
        ) {
            $0.pool(root, threads: 11...14, .semaphore("slots"))
            $0.items(root, "a()", "b()", "c()")
        },
        DiagnosisCase(
            "the only thread of the pool of Swift concurrency",
            .stuck("Swift global concurrent queue: its only thread is blocked, 1 item waits")
        ) {
            $0.swiftPool(threads: 1)
            $0.thread(11, .semaphore("s"), on: "Swift global concurrent queue", task: "a")
            $0.items("Swift global concurrent queue", "job()")
        },
        DiagnosisCase(
            "a queue that waits for a thread of an exhausted pool",
            .stuck("\(root): all 2 threads are blocked, 1 item waits", ["BLOCKED BY IT  1 item"])
        ) {
            $0.pool(root, threads: 11...12, .condition("model"))
            $0.items("photos", "add()")
            let pool = $0.at(root)
            $0.queue("photos") { $0.target = pool }
        },
        DiagnosisCase(
            "a timer is no hope for a pool with work",
            .stuck("\(root): all 2 threads are blocked, 1 item waits")
        ) {
            $0.pool(root, threads: 11...12, .semaphore("slots"))
            $0.items(root, "a()")
            $0.queue(root) { $0.oldestWait = .seconds(11) }
            $0.timer()
        },
        DiagnosisCase(
            "a pool to which Dispatch adds a thread a second, each of which blocks at once",
            .stuck("\(root): all 13 threads are blocked, 1 item waits", ["at least 12.3 s"])
        ) {
            $0.pool(root, threads: 11...23, .semaphore("slots"))
            $0.items(root, "a()")
            $0.timer()
            $0.grows(11...23, every: 1, last: 0.3)
        },
        DiagnosisCase(
            "the same while the next thread begins",
            .stuck("\(root): all 13 threads are blocked, 1 item waits", ["at least 12.8 s"])
        ) {
            $0.pool(root, threads: 11...23, .semaphore("slots"))
            $0.items(root, "a()")
            $0.timer()
            $0.grows(11...23, every: 1, last: 0.8)
            $0.thread(24, .runs, in: "b()", name: String(root.suffix(15)))
            $0.now { $0.threads[13].age = 0.1 }
            $0.earlier { $0.threads.removeLast() }
        },
        DiagnosisCase(
            "the same before its time is over",
            .waits("\(root): all 5 threads are blocked, 1 item waits", ["at least 4.3 s"])
        ) {
            $0.pool(root, threads: 11...15, .semaphore("slots"))
            $0.items(root, "a()")
            $0.timer()
            $0.grows(11...15, every: 1, last: 0.3)
        },
        DiagnosisCase(
            "an item that has just come to threads that have waited for an hour: it gets a new one",
            .healthy()
        ) {
            $0.pool(root, threads: 11...12, .semaphore("slots"))
            $0.items(root, "a()")
            $0.timer()
            $0.grows(11...12, every: 0, last: 3600)
            $0.window = 0.05
        },
        DiagnosisCase(
            "threads that were added over hours, and one that has just been", .healthy()
        ) {
            $0.pool(root, threads: 11...14, .semaphore("slots"))
            $0.items(root, "a()")
            $0.timer()
            $0.grows(11...14, every: 600, last: 0.3)
            $0.window = 0.05
        },
        DiagnosisCase(
            "a pool that grows, and of which one thread has come back in that time",
            .waits("\(root): all 13 threads are blocked, 1 item waits", ["at least 2 s"])
        ) {
            $0.pool(root, threads: 11...23, .semaphore("slots"))
            $0.items(root, "a()")
            $0.timer()
            $0.grows(11...23, every: 1, last: 0.3)
            $0.now { $0.threads[2].offCPUFor = 2 }
        },
        DiagnosisCase("a pool with one thread that may come free", .healthy()) {
            $0.pool(root, threads: 11...11, .semaphore("slots"))
            $0.thread(12, .runs, in: "b()", name: String(root.suffix(15)))
            $0.items(root, "c()")
        },
        DiagnosisCase(
            "a pool whose last thread accepts connections, and hands them to the others",
            .stuck("\(root): all 2 threads are blocked, 1 item waits", ["could still wake"])
        ) {
            $0.pool(root, threads: 11...11, .semaphore("slots"))
            $0.thread(12, .event("accept"), in: "listen()", name: String(root.suffix(15)))
            $0.items(root, "c()")
            $0.queue(root) { $0.oldestWait = .seconds(11) }
            $0.now { $0.sockets?.listening = 1 }
        },
        DiagnosisCase(
            "a pool with one thread that has been in read for three seconds",
            .waits("\(root): all 2 threads are blocked, 1 item waits")
        ) {
            $0.pool(root, threads: 11...11, .semaphore("slots"))
            $0.thread(
                12, .event("read"), in: "b()", name: String(root.suffix(15)), unmovedFor: 3)
            $0.items(root, "c()")
        },
        DiagnosisCase(
            "a pool whose threads sleep: each will wake",
            .waits("\(root): all 2 threads are blocked, 1 item waits")
        ) {
            $0.pool(root, threads: 11...12, .sleeps)
            $0.items(root, "c()")
        },
        DiagnosisCase("a blocked pool without work", .healthy()) {
            $0.pool(root, threads: 11...14, .semaphore("slots"))
        },
        DiagnosisCase("a pool of which one thread has run", .healthy()) {
            $0.pool(root, threads: 11...12, .semaphore("slots"))
            $0.items(root, "c()")
            $0.moves(12)
        },
        DiagnosisCase("an idle pool", .healthy()) {
            $0.pool(root, threads: 11...14, .idle)
            $0.items(root, "c()")
        },
        DiagnosisCase(
            "the pool's threads stand in a deadlock, which names them already",
            .deadlock("thread 11 -> lock 0x1000 -> thread 12 -> lock 0x2000 -> thread 11")
        ) {
            _ = ($0.at("a"), $0.at("b"))
            $0.queue(root) { $0.kind = .global }
            $0.thread(11, .lock("a", holder: 12), name: String(root.suffix(15)))
            $0.thread(12, .lock("b", holder: 11), name: String(root.suffix(15)))
            $0.items(root, "c()")
        },
    ]

    private static let slowHolders = [
        DiagnosisCase(
            "a barrier behind a reader that sleeps: it will wake",
            .waits(
                "queue photos: thread 11 is in a timed wait",
                ["a barrier waits for those in it, 1 item waits", "continues by itself"])
        ) {
            $0.queue("photos") {
                $0.kind = .concurrent; $0.width = 4094; $0.hasPendingBarrier = true
            }
            $0.thread(11, .sleeps, on: "photos")
            $0.items("photos", "update()", isBarrier: true)
        },
        DiagnosisCase(
            "main, in an item of its queue, behind a queue that reads",
            .stuck(
                "queue photos: thread 11 waits for input or output in read", ["(main)"])
        ) {
            $0.thread(11, .event("read"), on: "photos")
            $0.thread(10, .sync("photos"), on: "main", isMain: true)
        },
        DiagnosisCase(
            "main, in no item of its queue, joins a server's thread: nobody waits for more than the end",
            .healthy()
        ) {
            $0.thread(11, .event("accept"))
            $0.thread(10, .join(11), on: "main", isMain: true)
            $0.now { $0.threads[1].isInMainItem = false }
        },
        DiagnosisCase(
            "the same with something in the main queue",
            .stuck("thread 11 waits for input or output in accept", ["(main)"])
        ) {
            $0.thread(11, .event("accept"))
            $0.thread(10, .join(11), on: "main", isMain: true)
            $0.items("main", "repaint()")
            $0.now { $0.threads[1].isInMainItem = false }
        },
        DiagnosisCase(
            "an item of a registered queue that has waited for input for eleven seconds",
            .stuck("queue photos: thread 11 waits for input or output in recvfrom", ["2 items"])
        ) {
            $0.thread(11, .event("recvfrom"), on: "photos", unmovedFor: 11)
            $0.items("photos", "a()", "b()")
            let photos = $0.at("photos")
            $0.now { $0.owners = [photos] }
        },
        DiagnosisCase(
            "an item of any queue that has waited for input for eleven seconds",
            .waits("queue photos: thread 11 waits for input or output in recvfrom", ["2 items"])
        ) {
            $0.thread(11, .event("recvfrom"), on: "photos", unmovedFor: 11)
            $0.items("photos", "a()", "b()")
        },
        DiagnosisCase(
            "an item that has been in a call of which nothing is known for eleven seconds",
            .waits("queue photos: thread 11 is in ioctl", ["a()"])
        ) {
            $0.thread(11, .unknown("ioctl"), on: "photos", unmovedFor: 11)
            $0.items("photos", "a()")
        },
        DiagnosisCase(
            "a slow server is no fault of the queue's yet",
            .healthy([
                "photos is busy: thread 11 waits for input or output in recvfrom in work() "
                    + "Photos.swift:11"
            ])
        ) {
            $0.thread(11, .event("recvfrom"), on: "photos", unmovedFor: 3)
            $0.items("photos", "a()", "b()")
        },
        DiagnosisCase(
            "a slow item that makes progress: it was in another function",
            .healthy([
                "photos is busy: thread 11 waits for input or output in recvfrom in work() "
                    + "Photos.swift:11"
            ])
        ) {
            $0.thread(11, .event("recvfrom"), on: "photos", unmovedFor: 11)
            $0.items("photos", "a()")
            $0.earlier { $0.threads[0].stack[1].function = "other()" }
        },
        DiagnosisCase(
            "the thread is the same, and in another queue's item now",
            .healthy([
                "photos is busy: thread 11 waits for input or output in recvfrom in work() "
                    + "Photos.swift:11"
            ])
        ) {
            $0.thread(11, .event("recvfrom"), on: "photos", unmovedFor: 11)
            $0.items("photos", "a()")
            $0.earlier { $0.threads[0].held = [] }
        },
        DiagnosisCase(
            "a queue whose holder computes",
            .healthy(["photos is busy: thread 11 runs in work() Photos.swift:11"])
        ) {
            $0.thread(11, .runs, on: "photos")
            $0.thread(12, .sync("photos"))
            $0.items("photos", "a()")
        },
        DiagnosisCase("a queue whose first item has changed moves", .healthy()) {
            $0.thread(11, .event("recvfrom"), on: "photos", unmovedFor: 11)
            $0.items("photos", "a()", "b()")
            $0.earlier { $0.queues[0].items[0].address = 1 }
        },
        DiagnosisCase("reading for long holds nobody up", .healthy()) {
            $0.thread(11, .event("recvfrom"), on: "photos", unmovedFor: 3600)
        },
        DiagnosisCase("a server's accept loop", .healthy()) {
            $0.thread(10, .event("accept"), isMain: true, unmovedFor: 3600)
        },
    ]
}
#endif
