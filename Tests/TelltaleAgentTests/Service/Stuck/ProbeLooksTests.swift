#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// A probe's time is short, however long its look takes.
struct ProbeLooksTests {
    private final class Gate: Sendable {
        private let isOpen = TimedCondition(false)
        private let passed = TimedCondition(0)

        func open() { isOpen.update { $0 = true } }

        /// A look that takes until the gate is open.
        func look(_ captures: Int, _ verdict: StuckAnswer.Verdict = .healthy) -> StuckAnswer {
            passed.update { $0 += 1 }
            _ = isOpen.wait(until: .now.advanced(by: .seconds(60))) { $0 ? true : nil }
            return StuckAnswer(verdict: verdict, captures: captures, milliseconds: 1)
        }

        var looks: Int { passed.withLock { $0 } }
    }

    private let threads = AgentThreads(patience: .zero)

    private static func done(
        _ captures: Int, _ verdict: StuckAnswer.Verdict = .healthy
    ) -> @Sendable () -> StuckAnswer {
        { StuckAnswer(verdict: verdict, captures: captures, milliseconds: 1) }
    }

    @Test("the first one is waited for, and one that is done in time is the answer")
    func first() throws {
        let looks = ProbeLooks(patience: .seconds(60))
        #expect(looks.answer(after: 30, on: threads, by: Self.done(1))?.captures == 1)
        let second = try #require(looks.answer(after: 30, on: threads, by: Self.done(2)))
        #expect(second.captures == 2)
        #expect(second.ageSeconds == nil)
    }

    @Test("one that takes long is answered with the one before, and serves the next")
    func slow() throws {
        let looks = ProbeLooks(patience: .milliseconds(5))
        let gate = Gate()
        #expect(looks.answer(after: 30, on: threads, by: Self.done(1))?.captures == 1)
        let early = try #require(looks.answer(after: 30, on: threads) { gate.look(2) })
        #expect(early.captures == 1)
        #expect(try #require(early.ageSeconds) >= 0)
        // It is joined, not begun again.
        #expect(looks.answer(after: 30, on: threads, by: Self.done(3))?.captures == 1)
        gate.open()
        var last: StuckAnswer?
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        while last?.captures != 2, .now < deadline {
            last = looks.answer(after: 30, on: threads) { gate.look(2) }
        }
        #expect(last?.captures == 2)
    }

    @Test(
        "what was stuck, unknown, asked for otherwise or long ago is no answer of now",
        arguments: [StuckAnswer.Verdict.blocked, .deadlock, .waiting, .unknown, .healthy])
    func notOfNow(_ verdict: StuckAnswer.Verdict) throws {
        let gate = Gate()
        let isOld = verdict == .healthy
        let looks = ProbeLooks(patience: .milliseconds(5), lifetime: isOld ? .zero : .seconds(60))
        #expect(looks.answer(after: 30, on: threads, by: Self.done(1, verdict))?.captures == 1)
        try NativeThread.start(name: "opens") {
            while gate.looks == 0 {}
            gate.open()
        }
        let next = try #require(looks.answer(after: 30, on: threads) { gate.look(2) })
        #expect(next.captures == 2)
        #expect(next.ageSeconds == nil)
    }

    @Test("who asks for another length meanwhile has a look of his own")
    func otherwise() throws {
        let looks = ProbeLooks(patience: .milliseconds(5))
        let gate = Gate()
        #expect(looks.answer(after: 30, on: threads, by: Self.done(1))?.captures == 1)
        #expect(looks.answer(after: 30, on: threads) { gate.look(2) }?.captures == 1)
        let other = try #require(looks.answer(after: 5, on: threads, by: Self.done(3)))
        #expect(other.captures == 3)
        #expect(other.ageSeconds == nil)
        gate.open()
    }
}
#endif
