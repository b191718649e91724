@testable import TelltaleProtocol

/// Answers about threads, dispatch, tasks and what does not move, as an agent could give them.
enum SampleAnswers {
    static let wait = StackFrame(
        function: "__futex_abstimed_wait_common64", module: "libc.so.6", address: "0x7f0001")
    static let download = StackFrame(
        function: "closure #2 in PhotoManager.download(_:)", module: "photo-manager",
        file: "/srv/photos/Sources/PhotoManager.swift", line: 91, address: "0x401020")
    static let inlined = StackFrame(
        function: "PhotoManager.items.getter", module: "photo-manager",
        file: "/srv/photos/Sources/PhotoManager.swift", line: 12, address: "0x401020",
        isInlined: true)
    static let async = StackFrame(
        function: "PhotoStore.refresh()", module: "photo-manager",
        file: "/srv/photos/Sources/PhotoStore.swift", line: 30, address: "0x402000", isAsync: true)
    static let unknown = StackFrame(address: "0x7ffe10")

    static let main = ThreadEntry(
        id: 4242, name: "photo-manager", state: "waiting", call: "ppoll",
        queue: "com.apple.main-thread", cpuSeconds: 1.5, isMain: true)
    static let drainer = ThreadEntry(
        id: 4251, name: "photo-manager", state: "waiting", call: "futex",
        queue: "com.telltale.photos", cpuSeconds: 0.25)
    static let runner = ThreadEntry(
        id: 4260, name: "worker", state: "running", task: "#12 refresh", cpuSeconds: 12.46)

    static let threads = ThreadsAnswer(
        threads: [main, drainer, runner], agentThreads: 2,
        notes: ["tasks are not available: the runtime's layout is 2"])

    static let stack = StackAnswer(
        groups: [
            StackAnswer.Group(threads: [main], frames: [], gap: "the thread ended meanwhile"),
            StackAnswer.Group(
                threads: [drainer, runner], frames: [wait, inlined, download, async, unknown]),
        ], agentThreads: 2, interrupted: 1, longestHoldNanoseconds: 4_200, microseconds: 1_250,
        notes: ["n"])

    static let barrier = filled(
        QueuesAnswer.Entry(label: "com.telltale.photos", kind: "concurrent", qos: "utility")
    ) {
        $0.finding = "no answer for 1.0 s"
        $0.objects = ["photos"]
        $0.address = "0x7f3a10"
        $0.target = "com.apple.root.utility-qos"
        $0.state = "barrier"
        $0.suspendCount = 0
        $0.waiting = 31
        $0.oldestSeconds = 12.3
        $0.width = 4_094
        $0.widthInUse = 4_094
        $0.thread = 4251
        $0.isObserved = true
    }
    static let suspended = filled(
        QueuesAnswer.Entry(label: "thumbs", kind: "serial", qos: "unspecified")
    ) {
        $0.address = "0x7f3b10"
        $0.target = "com.telltale.photos"
        $0.state = "suspended"
        $0.suspendCount = 2
        $0.waiting = 10_000
        $0.isCut = true
        $0.width = 1
        $0.widthInUse = 0
        $0.isObserved = false
    }
    static let moving = filled(
        QueuesAnswer.Entry(label: "Swift global concurrent queue", kind: "pool", qos: "default")
    ) {
        $0.state = "running"
        $0.isMoving = true
        $0.width = 2
        $0.widthInUse = 2
    }

    static let queues = QueuesAnswer(
        queues: [barrier, suspended, moving], hidden: 14, notes: ["latency is not asked"])

    static let queue = QueueAnswer(
        queue: barrier,
        items: [
            QueueAnswer.Item(
                index: 0, kind: "block", function: "closure #1 in PhotoManager.add(_:)",
                file: "/srv/photos/Sources/PhotoManager.swift", line: 48, address: "0x7f4000",
                isBarrier: true),
            QueueAnswer.Item(
                index: 1, kind: "work item", function: "closure #1 in PhotoManager.thumb(_:)",
                address: "0x7f4080", isCancelled: true, isInGroup: true),
            QueueAnswer.Item(index: 2, kind: "sync", address: "0x7f4100", waiter: 4252),
            QueueAnswer.Item(index: 3, kind: "task", object: "task #12 refresh"),
        ], omitted: 27,
        holder: StackAnswer.Group(threads: [drainer], frames: [wait, download], gap: "cut"),
        notes: ["n"])

    static let groups = GroupsAnswer(
        groups: [
            filled(GroupsAnswer.Entry(address: "0x7f5000", outstanding: 2)) {
                $0.name = "downloads"
                $0.waiters = [4251]
                $0.hasWaiters = true
                $0.hasNotify = true
                $0.notify = "closure #1 in finish()"
                $0.note = "n"
            },
            filled(GroupsAnswer.Entry(address: "0x7f5100", outstanding: 1)) {
                $0.hasWaiters = true
            },
        ], hidden: 3, notes: ["n"])

    static let semaphores = SemaphoresAnswer(
        semaphores: [
            filled(SemaphoresAnswer.Entry(address: "0x7f6000", value: -2, original: 4)) {
                $0.name = "slots"
                $0.waiters = [4251, 4252]
                $0.note = "n"
            },
            SemaphoresAnswer.Entry(address: "0x7f6100", value: -1, original: 0),
        ], hidden: 1, notes: ["n"])

    static let timers = TimersAnswer(
        timers: [
            filled(TimersAnswer.Entry(address: "0x7f7000", kind: "timer")) {
                $0.queue = "com.telltale.photos"
                $0.firesInSeconds = 2.449
                $0.intervalSeconds = 300.0
                $0.handler = "closure #1 in PhotoManager.poll()"
                $0.file = "a/PhotoManager.swift"
                $0.line = 7
                $0.suspendCount = 1
            },
            filled(TimersAnswer.Entry(address: "0x7f7100", kind: "asyncAfter")) {
                $0.firesInSeconds = -0.0125
                $0.isCancelled = true
            },
        ], notes: ["n"])

    private static let thumbnail = filled(
        OperationsAnswer.Operation(
            name: "thumbnail 7", type: "ThumbnailOperation", state: "waiting")
    ) {
        $0.isCancelled = true
        $0.dependencies = ["decode 7 (executing)"]
        $0.address = "0x7f8000"
        $0.priority = "high"
    }

    static let operations = OperationsAnswer(
        queues: [
            filled(OperationsAnswer.Queue(name: "thumbnails", operations: [thumbnail])) {
                $0.omitted = 4
                $0.isSuspended = true
                $0.maximumConcurrent = 2
                $0.underlying = "com.telltale.thumbs"
            }
        ],
        runLoop: OperationsAnswer.RunLoop(
            isWaiting: true, mode: "kCFRunLoopDefaultMode", timers: ["fires in 2.4 s"], sources: 3),
        notes: ["n"])

    static let tasks = TasksAnswer(
        tasks: [
            TasksAnswer.Entry(
                id: 4, name: "refresh", state: "suspended", priority: 25, waitsFor: "group",
                frames: [async]),
            TasksAnswer.Entry(
                id: 9, name: nil, state: "running", priority: 17, isCancelled: true, thread: 4260,
                address: "0x7f9000", note: "n"),
            TasksAnswer.Entry(
                id: 10, name: "fetch", state: "suspended", priority: 25, isChild: true,
                waitsFor: "continuation", parent: 4, frames: [download]),
        ], omitted: 1_000, notes: ["n"])

    static let actors = ActorsAnswer(
        actors: [
            ActorsAnswer.Entry(
                type: "PhotoStore", address: "0x7fa000", name: "store", state: "running",
                jobs: ["#20", "#19", "#18", "#17", "#16 refresh"], omitted: 2, thread: 4260,
                note: "n")
        ], hidden: 1, notes: ["n"])

    static let deadlock: StuckAnswer = {
        var first = StuckAnswer.Party(
            .init(.thread, "thread 4251"), on: .init(.queue, "photos"),
            .waits(for: .init(.queue, "downloads"), nil))
        first.function = "PhotoManager.download(_:)"
        first.file = "/srv/photos/Sources/PhotoManager.swift"
        first.line = 91
        first.thread = 4251
        first.frames = [wait, download]
        var second = StuckAnswer.Party(
            .init(.thread, "thread 4252"), on: .init(.queue, "downloads"),
            .waits(for: .init(.queue, "photos"), nil))
        second.function = "PhotoManager.add(_:)"
        second.file = "/srv/photos/Sources/PhotoManager.swift"
        second.line = 48
        second.thread = 4252
        second.gap = "the thread ended meanwhile"
        let queues = ["photos", "downloads"].map { StuckAnswer.Subject(.queue, $0) }
        var answer = StuckAnswer(
            verdict: .deadlock,
            findings: [
                StuckAnswer.Finding(
                    .cycle(of: queues), seconds: 12.3, since: "2026-11-21T03:12:32.818Z",
                    parties: [first, second])
            ], captures: 2, milliseconds: 310, notes: ["n"])
        answer.blocked = StuckAnswer.Blocked()
        answer.blocked?.items = 31
        answer.blocked?.threads = 2
        var waiter = StuckAnswer.Party(
            .init(.thread, "thread 4260"), on: .init(.queue, "covers"), .time)
        (waiter.function, waiter.file, waiter.line) = ("Covers.draw()", "/s/Covers.swift", 7)
        answer.blocked?.first = [waiter]
        answer.notIt = [
            StuckAnswer.Remark(StuckAnswer.Party(.init(.queue, "thumbs")), .nothingWaits)
        ]
        answer.next = ["stack 4251 4252", "queue photos", "dump --output FILE"]
        (answer.threads, answer.queues, answer.tasks) = (19, 7, 3)
        return answer
    }()

    static let healthy: StuckAnswer = {
        var answer = StuckAnswer(verdict: .healthy, captures: 2, milliseconds: 310)
        (answer.threads, answer.queues, answer.tasks) = (19, 7, 1_000)
        return answer
    }()

    static let control = ControlAnswer(
        action: "suspend", target: "com.telltale.photos", result: "suspended (1)",
        note: "let go when this connection ends", change: 3)

    static let heap = filled(HeapAnswer()) {
        var photo = HeapAnswer.Entry(type: "Photo", kind: "class", count: 66_666, bytes: 6 << 20)
        photo.countGrowth = 12
        photo.bytesGrowth = -1_152
        $0.entries = [
            photo, HeapAnswer.Entry(type: "[Photo]", kind: "array", count: 1, bytes: 524_320),
        ]
        $0.omitted = 312
        $0.objects = 150_746
        $0.objectBytes = 8 << 20
        $0.others = [
            .init(below: 64, count: 1_024, bytes: 48 << 10),
            .init(below: nil, count: 2, bytes: 9 << 20),
        ]
        $0.since = .init(isMark: true, seconds: 12.5, objects: 150_734, objectBytes: 8 << 20)
        $0.microseconds = 2_300
        $0.notes = ["a note"]
    }
    static let object = InstancesAnswer.Entry(
        handle: 7, type: "Photo", address: "0x7f3a10", values: "size: 3400")
    static let instances = InstancesAnswer(instances: [object], total: 3, notes: ["n"])
    static let holder = filled(HoldersAnswer.Holder(kind: "property", name: "Album")) {
        $0.handle = 8
        $0.address = "0x7f3b20"
        $0.place = "cover"
        $0.isUncertain = true
    }
    static let holders = HoldersAnswer(
        object: object, holders: [holder, .init(kind: "weak", name: "View")], omitted: 3,
        way: [.init(kind: "variable", name: "albums"), holder], notes: ["n"])
    static let cycle = CycleAnswer(object: object, steps: [holder], notes: ["n"])
    static let roots = RootsAnswer(
        roots: [
            .init(
                name: "PhotoManager.shared", module: "App", type: "PhotoManager",
                state: "not yet", address: "0x7f3a10")
        ], omitted: 1, notes: ["n"])
    static let types = TypesAnswer(
        types: [.init(name: "Album.Cover", module: "App", kind: "struct", isGeneric: true)],
        omitted: 2, notes: ["n"])
    static let methods = MethodsAnswer(
        type: "Photo", module: "App", methods: ["func add(_: Int)", "var count: Int { get }"],
        refusals: ["it is generic", nil], omitted: 2, notes: ["n"])

    static let jobs = JobsAnswer(
        jobs: [
            filled(
                .init(
                    number: 3, command: "call", target: "photos.download", owner: "actor",
                    by: Peer(uid: 501, pid: 977, program: "telltale"),
                    since: "2026-11-21T03:12:45.118Z", seconds: 2.5, state: JobsAnswer.ended)
            ) {
                $0.givenUp = "its deadline passed"
                $0.isCancelled = true
                $0.result = "done"
                $0.endedSecondsAgo = 1.5
                $0.change = 4
                $0.value = ValueNode(type: "Int", kind: .scalar, text: "7")
            }
        ], dropped: 1)

    static let all: [any CommandAnswer] = [
        threads, stack, queues, queue, groups,
        semaphores, timers, operations, tasks,
        actors, deadlock, healthy, control, jobs,
    ]

    static let found: [any CommandAnswer] = [
        heap, instances, holders, cycle, roots, types, methods,
    ]
}
