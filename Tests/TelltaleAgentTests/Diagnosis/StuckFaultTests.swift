import TelltaleProtocol
import Testing

@testable import TelltaleAgent

/// The faults of the gallery, as two looks would show each.
struct StuckFaultTests {
    private typealias Staged = StagedProcess
    private let photos = StagedProcess.photos
    private let downloads = StagedProcess.downloads

    private func expect(
        _ process: StagedProcess, _ kind: String, function: String, place: String, names: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let answer = process.answer
        let finding = answer.findings.first
        #expect(finding?.kind == kind, sourceLocation: sourceLocation)
        #expect(answer.findings.count == 1, "\(process.screen)", sourceLocation: sourceLocation)
        #expect(answer.isStuck, sourceLocation: sourceLocation)
        #expect(process.isSuspicious, sourceLocation: sourceLocation)
        #expect(
            (answer.verdict == .deadlock) == (kind == "deadlock"), sourceLocation: sourceLocation)
        let screen = process.screen
        for text in [function, place] + names {
            #expect(screen.contains(text), "\(text) in \(screen)", sourceLocation: sourceLocation)
        }
    }

    @Test("sync between two queues in both directions is a deadlock of both")
    func syncBothWays() {
        var process = Staged()
        process.thread(11, .queue(downloads), in: "PhotoManager.add(_:)", line: 48, held: [photos])
        process.thread(
            12, .queue(photos), in: "PhotoManager.download(_:)", line: 91, held: [downloads])
        process.queue(photos, "com.telltale.photos", owner: 11, waiters: [12], items: ["read()"])
        process.queue(downloads, "com.telltale.downloads", owner: 12, waiters: [11])
        expect(
            process, "deadlock", function: "PhotoManager.download(_:)",
            place: "PhotoManager.swift:91", names: "PhotoManager.swift:48",
            "com.telltale.downloads -> com.telltale.photos -> com.telltale.downloads",
            "sync to com.telltale.downloads", "1 item")
    }

    @Test("sync onto the queue that one is in is a deadlock of one")
    func syncOntoItself() {
        var process = Staged()
        process.thread(11, .queue(photos), in: "PhotoManager.add(_:)", line: 48, held: [photos])
        process.queue(
            photos, "com.telltale.photos", .concurrent, waiters: [11], barrierFirst: true, used: 1)
        expect(
            process, "deadlock", function: "PhotoManager.add(_:)", place: "PhotoManager.swift:48",
            names: "com.telltale.photos -> com.telltale.photos", "barrier sync to")
    }

    @Test("main waiting for a queue that waits for main is a deadlock that begins with main")
    func mainAndQueue() {
        var process = Staged()
        process.thread(
            10, .queue(photos), in: "Service.refresh()", line: 20, held: [Staged.mainQueue],
            isMain: true)
        process.thread(
            11, .queue(Staged.mainQueue), in: "PhotoManager.finish(_:)", line: 91, held: [photos])
        process.queue(Staged.mainQueue, "com.apple.main-thread", .main, owner: 10, waiters: [11])
        process.queue(photos, "com.telltale.photos", owner: 11, waiters: [10])
        expect(
            process, "deadlock", function: "Service.refresh()", place: "PhotoManager.swift:20",
            names: "PhotoManager.swift:91", "main -> com.telltale.photos -> main", "main YES")
    }

    @Test("a barrier behind a reader that waits names the reader")
    func slowReader() {
        var process = Staged()
        process.thread(
            11, .semaphore(0x9000), in: "PhotoManager.read(_:)", line: 33, held: [photos])
        process.thread(12, .queue(photos), in: "PhotoManager.add(_:)", line: 48)
        process.queue(
            photos, "com.telltale.photos", .concurrent, waiters: [12], items: ["update()"],
            barrierFirst: true, used: 1)
        expect(
            process, "semaphore", function: "PhotoManager.read(_:)",
            place: "PhotoManager.swift:33", names: "com.telltale.photos", "a barrier waits")
    }

    @Test("a barrier behind a reader that sleeps is found though it will go on by itself")
    func sleepingReader() {
        var process = Staged()
        process.thread(11, .time, in: "PhotoManager.read(_:)", line: 33, held: [photos])
        process.queue(
            photos, "com.telltale.photos", .concurrent, items: ["update()"], barrierFirst: true,
            used: 1)
        expect(
            process, "queue", function: "PhotoManager.read(_:)", place: "PhotoManager.swift:33",
            names: "goes on by itself")
    }

    @Test("a group that nobody leaves names who waits for it and how many are missing")
    func group() {
        var process = Staged()
        process.thread(
            11, .group(0x9000), in: "PhotoManager.downloadAll()", line: 70, held: [downloads])
        process.queue(downloads, "com.telltale.downloads", owner: 11, items: ["next()", "last()"])
        process.groups = [
            GroupFacts(address: 0x9000, outstanding: 3, hasWaiters: true, hasNotify: false)
        ]
        expect(
            process, "group", function: "PhotoManager.downloadAll()",
            place: "PhotoManager.swift:70", names: "3 enter() without leave()", "next()",
            "cancelled work item", "2 items")
    }

    @Test("a semaphore that nobody signals names who waits, and says that it has no owner")
    func semaphore() {
        var process = Staged()
        process.thread(
            11, .semaphore(0x9000), in: "PhotoDownloader.fetch(_:)", line: 61, held: [downloads])
        process.queue(downloads, "com.telltale.downloads", owner: 11, items: ["next()"])
        process.semaphores = [SemaphoreFacts(address: 0x9000, value: -1, original: 0)]
        expect(
            process, "semaphore", function: "PhotoDownloader.fetch(_:)",
            place: "PhotoManager.swift:61", names: "no owner", "com.telltale.downloads")
    }

    @Test(
        "two locks taken in both orders are a deadlock, whatever kind they are",
        arguments: [ThreadWait.LockKind.mutex, .synchronization])
    func locks(kind: ThreadWait.LockKind) {
        var process = Staged()
        process.thread(
            11, .lock(0x9000, owner: 12, kind), in: "ThumbnailCache.insert(_:)", line: 5,
            held: [photos])
        process.thread(
            12, .lock(0x9100, owner: 11, kind), in: "ThumbnailCache.evict()", line: 9,
            held: [downloads])
        process.queue(photos, "com.telltale.photos", owner: 11)
        process.queue(downloads, "com.telltale.downloads", owner: 12)
        expect(
            process, "deadlock", function: "ThumbnailCache.insert(_:)",
            place: "PhotoManager.swift:5", names: "PhotoManager.swift:9",
            "\(kind.rawValue) 0x9000", "\(kind.rawValue) 0x9100", "held by thread 12")
    }

    @Test("a queue, a lock and the queue again are a deadlock")
    func queueAndLock() {
        var process = Staged()
        process.thread(
            11, .lock(0x9000, owner: 12, .mutex), in: "ThumbnailCache.insert(_:)", line: 5,
            held: [photos])
        process.thread(12, .queue(photos), in: "ThumbnailCache.evict()", line: 9)
        process.queue(photos, "com.telltale.photos", owner: 11, waiters: [12], items: ["read()"])
        expect(
            process, "deadlock", function: "ThumbnailCache.evict()",
            place: "PhotoManager.swift:9", names: "com.telltale.photos -> lock 0x9000",
            "sync to com.telltale.photos")
    }

    @Test("an actor's task whose continuation nobody can resume any more names the function")
    func continuation() {
        var process = Staged()
        process.actors = [
            ActorFacts(
                address: 0xA000, typeName: "PhotoStore", state: .idle, jobs: [], waiting: 0,
                note: nil)
        ]
        process.task(0xB000, 7, .continuation, in: "PhotoStore.refresh()", line: 31)
        process.task(0xB100, 8, .task(0xB000), in: "Service.begin()", line: 40)
        process.thread(
            20, .event("epoll_wait"), under: ["_dispatch_event_loop_drain"], resting: 100)
        expect(
            process, "actor", function: "PhotoStore.refresh()", place: "PhotoStore.swift:31",
            names: "actor PhotoStore", "task #7", "task #8")
    }

    @Test("a thread that an actor's task blocks names the actor and where")
    func blockedActor() {
        var process = Staged()
        process.actors = [
            ActorFacts(
                address: 0xA000, typeName: "PhotoStore", state: .running, jobs: [0xB100],
                waiting: 1, note: nil)
        ]
        process.thread(
            11, .semaphore(0x9000), in: "PhotoStore.refresh()", line: 31,
            held: [Staged.swiftPool], task: 0xB000)
        process.task(0xB000, 7, nil, in: "PhotoStore.refresh()", line: 31, state: .running)
        process.task(
            0xB100, 8, .executor(0xA000), in: "Service.begin()", line: 40, state: .enqueued)
        process.queue(
            Staged.swiftPool, "Swift global concurrent queue", .concurrent, width: 2, used: 1)
        expect(
            process, "semaphore", function: "PhotoStore.refresh()", place: ":31",
            names: "task #7", "1 task")
    }

    @Test("two tasks that await each other are a deadlock")
    func tasks() {
        var process = Staged()
        process.task(0xB000, 7, .task(0xB100), in: "Service.first()", line: 31)
        process.task(0xB100, 8, .task(0xB000), in: "Service.second()", line: 40)
        process.mayBeWoken = "a connection"
        expect(
            process, "deadlock", function: "Service.first()", place: "PhotoStore.swift:31",
            names: "task #7 -> task #8 -> task #7", "PhotoStore.swift:40")
    }

    @Test("a suspended queue with items names the queue and the item that waits first")
    func suspended() {
        var process = Staged()
        process.thread(12, .queue(photos), in: "PhotoManager.read(_:)", line: 33)
        process.queue(
            photos, "com.telltale.photos", .concurrent, waiters: [12],
            items: ["PhotoManager.add(_:)"], suspended: 1)
        expect(
            process, "suspended", function: "PhotoManager.add(_:)", place: "PhotoManager.swift:40",
            names: "queue com.telltale.photos is suspended", "until the host calls resume()",
            "1 item, 1 thread")
    }

    @Test("a pool whose threads are all blocked names where, and what waits for one of them")
    func pool() {
        var process = Staged()
        for id in Int32(11)...14 {
            process.thread(
                id, .semaphore(0x9000), in: "PhotoDownloader.fetch(_:)", line: 61,
                name: "oot.default-qos", under: ["_dispatch_worker_thread"])
        }
        process.queue(
            Staged.root, "com.apple.root.default-qos", .global, target: nil,
            items: ["a()", "b()", "c()"], width: 4095)
        expect(
            process, "pool", function: "PhotoDownloader.fetch(_:)", place: "PhotoManager.swift:61",
            names: "com.apple.root.default-qos: all 4 threads are blocked", "3 items wait",
            "4 threads")
    }

    @Test("an operation whose dependency will never be started names both")
    func operation() {
        var process = Staged()
        process.operations = [
            PlacedOperation(
                address: 0xC000, name: "decode 7", type: "BlockOperation", state: .ready,
                isCancelled: false, queue: nil, isQueueSuspended: false, dependencies: []),
            PlacedOperation(
                address: 0xC100, name: "thumbnail 7", type: "BlockOperation", state: .waiting,
                isCancelled: false, queue: "com.telltale.thumbnails", isQueueSuspended: false,
                dependencies: [0xC000]),
        ]
        expect(
            process, "operation", function: "operation decode 7", place: "operation thumbnail 7",
            names: "com.telltale.thumbnails", "nothing will start it")
    }
}
