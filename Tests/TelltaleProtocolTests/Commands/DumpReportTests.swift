import Testing

@testable import TelltaleProtocol

/// The text of a dump, made of answers.
@Suite("a dump is made of the commands' answers")
struct DumpReportTests {
    private static let status = StatusAnswer(
        name: "photo-manager", pid: 4242, uptimeSeconds: 11_520, state: "running", threads: 19,
        residentBytes: 88_080_384, cpuSeconds: 230.4, slowestQueue: nil, slowestMicroseconds: nil,
        unanswered: [], stoppedSeconds: 0, mode: "read-only", problems: [])
    private static let healthy = StuckAnswer(
        verdict: .healthy, captures: 1, milliseconds: 3)

    private static func report(
        _ cause: DumpReport.Cause = .client(Peer(uid: 0, pid: 977, program: "bash")),
        queues: QueuesAnswer = QueuesAnswer(queues: [])
    ) -> DumpReport {
        DumpReport(
            id: 7, time: "2026-11-21T03:12:45.118Z", buildID: "9f2c11aa77", cause: cause,
            previous: (id: 6, age: 41), captured: "2026-11-21T03:12:45.121Z",
            captureMicroseconds: 31_000, status: status,
            process: DumpReport.Process(
                descriptors: 41, descriptorLimit: "1024", debugger: nil), stuck: healthy,
            queues: queues)
    }

    private static func lines(_ report: DumpReport) -> [String] {
        let prefix = "telltale[4242] d7 "
        let lines = report.lines(took: 900_000)
        #expect(lines.allSatisfy { $0.hasPrefix(prefix) })
        return lines.map { String($0.dropFirst(prefix.count)) }
    }

    @Test("the head says who asked, what is wrong, and of which moment it is")
    func head() {
        let lines = Self.lines(Self.report())
        #expect(
            lines.prefix(5) == [
                "BEGIN 2026-11-21T03:12:45.118Z photo-manager up=3h12m build=9f2c11aa",
                "by client pid=977(bash) uid=0; previous d6 41 s ago",
                "VERDICT no objects are registered",
                "CAPTURED 2026-11-21T03:12:45.121Z in 31 ms: queues, tasks, actors, operations and "
                    + "threads are of this moment",
                "PROCESS rss=84M cpu=2.0% threads=19 fds=41/1024 debugger=none stopped=0s",
            ])
        #expect(lines.last == "END lines=\(lines.count) took=900ms missing=0")
    }

    @Test("a signal's sender is named, or said not to be known")
    func senders() {
        let sender = Peer(uid: 0, pid: 977, program: "bash")
        let known = Self.lines(
            Self.report(.signal(name: "SIGUSR1", sender: sender, merged: 2)))[1]
        #expect(known.hasPrefix("by SIGUSR1 from pid=977(bash) uid=0; merged=2"))
        let kernel = Peer(uid: 0, pid: 0, program: nil)
        let outside = Self.lines(
            Self.report(.signal(name: "SIGUSR1", sender: kernel, merged: 0)))[1]
        #expect(outside.contains("from the kernel or a process outside of this pid namespace;"))
        let unknown = Self.lines(
            Self.report(.signal(name: "SIGUSR1", sender: nil, merged: 0)))[1]
        #expect(unknown.contains("from an unknown sender"))
    }

    @Test("the verdict of a hang begins with who hangs")
    func hang() {
        let lines = Self.lines(Self.report(.hang(owners: ["photos", "main"], seconds: 5.04)))
        #expect(lines[1].hasPrefix("by the hang watch: 2 owners without progress for 5.0 s"))
        #expect(lines[2].hasPrefix("VERDICT photos, main made no progress for 5.0 s; "))
    }

    @Test("the head has what `doctor` finds beside `stuck`, and a fault of it is the verdict")
    func doctor() {
        var report = Self.report()
        let growth = DoctorAnswer.Finding(
            .grows(
                what: "Session", count: 243, perMinute: 1196, bytes: 7680,
                holder: "SessionStore.sessions"), .suspicion, seconds: 11)
        let notice = DoctorAnswer.Finding(
            .busy(share: 0.5, reason: nil), .notice, seconds: 2)
        report.doctor = [growth, notice]
        let suspicion = Self.lines(report)
        #expect(suspicion[2] == "VERDICT no objects are registered")
        #expect(
            suspicion[3]
                == " GROWS        Session +1,196/min for 11 s (243 now, 7.5 KiB), held by "
                + "SessionStore.sessions")
        #expect(!suspicion.contains { $0.contains("BUSY") })
        report.doctorNotes = ["the descriptors of 1 of 2 child processes can't be read"]
        #expect(
            Self.lines(report).contains(
                "DOCTOR note: the descriptors of 1 of 2 child processes can't be read"))
        report.doctorGap = "not looked at: a capture takes 1.2 s"
        #expect(Self.lines(report).contains("DOCTOR not looked at: a capture takes 1.2 s"))
        report.doctor.insert(
            .init(
                .descriptors(
                    open: 64, limit: 64, kinds: [.init("sockets in CLOSE_WAIT", 57)]), .fault),
            at: 0)
        let fault = Self.lines(report)
        #expect(fault[2] == "VERDICT DESCRIPTORS 64 of 64: 57 sockets in CLOSE_WAIT")
        #expect(fault[3] == " DESCRIPTORS  64 of 64: 57 sockets in CLOSE_WAIT")
        #expect(fault[4].hasPrefix(" GROWS "))
    }

    @Test("the screens are those of the commands, and long ones are cut with their number")
    func sections() {
        var report = Self.report(queues: SampleAnswers.queues)
        report.silentQueues = [SampleAnswers.queue]
        report.stacks = SampleAnswers.stack
        report.tasks = TasksAnswer(
            tasks: (0..<100).map { number in
                TasksAnswer.Entry(
                    id: UInt64(number), name: "job \(number)", state: "suspended", priority: 21,
                    isCancelled: false, isChild: false, waitsFor: "continuation \(number)",
                    address: "0x1")
            })
        let lines = Self.lines(report)
        for screen in [
            SampleAnswers.queues.lines(.plain), SampleAnswers.queue.lines(.plain),
            SampleAnswers.stack.lines(.plain),
        ] {
            for line in screen where !line.isEmpty { #expect(lines.contains(" " + line)) }
        }
        #expect(lines.contains("VERDICT no answer from queue com.telltale.photos"))
        #expect(lines.contains("TASKS 100: 0 running, 0 enqueued, 100 suspended"))
        #expect(lines.contains("  … 37 more lines (`tasks` shows them)"))
        #expect(lines.last?.hasSuffix("missing=1 (1 queue)") == true)
    }

    @Test("a snapshot that was not made costs the line of its object, and not the verdict")
    func notCopied() {
        var report = Self.report(queues: QueuesAnswer(queues: []))
        report.objects = [
            DumpReport.Object(
                name: "statistics", type: "Statistics", owner: "none", isUnowned: true,
                result: .failure(
                    CommandFailure(
                        .bound, "a snapshot would stop the service for some 270 ms",
                        hint: "`show statistics --snapshot` does it all the same")))
        ]
        let lines = Self.lines(report)
        #expect(lines.contains("VERDICT 0 of 1 objects read"))
        #expect(lines.contains("OBJECTS 1: 0 read, 0 gone, 0 unanswered, 1 not read"))
        #expect(
            lines.contains(
                " statistics Statistics: NOT READ: a snapshot would stop the service for some 270 ms; "
                    + "`show statistics --snapshot` does it all the same"))
        #expect(lines.last?.hasSuffix("missing=1 (1 object)") == true)
    }

    @Test("queues that are idle and nobody's are counted, and objects that were not read are named")
    func counted() {
        let idle = (0..<5).map { number in
            filled(QueuesAnswer.Entry(label: "idle.\(number)", kind: "serial", qos: "default")) {
                $0.state = "idle"
                $0.waiting = 0
            }
        }
        var report = Self.report(queues: QueuesAnswer(queues: idle + [SampleAnswers.suspended]))
        let node = ValueNode(type: "Int", kind: .scalar, text: "5")
        report.objects = [
            DumpReport.Object(
                name: "photos", type: "PhotoManager", owner: "queue photos",
                result: .failure(CommandFailure(.timeout, "queue photos did not answer in 1 s"))),
            DumpReport.Object(
                name: "view", type: "View", owner: "main actor",
                result: .failure(CommandFailure(.gone, "it is gone"))),
            DumpReport.Object(
                name: "count", type: "Int", owner: "its closure",
                result: .success(
                    ValueAnswer(
                        path: "count", value: node, owner: "closure", read: "on its owner"))),
        ]
        let lines = Self.lines(report)
        #expect(!lines.contains { $0.contains("idle.") })
        #expect(lines.contains("  … 5 more, idle and not registered"))
        #expect(lines.contains("VERDICT photos was not read"))
        #expect(lines.contains("OBJECTS 3: 1 read, 1 gone, 1 unanswered"))
        #expect(
            lines.contains(
                " photos PhotoManager on queue photos: UNANSWERED: queue photos did not answer in 1 s"
            ))
        #expect(lines.contains(" view View on main actor: gone: it is gone"))
        #expect(lines.last?.hasSuffix("missing=1 (1 object)") == true)
    }

    @Test("nothing that a host named can steer a terminal")
    func safe() {
        var report = Self.report(
            queues: QueuesAnswer(queues: [
                filled(QueuesAnswer.Entry(label: "a\u{1B}[2Jb", kind: "serial", qos: "default")) {
                    $0.state = "running"
                }
            ]))
        report.absences = ["TASKS \u{7}"]
        for line in report.lines(took: 1) {
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 32 })
        }
    }
}
