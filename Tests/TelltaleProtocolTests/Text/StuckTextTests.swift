import Testing

@testable import TelltaleProtocol

@Suite("What is stuck, as text")
struct StuckTextTests {
    @Test("a deadlock begins with the cycle and ends with what to do next")
    func deadlock() {
        #expect(
            SampleAnswers.deadlock.lines().joined(separator: "\n") == """
                DEADLOCK since 03:12:32Z (at least 12.3 s): photos -> downloads -> photos
                  thread 4251 on photos     sync to downloads  PhotoManager.swift:91  PhotoManager.download(_:)
                  thread 4252 on downloads  sync to photos     PhotoManager.swift:48  PhotoManager.add(_:)

                BLOCKED BY IT  thread 4260 on covers in Covers.draw() Covers.swift:7
                               1 more thread, 31 items
                NOT IT         thumbs is suspended (the service called suspend), and nothing waits for it
                NEXT           stack 4251 4252 · queue photos · dump --output FILE
                note: n

                thread 4251
                   0  __futex_abstimed_wait_common64           in libc.so.6
                   1  closure #2 in PhotoManager.download(_:)  PhotoManager.swift:91
                thread 4252
                      (the thread ended meanwhile)
                """)
    }

    @Test("on a narrow terminal the places stay and the functions have lines of their own")
    func narrow() {
        let lines = SampleAnswers.deadlock.lines(TextStyle(width: 80))
        #expect(lines.allSatisfy { $0.columns <= 80 && !$0.contains("…") }, "\(lines)")
        #expect(lines[1].hasSuffix("sync to downloads  PhotoManager.swift:91"))
        #expect(lines[2] == "         PhotoManager.download(_:)")
        let narrower = SampleAnswers.deadlock.lines(TextStyle(width: 50))
        #expect(
            narrower[2...6] == [
                "  thread 4251 on photos     sync to downloads",
                "    at PhotoManager.swift:91",
                "         PhotoManager.download(_:)",
                "  thread 4252 on downloads  sync to photos",
                "    at PhotoManager.swift:48  PhotoManager.add(_:)",
            ])
    }

    @Test("a healthy host gets one line, without the words that a search for trouble looks for")
    func healthy() {
        var answer = SampleAnswers.healthy
        #expect(
            answer.lines().joined(separator: "\n") == """
                healthy: 7 queues, 19 threads, 1,000 tasks are idle or making progress; 2 captures in 310 ms
                """)
        answer.notes = ["tasks (the runtime is another)"]
        #expect(answer.lines().count == 1)
        #expect(answer.lines()[0].hasSuffix("; not captured: tasks (the runtime is another)"))
        let words = answer.lines()[0].lowercased()
        for word in ["stuck", "deadlock", "blocked"] { #expect(!words.contains(word)) }
        #expect(answer.summary == answer.lines()[0])
    }

    @Test("what could not be captured in time is not called healthy")
    func unknown() {
        var answer = SampleAnswers.healthy
        answer.verdict = .unknown
        #expect(answer.lines().count == 1 && !answer.isStuck)
        #expect(answer.lines()[0].hasPrefix("unknown, since the capture is incomplete: 7 queues"))
        #expect(!answer.lines()[0].contains("healthy"))
    }

    @Test(
        "what may still come is stuck and no deadlock; one that is not thought of is said all the same"
    )
    func blocked() {
        var answer = SampleAnswers.healthy
        answer.verdict = .blocked
        var waiter = StuckAnswer.Party(
            .init(.thread, "thread 7"),
            .waits(for: .init(.semaphore, "semaphore 0x7f6000"), .made(with: 2, now: -1)))
        waiter.frames = [SampleAnswers.wait]
        answer.findings = [
            StuckAnswer.Finding(.notSignalled(waiters: 1), parties: [waiter])
        ]
        #expect(
            answer.lines().joined(separator: "\n") == """
                STUCK: thread 7 waits for a semaphore (0x7f6000, created with 2, 1 waiter)
                  thread 7  waits for a semaphore (0x7f6000, created with 2, 1 waiter)
                  a semaphore has no owner: the code that was to signal it isn't known

                BLOCKED BY IT  nothing else

                thread 7
                   0  __futex_abstimed_wait_common64  in libc.so.6
                """)
        answer.findings = []
        #expect(answer.lines() == ["BLOCKED BY IT  nothing else"])
        #expect(answer.summary == "STUCK")
    }

    @Test("a long wait is said with its hope, and the service is well but for it")
    func waits() {
        var answer = SampleAnswers.healthy
        answer.verdict = .waiting
        let party = StuckAnswer.Party(
            .init(.queue, "downloads"), .items(count: 3, hold: .suspended(times: 1)))
        answer.findings = [
            StuckAnswer.Finding(
                .queueSuspended, .waits, seconds: 12, parties: [party], hope: .resume(calls: 1))
        ]
        answer.next = ["queue downloads"]
        #expect(
            answer.lines().joined(separator: "\n") == """
                WAITS LONG (at least 12 s): queue downloads is suspended, 3 items wait
                  downloads  suspended, 3 items wait
                  the service called suspend(); nothing runs on it until it calls resume()

                healthy, except for long waits that may still end: 7 queues, 19 threads, 1,000 tasks; 2 captures in 310 ms
                NEXT           queue downloads
                """)
        #expect(answer.summary == "WAITS LONG queue downloads is suspended, 3 items wait")
        // In a shell the next command can be typed as it is.
        var shell = TextStyle()
        shell.invocation = "telltale photo-manager"
        #expect(
            answer.lines(shell).last == "NEXT           telltale photo-manager queue downloads")
        #expect(!answer.isStuck && answer.exitStatus == .done)
        answer.isStrict = true
        #expect(answer.isStuck && answer.exitStatus == .stuck)
    }

    @Test("one line also says who waits the longest, and who uses a core")
    func longest() {
        var answer = SampleAnswers.healthy
        var thread = StuckAnswer.Party(
            .init(.thread, "thread 7"), on: .init(.queue, "photos"), .event(call: "read"))
        thread.thread = 7
        thread.function = "load(_:)"
        thread.file = "/src/Photos.swift"
        thread.line = 12
        var finding = StuckAnswer.Finding(.slow, .waits, seconds: 90, parties: [thread])
        finding.evidence = nil
        finding.since = "2026-11-21T03:12:32.818Z"
        answer.longest = finding
        thread.state = .runs
        thread.file = nil
        thread.function = "hash(_:)"
        answer.busy = [StuckAnswer.Busy(thread, share: 0.98)]
        #expect(
            answer.lines() == [
                "healthy: 7 queues, 19 threads, 1,000 tasks are idle or making progress; 2 captures "
                    + "in 310 ms; longest wait: queue photos: thread 7 waits for input or output in read since 03:12:32Z "
                    + "(at least 1m30s), in load(_:) Photos.swift:12; busy: thread 7 in hash(_:) (98% of a core)"
            ])
        answer.busyOmitted = 5
        #expect(answer.lines().first?.hasSuffix("hash(_:) (98% of a core) and 5 more") == true)
    }

    @Test("a dump's head and the status have the verdict in one line")
    func summary() {
        #expect(
            SampleAnswers.deadlock.summary
                == "DEADLOCK photos -> downloads -> photos; 31 items, 2 threads wait")
    }

    @Test("a finding of a deadlock is red where there is colour")
    func colour() {
        #expect(
            SampleAnswers.deadlock.rendered(TextStyle(color: true)).hasPrefix(
                "\u{1B}[31mDEADLOCK\u{1B}[0m since"))
    }
}
