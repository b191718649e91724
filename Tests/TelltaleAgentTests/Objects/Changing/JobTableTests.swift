#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("Calls that go on are bounded, and what those gave that were given up is kept for a while")
struct JobTableTests {
    private let table: JobTable

    init() {
        let memory = KeptMemory(limit: 1 << 20)
        table = JobTable(
            changes: ChangeLog(limit: 10, audit: "off", memory: memory),
            workers: WorkerPool(limit: 2), memory: memory)
    }

    private func begin() throws -> Job {
        try table.begin(
            "call", "a.b", on: .none, by: Peer(uid: 1, pid: 2, program: "p"), task: nil)
    }

    @Test("one that was answered is forgotten; what is given up stays until it ends")
    func answered() throws {
        let (first, second) = (try begin(), try begin())
        first.runs()
        first.ended(.returned(nil))
        first.isAnswered()
        second.runs()
        #expect(try table.answer(nil).jobs.map(\.state) == [JobsAnswer.runs])
        #expect(!second.isGivenUp)
        second.giveUp("the client has gone")
        #expect(second.isGivenUp)
        let value = ValueNode(type: "Int", kind: .scalar, text: "7")
        second.ended(.returned(value))
        let kept = try #require(try table.answer(second.number).jobs.first)
        #expect(kept.value == value && kept.result == "done" && kept.state == JobsAnswer.ended)
        let gone = #expect(throws: CommandFailure.self) { try table.answer(first.number) }
        #expect(gone?.message.contains("it was answered") == true)
    }

    @Test("one that ends between its deadline and its being given up is kept too")
    func moment() throws {
        let job = try begin()
        job.runs()
        job.ended(.threw("x", type: "Jam"))
        job.giveUp("its deadline passed")
        #expect(try table.answer(nil).jobs.map(\.result) == ["threw Jam"])
    }

    @Test("no call is made while as many go on as may, and of what has ended the last are kept")
    func bounds() throws {
        let jobs = try (0..<JobTable.mostGivenUp).map { _ in
            let job = try begin()
            job.giveUp("its deadline passed")
            return job
        }
        let full = #expect(throws: CommandFailure.self) { try begin() }
        #expect(full?.code == .bound)
        for job in jobs { job.ended(.returned(nil)) }
        _ = try begin()
        let answer = try table.answer(nil)
        #expect(answer.jobs.count == JobTable.mostEnded + 1)
        #expect(answer.dropped == JobTable.mostGivenUp - JobTable.mostEnded)
        #expect(answer.jobs.first?.state == JobsAnswer.waits)
    }
}
#endif
