import Testing

@testable import TelltaleProtocol

@Suite("Threads and stacks as text")
struct StackTextTests {
    @Test("threads are a table, and what was left out is said")
    func threads() {
        #expect(
            SampleAnswers.threads.lines().joined(separator: "\n") == """
                THREAD  NAME                  STATE               CPU  SERVES
                  4242  photo-manager (main)  waiting in ppoll   1.5s  com.apple.main-thread
                  4251  photo-manager         waiting in futex  250ms  com.telltale.photos
                  4260  worker                running           12.4s  task #12 refresh
                … and 2 of the agent's own (`threads --all`)
                note: tasks are not available: the runtime's layout is 2
                """)
    }

    @Test("threads with one stack have one heading; each frame has its function and its place")
    func stack() {
        #expect(
            SampleAnswers.stack.lines().joined(separator: "\n") == """
                thread 4242 "photo-manager" (main)  waiting in ppoll  on queue com.apple.main-thread
                      (the thread ended meanwhile)

                2 threads: 4251 4260  waiting in futex, running  on queue com.telltale.photos  task #12 refresh
                   0  __futex_abstimed_wait_common64           in libc.so.6
                   1  PhotoManager.items.getter                PhotoManager.swift:12 (inlined)
                   2  closure #2 in PhotoManager.download(_:)  PhotoManager.swift:91
                   3  PhotoStore.refresh()                     PhotoStore.swift:30 (async)
                   4  0x7ffe10

                3 threads, 2 different stacks, captured in 1.2 ms, 1 interrupted, for 5 µs at most
                … and 2 of the agent's own (`stack all`)
                note: n
                """)
    }

    @Test("what is the same of threads is said once, and many are counted")
    func heading() {
        let threads = (1...100).map { id in
            ThreadEntry(
                id: Int32(id), name: "w", state: "waiting", call: "futex", queue: "photos",
                cpuSeconds: 0)
        }
        #expect(
            StackText.heading(Array(threads.prefix(3)))
                == "3 threads: 1 2 3  waiting in futex  on queue photos")
        #expect(
            StackText.heading(threads)
                == "100 threads: 1 2 3 4 5 6 7 8 9 10 11 12 … 88 more  waiting in futex"
                + "  on queue photos")
        var agent = threads[0]
        agent.isAgent = true
        #expect(StackText.heading([agent]).hasPrefix("thread 1 \"w\" (the agent's)  waiting"))
        agent.state = "unknown"
        agent.note = "no word of the kernel"
        #expect(
            StackText.heading([agent]).hasSuffix("unknown  on queue photos  no word of the kernel"))
    }

    @Test("a bound on the frames is said, and so is why they end early")
    func limit() {
        let frames = [SampleAnswers.wait, SampleAnswers.download, SampleAnswers.async]
        #expect(
            StackText.lines(of: frames, gap: "no unwind table", limit: 1, indent: "> ") == [
                ">    0  __futex_abstimed_wait_common64  in libc.so.6",
                ">       … 2 more frames", ">       (no unwind table)",
            ])
        #expect(StackText.lines(of: frames, limit: -1) == ["      … 3 more frames"])
        #expect(StackText.lines(of: []).isEmpty)
    }

    @Test("a frame without a name is module and offset, or its address where neither is known")
    func positions() {
        let stripped = StackFrame(module: "photo-manager", address: "0x401f40", offset: "0x1f40")
        #expect(
            StackText.lines(of: [stripped, SampleAnswers.unknown, SampleAnswers.async]) == [
                "   0  photo-manager+0x1f40",
                "   1  0x7ffe10",
                "   2  PhotoStore.refresh()  PhotoStore.swift:30 (async)",
            ])
    }

    @Test("in brief, the library's frames between two of the service's own are counted")
    func between() {
        func own(_ name: String) -> StackFrame {
            StackFrame(function: name, file: "a.swift", line: 1, address: "0x1")
        }
        func library(_ name: String) -> StackFrame {
            StackFrame(function: name, module: "libz.so", address: "0x2")
        }
        let frames = [
            library("wait"), own("inner"), library("map"), own("middle"), library("thunk"),
            library("sync"), own("outer"), library("start"), library("clone"),
        ]
        let lines = StackText.lines(of: frames, isBrief: true).map {
            $0.split(separator: " ").prefix(2).joined(separator: " ")
        }
        // One frame takes as much room as the line that counts it.
        #expect(
            lines == [
                "0 wait", "1 inner", "2 map", "3 middle", "… 2", "6 outer", "7 start", "8 clone",
            ])
        #expect(StackText.lines(of: frames).count == frames.count)
        #expect(
            StackText.lines(of: frames, limit: 5, isBrief: true).last == "      … 2 more frames")
    }

    @Test("in brief, the system's frames above the first with a line are counted")
    func brief() {
        let event = StackFrame(function: "event_wait", module: "libdispatch.so", address: "0x1")
        let sync = StackFrame(function: "sync_slow", module: "libdispatch.so", address: "0x2")
        let frames = [
            SampleAnswers.wait, event, event, sync, SampleAnswers.download, SampleAnswers.async,
        ]
        #expect(
            StackText.lines(of: frames, limit: 3, isBrief: true) == [
                "   0  __futex_abstimed_wait_common64           in libc.so.6",
                "      … 2 frames",
                "   3  sync_slow                                in libdispatch.so",
                "   4  closure #2 in PhotoManager.download(_:)  PhotoManager.swift:91",
                "      … 1 more frame",
            ])
        #expect(StackText.lines(of: [event, sync], isBrief: true).count == 2)
    }

    @Test("on a narrow terminal functions take several lines, and places are not cut")
    func narrow() {
        let lines = StackText.lines(
            of: [SampleAnswers.inlined, SampleAnswers.download], style: TextStyle(width: 60))
        #expect(
            lines == [
                "   0  PhotoManager.items.       PhotoManager.swift:12 (inlined)",
                "        getter",
                "   1  closure #2 in             PhotoManager.swift:91",
                "        PhotoManager.",
                "        download(_:)",
            ])
    }

    @Test(
        "a place is the file's name and its line",
        arguments: [
            ("/a/b/C.swift", 7, "C.swift:7"), ("C.swift", nil, "C.swift"), ("a/", 1, "a/:1"),
            (nil, 7, nil), ("", 7, nil),
        ] as [(String?, Int?, String?)])
    func places(file: String?, line: Int?, place: String?) {
        #expect(StackText.place(file, line) == place)
    }

    @Test("the name of a worker of Dispatch's is marked as the end of a label, others aren't")
    func workerNames() {
        #expect(DispatchText.shown(threadName: "oot.default-qos") == "…oot.default-qos")
        #expect(DispatchText.shown(threadName: "-qos.overcommit") == "…-qos.overcommit")
        #expect(DispatchText.shown(threadName: "photo-manager-1") == "photo-manager-1")
    }

    @Test("the dump's line about all threads counts their states")
    func summary() {
        #expect(SampleAnswers.threads.summary == "THREADS 3: 2 waiting, 1 running")
        #expect(ThreadsAnswer(threads: []).lines() == ["no threads"])
    }
}
