#if TELLTALE_AGENT
import TelltalePicture
import Testing

/// Tasks that are never resumed, and operations that are never finished.
struct TaskTests {
    @Test("a task that waits for a continuation, and what could resume it", arguments: tasks)
    func task(_ made: DiagnosisCase) { made.check() }

    @Test("an operation for which others wait", arguments: operations)
    func operation(_ made: DiagnosisCase) { made.check() }

    private static let tasks = [
        DiagnosisCase(
            "an actor awaits a callback that never comes",
            .stuck(
                "actor Store: task #1 refresh waits for a continuation that nobody resumes",
                ["Store.refresh()", "Photos.swift:30", "awaits task #1 refresh"])
        ) {
            $0.actor("Store", .idle)
            $0.task("refresh", .continuation, in: "Store.refresh()")
            $0.task("begin", .task("refresh"))
            $0.thread(20, .eventLoop)
        },
        DiagnosisCase(
            "a task of no actor for which another waits",
            .stuck("task #1 refresh waits for a continuation that nobody resumes")
        ) {
            $0.task("refresh", .continuation)
            $0.task("begin", .task("refresh"))
        },
        DiagnosisCase(
            "tasks of a server that are all lost at one place, and who waits for them",
            .stuck(
                "actor Store: 12 tasks, one is #1 refresh 0, wait for continuations that nobody "
                    + "resumes",
                [
                    "12 tasks, one is #1 refresh 0 on actor Store  wait for continuations to be "
                        + "resumed, in NIOCore next()",
                    "2 tasks, one is #13 reader 0 ",
                    "nothing in the process holds what could resume them",
                    "BLOCKED BY IT  task ",
                ])
        ) { made in
            made.actor("Store", .idle)
            for index in 0..<12 {
                made.task(
                    "refresh \(index)", .continuation, in: "Store.refresh()",
                    calling: "Reader.Iterator.next()")
            }
            for index in 0..<2 { made.task("reader \(index)", .task("refresh 0"), in: "read()") }
        },
        DiagnosisCase(
            "a task that has no function of the host's is not left out",
            .stuck(
                "task #1 refresh waits for a continuation that nobody resumes",
                ["  library code only"])
        ) {
            $0.task("refresh", .continuation, in: nil)
            $0.task("begin", .task("refresh"))
        },
        DiagnosisCase(
            "a task of a package's alone says whose function it is in",
            .stuck(
                "task #1 refresh waits for a continuation that nobody resumes",
                ["  Server.handle() (library code only)"])
        ) {
            $0.task("refresh", .continuation, in: nil, calling: "Server.handle()")
            $0.task("begin", .task("refresh"))
        },
        DiagnosisCase(
            "an actor that is entered again while it awaits",
            .stuck("actor Store: task #1 refresh waits for a continuation that nobody resumes")
        ) {
            $0.actor("Store", .idle)
            $0.task("refresh", .continuation, in: "Store.refresh()")
            $0.task("read", .sleeps, in: "Store.read()")
            $0.now { $0.tasks[1].waitsFor = nil }
        },
        DiagnosisCase(
            "a task that waits at the same place anew, with other things in hand", .healthy()
        ) {
            $0.task("refresh", .continuation)
            $0.task("begin", .task("refresh"))
            $0.now { $0.tasks[0].mark = 2 }
            $0.earlier { $0.tasks[0].mark = 1 }
        },
        DiagnosisCase(
            "a task that was seen at work after a search had found nobody to resume it", .healthy()
        ) {
            $0.task("refresh", .continuation)
            $0.task("begin", .task("refresh"))
            $0.holders(.continuation(task: $0.at("task refresh")))
            let refresh = $0.at("task refresh")
            $0.now { $0.movedTasks = [refresh] }
        },
        DiagnosisCase("a task of no actor for which nobody waits", .healthy()) {
            $0.task("refresh", .continuation)
        },
        DiagnosisCase("a server's task, while a client may connect", .healthy()) {
            $0.actor("Server", .idle)
            $0.task("run", .continuation, in: "Server.run()")
            $0.task("main", .task("run"))
            $0.now { $0.sockets?.listening = 1 }
        },
        DiagnosisCase("a continuation while an answer over the network is awaited", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.now { $0.sockets?.expecting = 1 }
        },
        DiagnosisCase("a continuation that a timer will resume", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.timer()
        },
        DiagnosisCase("a continuation while another task sleeps", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.task("tick", .sleeps)
        },
        DiagnosisCase("a continuation while a thread computes", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.thread(11, .runs)
        },
        DiagnosisCase("a continuation while a thread is in read", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.thread(11, .event("read"))
        },
        DiagnosisCase("a continuation where the descriptors can't be listed", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.now { $0.sockets = nil }
        },
        DiagnosisCase("a task that has got on between the pictures", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.earlier { $0.tasks[0].frames = [] }
        },
        DiagnosisCase(
            "Dispatch's own timers resume nobody",
            .stuck("task #1 fetch waits for a continuation that nobody resumes")
        ) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.timer(isDispatchsOwn: true)
        },
        DiagnosisCase("one that comes again and again may", .healthy()) {
            $0.task("fetch", .continuation)
            $0.task("main", .task("fetch"))
            $0.timer(again: 1)
        },
    ]

    private static let operations = [
        DiagnosisCase(
            "an operation that depends on one that is in no queue",
            .stuck(
                "operation decode never finishes; operation shrink waits for it",
                ["ready, in no queue: nothing will start it"])
        ) {
            $0.operation("decode", .ready, in: nil)
            $0.operation("shrink", .waiting, after: "decode")
        },
        DiagnosisCase(
            "operations in a suspended queue, for which a thread waits",
            .waits(
                "operation decode has not finished",
                ["its queue is suspended", "waits for operations to finish"])
        ) {
            $0.operation("decode", .ready, isQueueSuspended: true)
            $0.thread(11, .operations)
        },
        DiagnosisCase(
            "an asynchronous operation whose finished state was never set",
            .stuck(
                "operation fetch never finishes; operation shrink waits for it",
                ["its finished state was never set"])
        ) {
            $0.operation("fetch", .executing)
            $0.operation("shrink", .waiting, after: "fetch")
        },
        DiagnosisCase(
            "an operation whose thread waits for a lock that nobody gives back",
            .stuck("thread 11 waits for lock 0x1000, held by thread 99, which has ended")
        ) {
            _ = $0.at("a")
            $0.operation("decode", .executing, type: "Decoding")
            $0.operation("shrink", .waiting, after: "decode")
            $0.thread(11, .lock("a", holder: 99), in: "Operation.start()")
        },
        DiagnosisCase("an asynchronous operation while an answer is awaited", .healthy()) {
            $0.operation("fetch", .executing)
            $0.operation("shrink", .waiting, after: "fetch")
            $0.now { $0.sockets?.expecting = 1 }
        },
        DiagnosisCase("operations that wait for their turn", .healthy()) {
            $0.operation("decode", .ready)
            $0.operation("shrink", .waiting, after: "decode")
        },
        DiagnosisCase("an operation that depends on a finished one", .healthy()) {
            $0.operation("decode", .finished, in: nil)
            $0.operation("shrink", .waiting, after: "decode")
        },
        DiagnosisCase("an operation in no queue for which nobody waits", .healthy()) {
            $0.operation("decode", .ready, in: nil)
        },
        DiagnosisCase("an operation that has begun between the pictures", .healthy()) {
            $0.operation("decode", .executing)
            $0.operation("shrink", .waiting, after: "decode")
            $0.earlier { $0.operations[0].state = .ready }
        },
    ]
}
#endif
