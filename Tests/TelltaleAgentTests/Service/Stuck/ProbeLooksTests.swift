#if TELLTALE_AGENT
import Foundation
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// A probe answers quickly, however long its check takes.
struct ProbeLooksTests {
    private final class Gate: Sendable {
        private let isOpen = TimedCondition(false)
        private let passed = TimedCondition(0)

        func open() { isOpen.update { $0 = true } }

        /// A check that runs until the gate is open.
        func look(
            _ captures: Int, _ verdict: StuckAnswer.Verdict = .healthy
        ) -> ProbeLooks.Outcome {
            passed.update { $0 += 1 }
            _ = isOpen.wait(until: .now.advanced(by: .seconds(60))) { $0 ? true : nil }
            return ProbeLooksTests.outcome(captures, verdict)
        }

        /// Opens the gate once a check has started.
        func openWhenLookedThrough() throws {
            try NativeThread.start(name: "opens") { [self] in
                while looks == 0 {}
                open()
            }
        }

        var looks: Int { passed.withLock { $0 } }
    }

    private let threads = AgentThreads(patience: .zero)

    private static func outcome(
        _ captures: Int, _ verdict: StuckAnswer.Verdict = .healthy, holds: Duration? = nil
    ) -> ProbeLooks.Outcome {
        ProbeLooks.Outcome(
            answer: StuckAnswer(verdict: verdict, captures: captures, milliseconds: 1), holds: holds
        )
    }

    private static func done(
        _ captures: Int, _ verdict: StuckAnswer.Verdict = .healthy, holds: Duration? = nil
    ) -> @Sendable (Duration, @escaping @Sendable () -> Void) -> ProbeLooks.Outcome {
        { _, _ in outcome(captures, verdict, holds: holds) }
    }

    /// An answer that `stuck` may have given.
    private static func found(
        _ grade: StuckAnswer.Grade, seconds: Double
    ) -> (answer: StuckAnswer, at: MonotonicTime) {
        let finding = StuckAnswer.Finding(
            grade == .deadlock ? .cycle(of: []) : .notSignalled(waiters: 1), grade,
            seconds: seconds, parties: [])
        let answer = StuckAnswer(
            verdict: grade == .deadlock ? .deadlock : .blocked, findings: [finding], captures: 9,
            milliseconds: 1)
        return (answer, .now)
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
        let early = try #require(looks.answer(after: 30, on: threads) { _, _ in gate.look(2) })
        #expect(early.captures == 1)
        #expect(try #require(early.ageSeconds) >= 0)
        // The probe joins the running check and starts no other.
        #expect(looks.answer(after: 30, on: threads, by: Self.done(3))?.captures == 1)
        gate.open()
        var last: StuckAnswer?
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        while last?.captures != 2, .now < deadline {
            last = looks.answer(after: 30, on: threads) { _, _ in gate.look(2) }
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
        try gate.openWhenLookedThrough()
        let next = try #require(looks.answer(after: 30, on: threads) { _, _ in gate.look(2) })
        #expect(next.captures == 2)
        #expect(next.ageSeconds == nil)
    }

    @Test("who asks for another length meanwhile has a look of his own")
    func otherwise() throws {
        let looks = ProbeLooks(patience: .milliseconds(5))
        let gate = Gate()
        #expect(looks.answer(after: 30, on: threads, by: Self.done(1))?.captures == 1)
        #expect(looks.answer(after: 30, on: threads) { _, _ in gate.look(2) }?.captures == 1)
        let other = try #require(looks.answer(after: 5, on: threads, by: Self.done(3)))
        #expect(other.captures == 3)
        #expect(other.ageSeconds == nil)
        gate.open()
    }

    @Test("one that sees something to look at again is waited for")
    func doubt() throws {
        let looks = ProbeLooks(patience: .milliseconds(5))
        #expect(looks.answer(after: 30, on: threads, by: Self.done(1))?.captures == 1)
        let next = looks.answer(after: 30, on: threads) { _, doubt in
            doubt()
            // Longer than the probe waits.
            Thread.sleep(forTimeInterval: 0.1)
            return Self.outcome(2, .deadlock)
        }
        #expect(next?.verdict == .deadlock)
        #expect(next?.ageSeconds == nil)
    }

    @Test("what waited in the last one may be a finding by now: the next one is waited for")
    func older() throws {
        let gate = Gate()
        let looks = ProbeLooks(patience: .milliseconds(5))
        let young = Self.done(1, holds: .zero)
        #expect(looks.answer(after: 30, on: threads, by: young)?.captures == 1)
        try gate.openWhenLookedThrough()
        let next = looks.answer(after: 30, on: threads) { _, _ in gate.look(2, .blocked) }
        #expect(next?.verdict == .blocked)
    }

    @Test(
        "what `stuck` has found since counts, a deadlock at once and all else by its age",
        arguments: [
            (StuckAnswer.Grade.deadlock, 0.5, true), (.stuck, 31, true), (.stuck, 5, false),
            (.waits, 90, false),
        ] as [(StuckAnswer.Grade, Double, Bool)])
    func known(_ grade: StuckAnswer.Grade, _ seconds: Double, _ isAccused: Bool) throws {
        let gate = Gate()
        let looks = ProbeLooks(patience: .milliseconds(5))
        #expect(looks.answer(after: 30, on: threads, by: Self.done(1))?.captures == 1)
        let known = Self.found(grade, seconds: seconds)
        if isAccused { try gate.openWhenLookedThrough() }
        let next = looks.answer(after: 30, known: known, on: threads) { _, _ in gate.look(2) }
        // The new check decides, whatever was found earlier; the last check decides only without an
        // accusation.
        #expect(next?.captures == (isAccused ? 2 : 1))
        gate.open()
    }

    @Test("a look that comes to no end leaves the last one, and a deadlock that is known")
    func noEnd() throws {
        let looks = ProbeLooks(patience: .seconds(60))
        #expect(looks.answer(after: 30, on: threads, by: Self.done(1))?.captures == 1)
        let unknown = Self.done(2, .unknown)
        let last = try #require(looks.answer(after: 30, on: threads, by: unknown))
        #expect(last.captures == 1)
        #expect(last.ageSeconds != nil)
        let known = Self.found(.deadlock, seconds: 1)
        let accused = try #require(
            looks.answer(after: 30, known: known, on: threads, by: unknown))
        #expect(accused.verdict == .deadlock)
        #expect(accused.ageSeconds != nil)
        let stuck = Self.found(.stuck, seconds: 31)
        #expect(
            looks.answer(after: 30, known: stuck, on: threads, by: unknown)?.verdict == .unknown)
    }
}
#endif
