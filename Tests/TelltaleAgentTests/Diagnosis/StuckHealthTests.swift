import TelltaleProtocol
import Testing

@testable import TelltaleAgent

/// What looks like trouble and isn't.
struct StuckHealthTests {
    private typealias Staged = StagedProcess
    private let photos = StagedProcess.photos
    private let downloads = StagedProcess.downloads

    private func expectHealthy(
        _ process: StagedProcess, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let screen = process.screen
        #expect(process.answer.verdict == .healthy, "\(screen)", sourceLocation: sourceLocation)
        let lower = screen.lowercased()
        #expect(!lower.contains("stuck"), sourceLocation: sourceLocation)
        #expect(!lower.contains("deadlock"), sourceLocation: sourceLocation)
        #expect(
            screen.split(separator: "\n").count == 1, "\(screen)", sourceLocation: sourceLocation)
    }

    @Test("an idle process says so in one line")
    func idle() {
        var process = Staged()
        process.thread(10, .idle, isMain: true)
        process.thread(11, .idle, name: "oot.default-qos", under: ["_dispatch_worker_thread"])
        process.thread(12, .event("epoll_wait"), under: ["_dispatch_event_loop_drain"])
        process.queue(photos, "com.telltale.photos", .concurrent)
        expectHealthy(process)
    }

    @Test("where the time was up before all was looked at, nothing is called healthy")
    func cut() {
        var process = Staged()
        process.isCut = true
        #expect(process.answer.verdict == .unknown)
    }

    @Test("a second look is spared where the first shows nobody who could be stuck")
    func oneLook() {
        var process = Staged()
        process.thread(10, .idle, isMain: true)
        process.thread(11, .running, in: "PhotoManager.decode(_:)", line: 3, held: [photos])
        process.queue(photos, "com.telltale.photos", owner: 11, items: ["a()"])
        process.thread(12, .condition(0x9000), in: "consume()", line: 3)
        #expect(!process.isSuspicious)
        // That one may pass at once, or never.
        process.thread(13, .event("recvfrom"), in: "fetch(_:)", line: 61, held: [downloads])
        process.queue(downloads, "com.telltale.downloads", owner: 13, items: ["b()"])
        #expect(process.isSuspicious)
        process = Staged()
        process.isCut = true
        #expect(process.isSuspicious)
    }

    @Test("a main thread that waits for the end of the program holds nobody up")
    func keptAlive() {
        var process = Staged()
        process.thread(10, .semaphore(0x9000), in: "main", line: 3, isMain: true, resting: 9999)
        expectHealthy(process)
    }

    @Test("a consumer without work is no trouble as long as something may wake it")
    func consumer() {
        var process = Staged()
        process.thread(11, .semaphore(0x9000), in: "consume()", line: 3, held: [downloads])
        process.queue(downloads, "com.telltale.downloads", owner: 11)
        process.mayBeWoken = "a connection"
        expectHealthy(process)
        #expect(process.answer.notIt.first?.contains("consume()") == true)
    }

    @Test("a consumer on a thread of its own is no trouble even in a quiet process")
    func dedicatedConsumer() {
        var process = Staged()
        process.thread(11, .condition(0x9000), in: "consume()", line: 3)
        expectHealthy(process)
    }

    @Test("a queue whose holder computes is busy")
    func busy() {
        var process = Staged()
        process.thread(11, .running, in: "PhotoManager.decode(_:)", line: 3, held: [photos])
        process.thread(12, .queue(photos), in: "PhotoManager.add(_:)", line: 48)
        process.queue(photos, "com.telltale.photos", owner: 11, waiters: [12], items: ["a()"])
        expectHealthy(process)
        #expect(process.answer.notIt.first?.contains("is busy") == true)
    }

    @Test("a lock that is handed on between two looks is no trouble")
    func handedOn() {
        var process = Staged()
        process.thread(11, .lock(0x9000, owner: 12, .mutex), in: "a()", line: 1, held: [photos])
        process.thread(12, .lock(0x9100, owner: 11, .mutex), in: "b()", line: 2)
        process.queue(photos, "com.telltale.photos", owner: 11, items: ["a()"])
        process.moving = [11, 12]
        expectHealthy(process)
    }

    @Test("a job that waits for a slow server holds up the next ones, and is no trouble yet")
    func slowServer() {
        var process = Staged()
        process.thread(
            11, .event("recvfrom"), in: "PhotoDownloader.fetch(_:)", line: 61, held: [downloads],
            resting: 3)
        process.queue(downloads, "com.telltale.downloads", owner: 11, items: ["a()", "b()"])
        expectHealthy(process)
    }

    @Test("tasks that wait for what only the world can bring are no trouble")
    func servers() {
        var process = Staged()
        process.actors = [
            ActorFacts(
                address: 0xA000, typeName: "Server", state: .idle, jobs: [], waiting: 0, note: nil)
        ]
        process.task(0xB000, 7, .continuation, in: "Server.run()", line: 31)
        process.task(0xB100, 8, .task(0xB000), in: "main", line: 40)
        process.task(0xB200, 9, .timer, in: "Server.tick()", line: 41)
        process.mayBeWoken = "a listening socket"
        expectHealthy(process)
    }

    @Test("a suspended queue without items is no trouble, nor is one with only the agent's")
    func suspended() {
        var process = Staged()
        process.queue(photos, "com.telltale.photos", suspended: 1)
        process.thread(21, .queue(downloads), name: "telltale-work", isAgent: true)
        process.queue(downloads, "com.telltale.downloads", waiters: [21], suspended: 1)
        expectHealthy(process)
        #expect(process.answer.notIt.contains { $0.contains("com.telltale.photos is suspended") })
    }

    @Test("a pool with one thread that may come free is busy, not exhausted")
    func pool() {
        var process = Staged()
        process.thread(
            11, .semaphore(0x9000), in: "a()", line: 1, name: "oot.default-qos",
            under: ["_dispatch_worker_thread"])
        process.thread(
            12, .running, in: "b()", line: 1, name: "oot.default-qos",
            under: ["_dispatch_worker_thread"])
        process.queue(
            Staged.root, "com.apple.root.default-qos", .global, target: nil, items: ["c()"])
        process.mayBeWoken = "a connection"
        expectHealthy(process)
    }

    @Test("a wait that has lasted less than the patience is no trouble, and worth another look")
    func young() {
        var process = Staged()
        process.thread(
            11, .semaphore(0x9000), in: "a()", line: 1, held: [downloads], resting: 0.2)
        process.queue(downloads, "com.telltale.downloads", owner: 11, items: ["a()"])
        process.window = 0.15
        expectHealthy(process)
        #expect(process.finder.hasYoungSuspects)
    }

    @Test("a timer of Dispatch's manager that has fired is no reason to hope")
    func manager() {
        var process = StagedProcess()
        process.thread(
            20, .event("epoll_wait"), under: ["_dispatch_event_loop_drain"], resting: 0.1)
        process.thread(11, .semaphore(0x9000), in: "upload()", line: 3, held: [photos])
        process.queue(photos, "com.telltale.uploads", .concurrent, used: 1)
        process.moving = [20]
        #expect(process.answer.findings.first?.kind == "semaphore", "\(process.screen)")
    }
}
