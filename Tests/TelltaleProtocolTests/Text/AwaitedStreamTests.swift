import Testing

@testable import TelltaleProtocol

/// A task that waits for a stream, in words.
@Suite struct AwaitedStreamTests {
    private typealias Finding = StuckAnswer.Finding

    private static func party(count: Int? = nil, in function: String) -> StuckAnswer.Party {
        var party = StuckAnswer.Party(.init(.task, "task #14 fetch"), .continuation)
        party.count = count
        party.waitsIn = function
        return party
    }

    @Test("stuck says that it waits for the stream's next element")
    func stuck() {
        let one = Self.party(in: "AsyncStream.Iterator.next")
        #expect(one.relation == "waits for the next element of an AsyncStream")
        #expect(
            Finding(.notResumed, parties: [one]).title
                == "task #14 fetch waits for the next element of an AsyncStream, which nothing sends"
        )
        let many = Self.party(count: 2, in: "AsyncThrowingStream.Iterator.next")
        #expect(
            Finding(.notResumed, .waits, parties: [many]).title
                == "2 tasks, one is #14 fetch, wait for the next element of an AsyncThrowingStream")
    }

    @Test("a package's function is named beside the continuation, as ever")
    func package() {
        let one = Self.party(in: "NIOCore next()")
        #expect(one.relation == "waits for a continuation to be resumed, in NIOCore next()")
    }

    @Test("so does the table of tasks")
    func tasks() {
        var entry = TasksAnswer.Entry()
        entry.id = 1
        entry.state = "suspended"
        entry.waitsFor = "continuation"
        entry.waitsIn = "AsyncStream.Iterator.next"
        let lines = TasksAnswer(tasks: [entry]).lines()
        #expect(lines[1].contains("  next element of an AsyncStream  "), "\(lines)")
    }
}
