#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import Testing

@testable import TelltaleDiagnosis

/// Event loops that don't come back to their wait, and those that only seem not to.
struct EventLoopTests {
    @Test("a blocked loop with something ready is a finding", arguments: stuck)
    func blocked(_ made: DiagnosisCase) { made.check() }

    @Test("a loop that turns, computes or has nothing to do is none", arguments: healthy)
    func turning(_ made: DiagnosisCase) { made.check() }

    private static let title =
        "event loop Server.run() doesn't turn: thread 12 waits for semaphore 0x2000; "
        + "2 descriptors are ready"

    private static let stuck = [
        DiagnosisCase(
            "a handler waits for a semaphore",
            .stuck(
                title,
                [
                    "2 of 5 ready: 1 event counter (at 3), 1 socket (512 B unread)",
                    "askBackend()", "Photos.swift:12", "nothing that comes to these descriptors",
                ])
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .semaphore("answer"), in: "askBackend()")
        },
        DiagnosisCase(
            "somebody runs and somebody sleeps, which is no excuse for it", .stuck(title)
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .semaphore("answer"))
            $0.thread(13, .runs)
            $0.thread(14, .sleeps)
            $0.timer()
            $0.now { $0.sockets = SocketFacts(listening: 1, expecting: 3) }
        },
        DiagnosisCase(
            "the main run loop, which holds up the main thread",
            .stuck(
                "main run loop doesn't turn: 2 threads, one is 12, wait for semaphore 0x2000; "
                    + "2 descriptors are ready", ["the main thread is blocked"])
        ) {
            $0.loop("main run loop", threads: 12, 13)
            $0.thread(12, .semaphore("answer"), line: 7, isMain: true)
            $0.thread(13, .semaphore("answer"), line: 7)
        },
        DiagnosisCase(
            "a lock that a slow thread holds, which is named too",
            .stuck(
                "event loop Server.run() doesn't turn: thread 12 waits for lock 0x2000, held by "
                    + "thread 13; 2 descriptors are ready", ["readFile()", "Photos.swift:13"])
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .lock("cache", holder: 13))
            $0.thread(13, .event("read"), in: "readFile()", unmovedFor: 2)
        },
        DiagnosisCase(
            "a queue that waits for the loop's thread is held up by it",
            .stuck(
                "event loop Server.run() doesn't turn: thread 12 waits for semaphore 0x5000; "
                    + "2 descriptors are ready", ["1 item", "add()"])
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.items("photos", "add()")
            $0.thread(12, .semaphore("answer"), on: "photos")
        },
        DiagnosisCase(
            "a handler that reads what doesn't come for ten seconds",
            .stuck(
                "event loop Server.run() doesn't turn: thread 12 waits for input or output in "
                    + "read; 2 descriptors are ready")
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .event("read"))
        },
        DiagnosisCase(
            "only what its epoll says is known",
            .stuck(
                "event loop Server.run() doesn't turn: thread 12 waits for semaphore 0x2000; "
                    + "1 descriptor is ready")
        ) {
            $0.loop("Server.run()", threads: 12) {
                $0.ready = []
                $0.members = nil
            }
            $0.thread(12, .semaphore("answer"))
        },
        DiagnosisCase(
            "told once, and so silent: its members say it", .stuck(title)
        ) {
            $0.loop("Server.run()", threads: 12) { $0.isReadable = false }
            $0.thread(12, .semaphore("answer"))
        },
    ]

    private static let busy = "event loop Server.run() is busy: thread 12 "

    private static let healthy = [
        DiagnosisCase("blocked for two seconds, and nothing is ready", .healthy([silent])) {
            $0.loop("Server.run()", threads: 12) {
                $0.isReadable = false
                $0.ready = []
            }
            $0.thread(12, .semaphore("answer"), unmovedFor: 2)
        },
        DiagnosisCase(
            "its thread sleeps in a handler",
            .healthy([busy + "is in a timed wait in work() Photos.swift:12"])
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .sleeps, unmovedFor: 2)
        },
        DiagnosisCase("a thread waits on it", .healthy()) {
            $0.loop("Server.run()", waiting: 12)
            $0.thread(12, .event("epoll_wait"))
        },
        DiagnosisCase("one of its two threads waits, the other is blocked", .healthy()) {
            $0.loop("Server.run()", waiting: 12, threads: 13)
            $0.thread(12, .event("epoll_wait"))
            $0.thread(13, .semaphore("answer"))
        },
        DiagnosisCase("a thread waited on it a moment ago", .healthy()) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .semaphore("answer"))
            $0.earlier { $0.eventLoops[0].waiting = [12] }
        },
        DiagnosisCase("nobody was ever seen waiting on it", .healthy()) {
            $0.loop("epoll 21")
            $0.thread(12, .semaphore("answer"))
        },
        DiagnosisCase("another loop has its descriptor by now", .healthy()) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .semaphore("answer"))
            $0.earlier { $0.eventLoops[0].id = 99 }
        },
        DiagnosisCase(
            "its thread computes", .healthy([busy + "runs in work() Photos.swift:12"])
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .runs)
        },
        DiagnosisCase(
            "its thread has run meanwhile",
            .healthy([
                busy
                    + "waits for semaphore 0x2000 in work() Photos.swift:12"
            ])
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .semaphore("answer"))
            $0.moves(12)
        },
        DiagnosisCase("its thread has been blocked for a moment only", .healthy()) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .semaphore("answer"), unmovedFor: 0.2)
            $0.window = 0.2
        },
        DiagnosisCase("its thread waits on another loop", .healthy()) {
            $0.loop("Server.run()", threads: 12)
            $0.loop("inner", waiting: 12)
            $0.thread(12, .event("epoll_wait"))
        },
        DiagnosisCase("a thread of the agent's", .healthy()) {
            $0.loop("telltale", threads: 12)
            $0.thread(12, .semaphore("answer"), isAgent: true)
        },
    ]

    private static let silentTitle =
        "event loop Server.run() doesn't turn: thread 12 waits for semaphore 0x2000; none of its "
        + "descriptors is ready"

    private static let waiting = [
        DiagnosisCase(
            "blocked for long, and nothing is ready",
            .waits(silentTitle, ["what only its own memory holds for it can't be seen"])
        ) {
            $0.loop("Server.run()", threads: 12) {
                $0.isReadable = false
                $0.ready = []
            }
            $0.thread(12, .semaphore("answer"))
        },
        DiagnosisCase("nothing was ready a moment ago", .waits(title, [])) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .semaphore("answer"))
            $0.earlier {
                $0.eventLoops[0].isReadable = false
                $0.eventLoops[0].ready = []
            }
        },
        DiagnosisCase(
            "a handler that sleeps for long: its end is known",
            .waits(
                "event loop Server.run() doesn't turn: thread 12 is in a timed wait; "
                    + "2 descriptors are ready")
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .sleeps)
        },
        DiagnosisCase(
            "a handler that reads for two seconds",
            .waits(
                "event loop Server.run() doesn't turn: thread 12 waits for input or output in "
                    + "read; 2 descriptors are ready")
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .event("read"), unmovedFor: 2)
        },
        DiagnosisCase(
            "a lock whose holder reads, for two seconds",
            .waits(
                "event loop Server.run() doesn't turn: thread 12 waits for lock 0x2000, held by "
                    + "thread 13; 2 descriptors are ready", ["thread 13 (in read)"])
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .lock("cache", holder: 13), unmovedFor: 2)
            $0.thread(13, .event("read"), unmovedFor: 2)
        },
        DiagnosisCase(
            "a semaphore that something which runs may signal, for two seconds", .waits(title)
        ) {
            $0.loop("Server.run()", threads: 12)
            $0.thread(12, .semaphore("answer"), unmovedFor: 2)
            $0.thread(13, .runs)
        },
    ]

    @Test("a loop that may yet go on is given time", arguments: waiting)
    func waits(_ made: DiagnosisCase) { made.check() }

    private static let silent =
        "event loop Server.run() waits in a handler: thread 12 waits for semaphore 0x2000 in "
        + "work() Photos.swift:12; none of its descriptors is ready, and what only its own memory "
        + "holds can't be seen"

    @Test("a deadlock that a loop's thread stands in is named once")
    func deadlock() {
        var process = MadeProcess()
        process.loop("Server.run()", threads: 12)
        process.thread(12, .lock("a", holder: 13))
        process.thread(13, .lock("b", holder: 12))
        #expect(process.answer.findings.count == 1)
        #expect(process.answer.verdict == .deadlock)
    }

    @Test("where the loop alone is blocked one picture shows that it may be")
    func longWait() {
        var process = MadeProcess()
        process.loop("Server.run()", threads: 12)
        process.thread(12, .semaphore("answer"))
        #expect(!process.isHealthyAtOnce)
        process.now { $0.eventLoops[0].waiting = [12] }
        #expect(process.isHealthyAtOnce)
    }
}

extension MadeProcess {
    /// An event loop with two of five descriptors ready.
    mutating func loop(
        _ label: String, waiting: Int32..., threads: Int32...,
        change: (inout EventLoopFacts) -> Void = { _ in }
    ) {
        var loop = EventLoopFacts(
            id: UInt64(at("loop " + label)), kind: .epoll, descriptor: 7, label: label)
        loop.members = 5
        loop.isReadable = true
        loop.ready = [
            .init(descriptor: 8, kind: .event, unread: 3),
            .init(descriptor: 9, kind: .socket, unread: 512),
        ]
        loop.waiting = waiting
        loop.threads = threads
        change(&loop)
        let made = loop
        now { $0.eventLoops.append(made) }
    }
}
#endif
