import Testing

@testable import TelltaleProtocol

@Suite("Answers as text")
struct AnswerTextTests {
    private let peer = Peer(uid: 501, pid: 977, program: "bash")

    private func change(
        _ number: Int, old: String? = "nil", new: String = "\"WOOT!\"", result: String = "done"
    ) -> ChangeRecord {
        ChangeRecord(
            number: number, path: "photos.prompt", old: old, new: new, result: result, by: peer,
            time: "2026-11-21T03:12:45.118Z")
    }

    @Test(
        "a change is one line that says how it is put back",
        arguments: [
            (
                "done",
                "photos.prompt: nil -> \"WOOT!\"      (change 1; `undo 1` puts it back)"
            ),
            (
                "undoes 4",
                "photos.prompt: nil -> \"WOOT!\"      (change 1 undoes 4; `undo 1` puts it back)"
            ),
            ("timed out", "photos.prompt: nil -> \"WOOT!\"      (change 1; timed out)"),
        ])
    func changeLine(result: String, line: String) {
        #expect(ChangeAnswer(change: change(1, result: result)).rendered() == line)
    }

    @Test("what did not notice a change is said on a line of its own")
    func changeNote() {
        var told = change(1)
        told.note = "no observer was told"
        #expect(
            ChangeAnswer(change: told).rendered() == """
                photos.prompt: nil -> "WOOT!"      (change 1; `undo 1` puts it back)
                  note: no observer was told
                """)
    }

    @Test("changes are a table, and how many were dropped is said")
    func changes() {
        let answer = ChangesAnswer(
            changes: [
                change(9), change(10, old: nil, new: "(\"a\")", result: "failed: no network"),
            ],
            dropped: 1_000)
        #expect(
            answer.rendered() == """
                CHANGE  TIME                      BY                 PATH           OLD  NEW      RESULT
                     9  2026-11-21T03:12:45.118Z  bash(977) uid=501  photos.prompt  nil  "WOOT!"  done
                    10  2026-11-21T03:12:45.118Z  bash(977) uid=501  photos.prompt  -    ("a")    failed: no network
                … 1,000 older, no longer kept
                """)
        #expect(
            ChangesAnswer(changes: [], dropped: 0).rendered()
                == "nothing was changed or called")
    }

    @Test("a peer that can't be seen is named as that")
    func peers() {
        #expect(Peer(uid: 0, pid: 0, program: nil).text == "unseen process uid=0")
        #expect(Peer(uid: 0, pid: 7, program: nil).text == "pid(7) uid=0")
        var admin = Peer(uid: 0, pid: 7, program: "telltale")
        admin.login = 1000
        admin.terminal = "pts/3"
        #expect(admin.text == "telltale(7) uid=0 login=1000 pts/3")
    }

    @Test("a call shows its result and the change by which it is listed")
    func call() {
        let nothing = CallAnswer(
            action: "photos.refresh", value: nil, microseconds: 1_250, change: 3)
        #expect(nothing.rendered() == "photos.refresh: done  (1.2 ms, change 3)")
        let some = CallAnswer(
            action: "photos.count", value: ValueNode(type: "Int", kind: .scalar, text: "12"),
            microseconds: 180, change: 4)
        #expect(some.rendered() == "photos.count: 12  (180 µs, change 4)")
    }

    @Test("actions are a table of signatures")
    func actions() {
        let answer = ActionsAnswer(actions: [
            .init(
                name: "photos.add", parameters: ["String", "Int"], result: "()",
                owner: "queue com.telltale.photos, concurrent", isAsync: false),
            .init(
                name: "refresh", parameters: [], result: "Int", owner: "main actor", isAsync: true),
        ])
        #expect(
            answer.rendered() == """
                ACTION                   RESULT  OWNER
                photos.add(String, Int)  ()      queue com.telltale.photos, concurrent
                refresh() async          Int     main actor
                """)
        #expect(
            ActionsAnswer(actions: []).rendered() == "no actions are registered")
    }

    @Test("objects are a table")
    func objects() {
        let answer = ObjectsAnswer(objects: [
            .init(
                name: "photos", type: "PhotoManager",
                owner: "queue com.telltale.photos, concurrent", state: "alive",
                address: "0x7f3a10"),
            .init(name: "写真\n", type: "Library", owner: "none", state: "gone", address: nil),
        ])
        #expect(
            answer.rendered() == """
                NAME    TYPE          OWNER                                  STATE  ADDRESS
                photos  PhotoManager  queue com.telltale.photos, concurrent  alive  0x7f3a10
                写真\\n  Library       none                                   gone   -
                """)
        #expect(
            ObjectsAnswer(objects: []).rendered() == "no objects are registered")
    }

    @Test("a table is narrowed to its terminal, the widest columns first, and says what it cut")
    func narrowTable() {
        let answer = ObjectsAnswer(objects: [
            .init(
                name: "photos", type: "PhotoManager",
                owner: "queue com.telltale.photos, concurrent", state: "alive",
                address: "0x7f3a10")
        ])
        #expect(
            answer.rendered(TextStyle(width: 60)) == """
                NAME    TYPE          STATE  ADDRESS
                photos  PhotoManager  alive  0x7f3a10
                    owner queue com.telltale.photos, concurrent
                """)
    }

    @Test("no width is too small for a table", arguments: [-1, 0, 1, 40])
    func tinyWidths(width: Int) {
        let answer = ObjectsAnswer(objects: [
            .init(name: "n", type: "T", owner: "none", state: "alive", address: nil)
        ])
        #expect(
            answer.rendered(TextStyle(width: width)).split(separator: "\n").count
                >= 2)
    }

    @Test("queues are a table; the one that did not answer is red where there is colour")
    func queues() {
        let answer = QueuesAnswer(queues: [
            filled(.init(label: "com.apple.main-thread", kind: "main", qos: "unspecified")) {
                $0.latencyMicroseconds = 180
            },
            filled(.init(label: "com.telltale.photos", kind: "concurrent", qos: "utility")) {
                $0.finding = "no answer for 1.0 s"
                $0.objects = ["photos", "library"]
            },
        ])
        #expect(
            answer.rendered() == """
                QUEUE                  KIND        QOS          LATENCY  OBJECTS          FINDING
                com.apple.main-thread  main        unspecified   180 µs  -                -
                com.telltale.photos    concurrent  utility            -  photos, library  no answer for 1.0 s
                """)
        let coloured = answer.rendered(TextStyle(color: true))
        #expect(coloured.contains("\u{1B}[31mno answer for 1.0 s\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[1mcom.apple.main-thread\u{1B}[0m"))
    }

    private var status: StatusAnswer {
        StatusAnswer(
            name: "photo-manager", pid: 4242, uptimeSeconds: 11_520, state: "running", threads: 19,
            residentBytes: 88_080_384, cpuSeconds: 12.46, slowestQueue: "com.telltale.photos",
            slowestMicroseconds: 1_250, unanswered: [], stoppedSeconds: 0, mode: "read-write",
            problems: [])
    }

    @Test("the status is one line")
    func statusLine() {
        #expect(
            status.rendered()
                == "photo-manager(4242) running up=3h12m threads=19 rss=84M cpu=12.4s "
                + "slowest=com.telltale.photos (1.2 ms) unanswered=none stopped=0s mode=read-write")
    }

    @Test("threads and memory are said to be unknown where they can't be read")
    func statusWithoutFacts() {
        var blind = status
        blind.threads = 0
        blind.residentBytes = 0
        #expect(blind.rendered().contains("threads=unknown rss=unknown cpu="))
    }

    @Test("what is wrong stands in the status line, which takes as many lines as it needs")
    func statusOfTrouble() {
        var wrong = status
        wrong.slowestMicroseconds = nil
        wrong.unanswered = ["a", "b\n"]
        wrong.problems = ["SIGUSR1 is blocked", "1 worker given up"]
        #expect(
            wrong.rendered()
                == "photo-manager(4242) running up=3h12m threads=19 rss=84M cpu=12.4s "
                + "slowest=com.telltale.photos (no answer) unanswered=a,b\\n stopped=0s "
                + "mode=read-write problems: SIGUSR1 is blocked; 1 worker given up")
        #expect(
            status.rendered(TextStyle(width: 30)) == """
                photo-manager(4242) running
                  up=3h12m threads=19 rss=84M
                  cpu=12.4s
                  slowest=com.telltale.photos
                  (1.2 ms) unanswered=none
                  stopped=0s mode=read-write
                """)
        #expect(
            wrong.rendered(TextStyle(width: 30)).replacing("\n  ", with: " ") == wrong.rendered())
    }

    @Test("what is stuck and the oldest item stand in the status line where they are known")
    func statusOfStuck() {
        var wrong = status
        wrong.stuck = "DEADLOCK a -> b -> a"
        wrong.oldestSeconds = 12.46
        #expect(
            wrong.rendered().contains(" oldest=12.4s unanswered=none "))
        #expect(wrong.rendered().contains(" mode=read-write stuck=DEADLOCK a -> b -> a"))
        #expect(wrong.rendered(TextStyle(color: true)).hasPrefix("\u{1B}[31m"))
        wrong.stuck = "-"
        wrong.oldestSeconds = 0
        #expect(wrong.rendered() == status.rendered())
    }

    @Test("info has its sections, the values of all under each other")
    func info() {
        let answer = InfoAnswer(sections: [
            .init(name: "process", rows: [.init("pid", "4242"), .init("name", "photo\u{1B}")]),
            .init(name: "agent", rows: [.init("connections", "1 of 16")]),
        ])
        #expect(
            answer.rendered() == """
                PROCESS
                  pid          4242
                  name         photo\\u{1B}

                AGENT
                  connections  1 of 16
                """)
    }

    @Test("a dump is its lines, or where the client wrote them")
    func dump() {
        var answer = DumpAnswer(
            id: 7, time: "", lines: ["telltale[1] d7 BEGIN", "telltale[1] d7 a\u{1B}[2J"],
            missing: 0, file: nil)
        #expect(
            answer.rendered() == """
                telltale[1] d7 BEGIN
                telltale[1] d7 a\\u{1B}[2J
                """)
        answer.file = "/tmp/a\u{1B}"
        #expect(answer.rendered() == "dump d7: 2 lines written to /tmp/a\\u{1B}")
    }

    @Test("hello is one line")
    func hello() {
        var answer = HelloAnswer()
        answer.protocolVersion = 1
        answer.agent = "0.1.0"
        answer.name = "photo-manager"
        answer.pid = 4242
        answer.startTicks = 1
        answer.uptimeSeconds = 11_520
        answer.buildID = "9f2c"
        answer.uid = 501
        answer.mode = "read-only"
        answer.residentBytes = 88_080_384
        #expect(
            answer.rendered()
                == "photo-manager(4242), up 3h12m, read-only, 84M, uid 501, build 9f2c, "
                + "agent 0.1.0, protocol 1")
    }

    @Test("completions are a line each, and a cut is said")
    func completion() {
        #expect(
            CompletionAnswer(candidates: ["photos.items", "a\t"], isCut: true)
                .rendered() == "photos.items\na\\t\n… more")
    }

    @Test("a failure is its sentence and its hint; lines of the host can't pass for another")
    func failure() {
        let failure = CommandFailure(
            .hostError, "it threw:\nerror: \u{1B}[2Jforged", hint: "one\ntwo")
        #expect(
            failure.rendered() == """
                error: it threw:
                  error: \\u{1B}[2Jforged
                  one
                  two
                """)
        #expect(
            CommandFailure(.gone, "x").rendered(TextStyle(color: true))
                == "\u{1B}[31merror:\u{1B}[0m x")
    }
}
