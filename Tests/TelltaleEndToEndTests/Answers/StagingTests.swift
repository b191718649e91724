import TelltaleSystem
import TelltaleTestSupport
import Testing

/// States staged for other suites are as those expect them.
@Suite(.timeLimit(.minutes(4)))
struct StagingTests {
    @Test(
        "threads and tasks are parked, in debug code and in optimised code",
        arguments: [false, true])
    func parked(optimised: Bool) throws {
        let host = try TestHost()
        let parked = try host.park("all", optimised: optimised)
        let kinds = Set(parked.map(\.kind))
        #expect(
            kinds == [
                "read", "poll", "epoll", "usleep", "condition", "semaphore", "sync", "sync-holder",
                "nslock", "nslock-holder", "mutex", "mutex-holder", "inlined", "deep", "task",
                "actor", "actor-holder", "task-blocked",
            ])
        for place in parked {
            #expect(place.isOptimised == optimised)
            #expect(place.chain.count >= 3 || place.kind.hasSuffix("-holder"), "\(place)")
            let isSuspended = place.kind == "task" || place.kind == "actor"
            #expect((place.thread == nil) == isSuspended, "\(place)")
            if let thread = place.thread {
                let stat = SmallFile.text(of: "/proc/\(host.pid)/task/\(thread)/stat") ?? "gone"
                #expect(stat.contains(") S "), "\(place): \(stat)")
            }
        }
    }

    @Test("a thousand threads are parked, and others spin and come and go")
    func crowd() throws {
        let host = try TestHost()
        let parked = try host.park("usleep", count: 1000, optimised: true)
        #expect(Set(parked.compactMap(\.thread)).count == 1000)
        let spinning = try host.spin(1, calling: true, optimised: true)
        #expect(spinning.first?.chain.last?.function == "spinCallingOuter")
        #expect(try host.perform("spin-stop") == "stopped")
        try host.perform("rush threads 1000")
        try host.perform("rush libraries")
        try host.perform("rush forks 20")
        try host.wait(for: "rush", toBe: "more than 0 of each") { !$0.contains(" 0 ") }
        try host.perform("rush stop")
        #expect(host.isRunning)
    }

    /// As listed by `photo-manager --fault list`; those that can be cleared with the message then.
    private static let faults: [(name: String, whenCleared: String?)] = [
        ("ab-ba-sync", nil), ("sync-on-self", nil), ("main-waits", nil),
        ("barrier-behind-reader", "is cleared"), ("suspended-queue", "photo 1 is tried again"),
        ("group-never-left", nil), ("semaphore-never-signalled", nil), ("pool-exhausted", nil),
        ("nslock-ab-ba", nil), ("mutex-ab-ba", nil), ("queue-lock-queue", nil),
        ("actor-continuation", nil), ("tasks-await-each-other", nil),
        ("operation-dependency", "all thumbnails are published"),
        ("operation-in-own-queue", "the album is published"),
    ]

    @Test("every fault of the gallery is staged, the agent answers, and what can be is cleared")
    func gallery() throws {
        for fault in Self.faults {
            let service = try PhotoService(photos: 1, fault: fault.name)
            let info = try service.shell("telltale photo-manager info")
            #expect(info.status == 0, "\(fault.name): \(info.text)")
            let clearing = try service.shell("telltale photo-manager 'fault.clear()'")
            #expect((clearing.status == 0) == (fault.whenCleared != nil), "\(fault.name)")
            if let text = fault.whenCleared { try service.waitFor(text) }
        }
    }

    @Test("under full load the service answers, and each of its queues does")
    func load() throws {
        let service = try PhotoService(photos: 4, options: ["--load"])
        for _ in 0..<10 {
            let queues = try service.shell("telltale photo-manager queues")
            for cut in ["did not answer", "could not be asked"] {
                #expect(!queues.text.contains(cut), "\(queues.text)")
            }
            #expect(try service.shell("telltale photo-manager operations").status == 0)
        }
        let wall = try service.shell("telltale photo-manager get photos.items.count")
        #expect(wall.text == "4\n")
    }
}
