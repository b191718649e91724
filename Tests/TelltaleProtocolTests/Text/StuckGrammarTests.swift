import Testing

@testable import TelltaleProtocol

@Suite("What is stuck is said of one and of several")
struct StuckGrammarTests {
    typealias Answer = StuckAnswer

    private static func thread(_ state: Answer.State? = nil, count: Int? = nil) -> Answer.Party {
        var party = Answer.Party(.init(.thread, "thread 7"), state)
        party.thread = 7
        party.count = count
        return party
    }

    private static func task(_ state: Answer.State? = .continuation, count: Int? = nil)
        -> Answer.Party
    {
        var party = Answer.Party(.init(.task, "task #14 fetch"), state)
        party.count = count
        return party
    }

    private static let semaphore = Answer.Subject(.semaphore, "semaphore 0x7f")
    private static let queue = Answer.Subject(.queue, "photos")

    // MARK: What a party does

    @Test(
        "each state has words for one and for several",
        arguments: [
            (.waits(for: queue, nil), "sync to photos", "sync to photos"),
            (.waits(for: queue, .barrier), "barrier sync to photos", "barrier sync to photos"),
            (
                .waits(for: semaphore, .made(with: 1, now: -2)),
                "waits for a semaphore (0x7f, created with 1, 2 waiters)",
                "wait for a semaphore (0x7f, created with 1, 2 waiters)"
            ),
            (
                .waits(for: .init(.lock, "lock 0x8"), .held(by: "thread 3", hasEnded: true)),
                "waits for lock 0x8, held by thread 3, which has ended",
                "wait for lock 0x8, held by thread 3, which has ended"
            ),
            (
                .waits(for: .init(.lock, "lock 0x8"), nil),
                "waits for lock 0x8, whose holder isn't known",
                "wait for lock 0x8, whose holder isn't known"
            ),
            (
                .waits(for: .init(.group, "group 0x9"), .entered(times: 1)),
                "waits for group 0x9: 1 enter() without leave()",
                "wait for group 0x9: 1 enter() without leave()"
            ),
            (.waits(for: .init(.task, "task #3"), nil), "awaits task #3", "await task #3"),
            (
                .waits(for: .init(.actor, "actor Bank"), nil),
                "waits for its turn on actor Bank", "wait for their turn on actor Bank"
            ),
            (
                .waits(for: .init(.thread, "thread 3"), nil), "waits for the end of thread 3",
                "wait for the end of thread 3"
            ),
            (.waits(for: .init(.other, "x"), nil), "waits for x", "wait for x"),
            (
                .event(call: "read"), "waits for input or output in read",
                "wait for input or output in read"
            ),
            (.call(name: "flock"), "is in flock", "are in flock"),
            (.runs, "runs", "run"), (.idle, "waits for work", "wait for work"),
            (.time, "is in a timed wait", "are in timed waits"),
            (.ended, "has ended", "have ended"),
            (.operations, "waits for operations to finish", "wait for operations to finish"),
            (.children(count: 1), "awaits its 1 child task", "await 1 child task each"),
            (.children(count: 2), "awaits its 2 child tasks", "await 2 child tasks each"),
            (
                .continuation, "waits for a continuation to be resumed",
                "wait for continuations to be resumed"
            ),
            (.suspended, "is suspended", "are suspended"),
            (.dependencies(names: ["a", "b"]), "waits for a, b", "wait for a, b"),
        ] as [(Answer.State, String, String)])
    func states(state: Answer.State, one: String, several: String) {
        for make in [Self.thread, Self.task] {
            #expect(make(state, nil).relation == one)
            #expect(make(state, 1).relation == one)
            #expect(make(state, 2).relation == several)
            var cancelled = make(state, 2)
            cancelled.isCancelled = true
            #expect(cancelled.relation == "cancelled, " + several)
        }
    }

    @Test(
        "what has counts of its own says them of one and of several",
        arguments: [
            (.items(count: 1, hold: nil), "1 item waits"),
            (.items(count: 2, hold: .suspended(times: 1)), "suspended, 2 items wait"),
            (.items(count: 1, hold: .suspended(times: 2)), "suspended 2 times, 1 item waits"),
            (.jobs(count: 1), "1 task waits for it"), (.jobs(count: 2), "2 tasks wait for it"),
            (
                .eventLoop(
                    ready: 1, of: 3, unread: [.init(kind: "event", descriptors: 1, unread: 1)]),
                "1 of 3 ready: 1 event counter (at 1)"
            ),
            (
                .eventLoop(
                    ready: 2, of: 3,
                    unread: [
                        .init(kind: "socket", descriptors: 2, unread: 2),
                        .init(kind: "connection", descriptors: 1, unread: nil),
                        .init(kind: "signal", descriptors: 2, unread: nil),
                        .init(kind: "timer", descriptors: 2, unread: 2),
                    ]),
                "2 of 3 ready: 2 sockets (2 B unread), 1 listening socket (with connections), "
                    + "2 signal descriptors, 2 timers (due)"
            ),
        ] as [(Answer.State, String)])
    func counted(state: Answer.State, words: String) {
        #expect(Self.thread(state).relation == words)
    }

    @Test("several that stand at one place are named by one of them")
    func names() {
        #expect(Self.thread(count: 1).name == "thread 7")
        #expect(Self.thread(count: 2).name == "2 threads, one is 7")
        #expect(Self.task(count: 1).name == "task #14 fetch")
        #expect(Self.task(count: 48).name == "48 tasks, one is #14 fetch")
        #expect(Self.task(count: 5_000).name == "5,000 tasks, one is #14 fetch")
        var inside = Self.task(count: 2)
        inside.waitsIn = "NIOCore next()"
        #expect(inside.relation == "wait for continuations to be resumed, in NIOCore next()")
    }

    // MARK: What a finding is called

    @Test(
        "each finding has a title for one and for several",
        arguments: [
            (
                .init(
                    .poolExhausted(pool: .init(.pool, "pool"), threads: 1, items: 1),
                    parties: [thread(.time)]), "pool: its only thread is blocked, 1 item waits"
            ),
            (
                .init(
                    .poolExhausted(pool: .init(.pool, "pool"), threads: 2, items: 2),
                    parties: [thread(.time, count: 2)]),
                "pool: all 2 threads are blocked, 2 items wait"
            ),
            (
                .init(
                    .notSignalled(waiters: 1), parties: [thread(.waits(for: semaphore, nil))]),
                "thread 7 waits for semaphore 0x7f"
            ),
            (
                .init(
                    .notSignalled(waiters: 2), parties: [thread(.waits(for: semaphore, nil))]),
                "thread 7 and 1 more wait for semaphore 0x7f"
            ),
            (
                .init(.slow, parties: [thread(.event(call: "read"))]),
                "thread 7 waits for input or output in read"
            ),
            (
                .init(.notResumed, parties: [task()]),
                "task #14 fetch waits for a continuation that nobody resumes"
            ),
            (
                .init(.notResumed, parties: [task(count: 2)]),
                "2 tasks, one is #14 fetch, wait for continuations that nobody resumes"
            ),
            (
                .init(.notResumed, .waits, parties: [task(count: 2)]),
                "2 tasks, one is #14 fetch, wait for continuations"
            ),
            (
                .init(
                    .eventLoopBlocked(ready: 1),
                    parties: [
                        .init(.init(.eventLoop, "event loop a")),
                        thread(.waits(for: semaphore, nil)),
                    ]),
                "event loop a doesn't turn: thread 7 waits for semaphore 0x7f; 1 descriptor is ready"
            ),
            (
                .init(
                    .eventLoopBlocked(ready: 2),
                    parties: [
                        .init(.init(.eventLoop, "event loop a")),
                        thread(.waits(for: semaphore, nil), count: 2),
                    ]),
                "event loop a doesn't turn: 2 threads, one is 7, wait for semaphore 0x7f; "
                    + "2 descriptors are ready"
            ),
            (
                .init(
                    .queueSuspended,
                    parties: [.init(queue, .items(count: 1, hold: .suspended(times: 1)))]),
                "queue photos is suspended, 1 item waits"
            ),
            (
                .init(.queueSuspended, parties: [.init(queue, .items(count: 2, hold: .inactive))]),
                "queue photos was never activated, 2 items wait"
            ),
        ] as [(Answer.Finding, String)])
    func titles(finding: Answer.Finding, title: String) {
        #expect(finding.title == title)
    }

    @Test("what is said below a finding fits one and several")
    func notes() {
        #expect(
            Answer.Finding(.notResumed, parties: [Self.task()]).note
                == "nothing in the process holds what could resume it")
        #expect(
            Answer.Finding(.notResumed, parties: [Self.task(count: 2)]).note
                == "nothing in the process holds what could resume them")
        #expect(
            Answer.Finding(.eventLoopBlocked(ready: 1), parties: []).note?.contains(
                "this descriptor is served") == true)
        #expect(
            Answer.Finding(.eventLoopBlocked(ready: 2), parties: []).note?.contains(
                "these descriptors is served") == true)
    }

    @Test(
        "what could still end it is said of one and of several",
        arguments: [
            (
                .itself, "it continues by itself when the time is up",
                "they continue by themselves when the time is up"
            ),
            (
                .timer, "a timer that refers to it could still wake it",
                "a timer that refers to it could still wake them"
            ),
        ] as [(Answer.Hope, String, String)])
    func hopes(hope: Answer.Hope, one: String, several: String) {
        for (party, note) in [(Self.task(), one), (Self.task(count: 2), several)] {
            #expect(Answer.Finding(.notResumed, .waits, parties: [party], hope: hope).note == note)
        }
    }

    @Test("whose hope it is is said where several wait")
    func hopeOfTheFirst() {
        let parties = [Self.thread(.event(call: "accept")), Self.task()]
        let waits = Answer.Finding(.notResumed, .waits, parties: parties, hope: .itself)
        #expect(waits.note?.contains("thread 7 continues by itself when there is input") == true)
        let many = [Self.task(count: 2), Self.task()]
        #expect(
            Answer.Finding(.notResumed, .waits, parties: many, hope: .timer).note
                == "a timer that refers to it could still wake the first of these")
    }

    @Test("several deadlocks that are alike are counted in the first line and in the status")
    func alike() {
        var answer = SampleAnswers.deadlock
        #expect(!answer.lines()[0].contains("×") && !answer.summary.contains("×"))
        answer.findings[0].count = 1_050
        #expect(
            answer.lines()[0].hasPrefix("DEADLOCK ×1,050 since 03:12:32Z (at least 12.3 s): photos")
        )
        #expect(answer.summary.hasPrefix("DEADLOCK ×1,050 photos -> downloads"))
    }

    @Test("what waits behind it, in the line of the status")
    func blocked() {
        var answer = SampleAnswers.healthy
        answer.verdict = .blocked
        var blocked = Answer.Blocked()
        blocked.items = 1
        answer.findings = [Answer.Finding(.slow, parties: [Self.thread(.event(call: "read"))])]
        answer.blocked = blocked
        let title = "STUCK thread 7 waits for input or output in read"
        #expect(answer.summary == title + "; 1 item waits")
        #expect(answer.lines().contains("BLOCKED BY IT  1 item"))
        answer.blocked?.items = 2
        #expect(answer.summary == title + "; 2 items wait")
        answer.blocked?.items = 1
        answer.blocked?.tasks = 1
        #expect(answer.summary == title + "; 1 item, 1 task wait")
        answer.findings.append(answer.findings[0])
        #expect(answer.summary == title + " (and 1 more); 1 item, 1 task wait")
    }

    @Test("a healthy service's line counts one and several")
    func healthy() {
        var answer = Answer(verdict: .healthy, captures: 1, milliseconds: 1)
        (answer.queues, answer.threads, answer.tasks) = (1, 1, 1)
        #expect(answer.summary.hasSuffix("1 task are idle or making progress; 1 capture in 1 ms"))
        answer.captures = 2
        (answer.queues, answer.threads, answer.tasks) = (2, 2, 2)
        #expect(answer.summary.contains(": 2 queues, 2 threads, 2 tasks are idle or "))
        #expect(answer.summary.contains("; 2 captures in "))
        (answer.queues, answer.threads, answer.tasks) = (nil, 1, nil)
        #expect(answer.summary.hasPrefix("healthy: 1 thread is idle or making progress; "))
        answer.threads = nil
        #expect(answer.summary.hasPrefix("healthy: nothing is stuck; "))
    }
}
