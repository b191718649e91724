#if TELLTALE_AGENT
import TelltalePicture
import Testing

/// Waits that have no owner to follow: semaphores, groups, conditions, locks without a holder.
struct SignalTests {
    @Test("a wait that nobody ends is a finding where others wait behind it", arguments: findings)
    func finding(_ made: DiagnosisCase) { made.check() }

    @Test("who waits alone, or moves, or will be woken, is none", arguments: nearMisses)
    func nearMiss(_ made: DiagnosisCase) { made.check() }

    private static let findings = [
        DiagnosisCase(
            "a semaphore that nobody signals",
            .stuck(
                "queue photos: thread 11 waits for a semaphore (0x1000, 1 waiter)",
                ["a semaphore has no owner", "next()", "1 item waits"])
        ) {
            _ = $0.at("s")
            $0.thread(11, .semaphore("s"), on: "photos")
            $0.items("photos", "next()")
            $0.semaphore("s", value: -1)
        },
        DiagnosisCase(
            "a semaphore whose value can't be read",
            .stuck("queue photos: thread 11 waits for semaphore 0x1000", ["no owner"])
        ) {
            _ = $0.at("s")
            $0.thread(11, .semaphore("s"), on: "photos")
            $0.items("photos", "next()")
        },
        DiagnosisCase(
            "three threads at one semaphore: who holds up most is named",
            .stuck(
                "queue photos: thread 12 and 2 more wait for semaphore 0x1000",
                ["2 items", "thread 12 on photos"])
        ) {
            _ = $0.at("s")
            $0.thread(11, .semaphore("s"))
            $0.thread(12, .semaphore("s"), on: "photos")
            $0.thread(13, .semaphore("s"))
            $0.items("photos", "a()", "b()")
        },
        DiagnosisCase(
            "a group that nobody leaves",
            .stuck(
                "queue photos: thread 11 waits for group 0x1000: 3 enter() without leave()",
                ["a path without leave()", "2 items"])
        ) {
            _ = $0.at("g")
            $0.thread(11, .group("g"), on: "photos")
            $0.items("photos", "a()", "b()")
            $0.group("g", entered: 3)
        },
        DiagnosisCase(
            "a condition that nobody signals",
            .stuck(
                "queue photos: thread 11 waits for condition 0x1000", ["a condition has no owner"])
        ) {
            _ = $0.at("c")
            $0.thread(11, .condition("c"), on: "photos")
            $0.items("photos", "a()")
        },
        DiagnosisCase(
            "a lock whose holder has ended",
            .stuck(
                "thread 11 waits for lock 0x1000, held by thread 99, which has ended",
                ["its holder has ended without releasing it"])
        ) {
            _ = $0.at("a")
            $0.thread(11, .lock("a", holder: 99))
            $0.timer()
        },
        DiagnosisCase(
            "a barrier behind a reader that waits for a semaphore",
            .stuck("queue photos: thread 11 waits for semaphore 0x1000", ["a barrier waits"])
        ) {
            _ = $0.at("s")
            $0.queue("photos") {
                $0.kind = .concurrent; $0.width = 4094; $0.hasPendingBarrier = true
            }
            $0.thread(11, .semaphore("s"), on: "photos")
            $0.items("photos", "update()", isBarrier: true)
        },
        DiagnosisCase(
            "a worker that waits alone, and nothing is left that could wake it",
            .stuck("queue photos: thread 11 waits for semaphore 0x1000", ["BLOCKED BY IT  nothing"])
        ) {
            _ = $0.at("s")
            $0.thread(11, .semaphore("s"), on: "photos")
        },
        DiagnosisCase(
            "Dispatch's manager that has served its sources wakes nobody",
            .stuck("queue photos: thread 11 waits for semaphore 0x1000")
        ) {
            _ = $0.at("s")
            $0.thread(11, .semaphore("s"), on: "photos")
            $0.thread(20, .eventLoop)
            $0.moves(20)
        },
        DiagnosisCase(
            "an actor's task that blocks its thread, with another task in line",
            .stuck(
                "task #1 refresh: thread 11 waits for semaphore 0x1000",
                ["Photos.swift:11", "BLOCKED BY IT  task #2"])
        ) {
            _ = $0.at("s")
            $0.thread(11, .semaphore("s"), task: "refresh", executor: "Store")
            $0.task("refresh", .runs)
            $0.task("begin", .turn("Store"))
            $0.actor("Store", .running, jobs: "begin")
        },
        DiagnosisCase(
            "the runtime doesn't note who runs on the actor: its function tells",
            .stuck(
                "task #1 refresh: thread 11 waits for semaphore 0x1000", ["BLOCKED BY IT  task #2"])
        ) {
            _ = $0.at("s")
            $0.thread(11, .semaphore("s"), in: "Store.refresh()", task: "refresh")
            $0.task("refresh", .runs)
            $0.task("begin", .turn("Store"))
            $0.actor("Store", .running, jobs: "begin")
        },
        DiagnosisCase(
            "an actor whose turn waits for a thread of an exhausted pool",
            .stuck(
                "Swift global concurrent queue: its only thread is blocked, 1 item waits",
                ["BLOCKED BY IT  task "])
        ) {
            $0.swiftPool(threads: 1)
            $0.thread(11, .semaphore("s"), on: "Swift global concurrent queue", task: "a")
            $0.task("begin", .turn("Store"))
            $0.actor("Store", .scheduled, jobs: "begin")
        },
    ]

    private static let nearMisses = [
        DiagnosisCase("main waits for the end of the program", .healthy()) {
            $0.thread(10, .semaphore("s"), isMain: true, unmovedFor: 9999)
        },
        DiagnosisCase(
            "a consumer without work, while a client may connect",
            .healthy([
                "thread 11 on photos waits for semaphore 0x1000 in consume() Photos.swift:11; "
                    + "nothing waits for it, and a new client connection could still wake it"
            ])
        ) {
            _ = $0.at("s")
            $0.thread(11, .semaphore("s"), on: "photos", in: "consume()")
            $0.now { $0.sockets?.listening = 1 }
        },
        DiagnosisCase("an idle pool of threads of the host's own at a condition", .healthy()) {
            for id in Int32(11)...14 { $0.thread(id, .condition("work"), in: "consume()") }
        },
        DiagnosisCase("a semaphore that was signalled meanwhile", .healthy()) {
            $0.thread(11, .semaphore("s"), on: "photos")
            $0.items("photos", "a()")
            $0.semaphore("s", value: -1)
            $0.earlier { $0.semaphores[0].value = -2 }
        },
        DiagnosisCase("a group that somebody left meanwhile", .healthy()) {
            $0.thread(11, .group("g"), on: "photos")
            $0.items("photos", "a()")
            $0.group("g", entered: 1)
            $0.earlier { $0.groups[0].outstanding = 2 }
        },
        DiagnosisCase("a wait that is younger than the threshold", .healthy()) {
            $0.thread(11, .semaphore("s"), on: "photos", unmovedFor: 0.2)
            $0.items("photos", "a()")
            $0.window = 0.15
        },
        DiagnosisCase("a wait that the agent's own thread is in", .healthy()) {
            $0.thread(11, .semaphore("s"), on: "photos", isAgent: true)
        },
        DiagnosisCase("idle threads, parked in what a pool waits in", .healthy()) {
            $0.thread(10, .idle, isMain: true)
            $0.thread(11, .idle)
            $0.thread(12, .eventLoop)
        },
        DiagnosisCase("threads in poll, epoll_wait, accept and select of no queue", .healthy()) {
            for (index, call) in ["poll", "epoll_wait", "accept", "select"].enumerated() {
                $0.thread(Int32(11 + index), .event(call), unmovedFor: 3600)
            }
        },
    ]
}
#endif
