#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

private final class Work {
    let waiting: Task<Void, any Error>
    let done: Task<Int, Never>
    var tasks: [Task<Void, any Error>] = []

    init() {
        waiting = Task.detached { try await Task.sleep(for: .seconds(3600)) }
        done = Task.detached { 42 }
        tasks = [waiting]
    }
    deinit { waiting.cancel() }
}

@Suite("A task's handle is shown by the task's state") struct ReadingTaskTests {
    @Test("one that waits, one that has ended")
    func states() async throws {
        _ = TaskLayout.known(by: .now.advanced(by: .seconds(20)))
        let work = Work()
        #expect(await work.done.value == 42)
        func note(_ path: String) throws -> String {
            try ValueReader.usual().read(work, path).note ?? ""
        }
        try waitUntil("it sleeps") { try note("x.waiting").hasSuffix(", suspended") }
        #expect(try note("x.waiting").hasPrefix("task "))
        #expect(try note("x.tasks[0]") == note("x.waiting"))
        #expect(try note("x.done") == "has ended")
        work.waiting.cancel()
        try waitUntil("it has ended") { try note("x.waiting") == "has ended" }
    }
}
#endif
