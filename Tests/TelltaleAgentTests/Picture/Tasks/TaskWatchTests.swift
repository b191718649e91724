#if TELLTALE_AGENT
import Foundation
import Synchronization
import TelltalePicture
import TelltaleSystem
import Testing

@testable import TelltaleAgent

#if os(Linux) && arch(x86_64)
/// Tasks that are resumed and wait at the same place a moment later.
struct TaskWatchTests {
    /// Through which a task is resumed.
    private final class Gate: Sendable {
        let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let isOver = Atomic(false)

        func next() async {
            await withCheckedContinuation { next in waiting.withLock { $0 = next } }
        }

        func open() { waiting.withLock { $0.take() }?.resume() }
    }

    private static func facts(named name: String) throws -> TaskFacts {
        try #require(
            Captured.picture([.tasks]).tasks.first {
                $0.name == name && $0.state == .suspended && $0.waitsFor == .continuation
            })
    }

    @Test("one that goes on is seen to, one that waits is not")
    func moves() async throws {
        let (busy, idle) = (Gate(), Gate())
        for (gate, name) in [(busy, "watched, busy"), (idle, "watched, idle")] {
            Task(name: name) { while !gate.isOver.load(ordering: .relaxed) { await gate.next() } }
        }
        defer {
            for gate in [busy, idle] {
                gate.isOver.store(true, ordering: .relaxed)
                gate.open()
            }
        }
        var tasks: [TaskFacts] = []
        while tasks.count < 2 {
            try await Task.sleep(for: .milliseconds(20))
            tasks = ["watched, busy", "watched, idle"].compactMap { try? Self.facts(named: $0) }
        }
        let watch = TaskWatch(tasks)
        #expect(watch.moved(until: .now.advanced(by: .milliseconds(50))).isEmpty)
        Thread.detachNewThread {
            while !busy.isOver.load(ordering: .relaxed) {
                busy.open()
                usleep(2_000)
            }
        }
        #expect(watch.moved(until: .now.advanced(by: .seconds(5))) == [tasks[0].address])
    }
}
#endif
#endif
