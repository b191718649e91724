#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import Testing

/// Parts missing from a picture, waits too young to tell, and the diagnosis of one picture alone.
struct GapTests {
    @Test("what is missing from a picture makes no finding, and hides none", arguments: gaps)
    func gap(_ made: DiagnosisCase) { made.check() }

    private static let gaps = [
        DiagnosisCase("the time was up before all was captured", .unknown) {
            $0.now { $0.gaps = [Picture.Gap(.all, "the deadline came", isCut: true)] }
        },
        DiagnosisCase("nothing at all is there of a part that was asked for", .unknown) {
            $0.now { $0.gaps = [Picture.Gap(.tasks, "tasks are not available", isWhole: true)] }
        },
        DiagnosisCase("the search of the memory ended early", .unknown) {
            $0.earlier { $0.add(["not all may have been found"], to: .searched, isCut: true) }
        },
        DiagnosisCase("a note that says nothing of what moves", .healthy()) {
            $0.now { $0.add(["more shared objects are loaded than are kept"], to: .threads) }
        },
        DiagnosisCase("a cut picture hides no deadlock", .deadlock("a -> b -> a")) {
            $0.thread(11, .sync("b"), on: "a")
            $0.thread(12, .sync("a"), on: "b")
            $0.now { $0.gaps = [Picture.Gap(.all, "the deadline came", isCut: true)] }
        },
        DiagnosisCase(
            "a queue whose list could not be read, and that a thread waits for",
            .deadlock("a -> b -> a")
        ) {
            $0.thread(11, .sync("b"), on: "a")
            $0.thread(12, .sync("a"), on: "b")
            $0.queue("a") { $0.waiting = nil }
        },
        DiagnosisCase("a queue that isn't in the picture", .healthy()) {
            $0.thread(11, .sync("gone"))
            $0.loses("gone")
        },
        DiagnosisCase("a thread that isn't in the earlier picture", .healthy()) {
            $0.thread(11, .lock("a", holder: 99))
            $0.earlier { $0.threads = [] }
        },
        DiagnosisCase("the kernel doesn't count switches: processor time tells", .healthy()) {
            $0.thread(11, .lock("a", holder: 99))
            $0.now {
                $0.threads[0].switches = nil
                $0.threads[0].processorTime = .milliseconds(2)
            }
            $0.earlier { $0.threads[0].processorTime = .milliseconds(1) }
        },
        DiagnosisCase("an empty picture", .healthy()) { _ in },
    ]

    @Test("what is young is worth another picture, what is old enough isn't")
    func young() {
        var process = MadeProcess()
        process.thread(11, .semaphore("s"), on: "photos", unmovedFor: 0.2)
        process.items("photos", "a()")
        process.window = 0.15
        #expect(process.diagnosis.mayFindMoreLater)
        process.window = 1.2
        #expect(!process.diagnosis.mayFindMoreLater)
    }

    @Test("what has only just come to rest is a newcomer, the agent's own thread isn't")
    func newcomers() {
        var process = MadeProcess()
        process.thread(11, .semaphore("s"), on: "photos")
        #expect(!process.diagnosis.hasNewcomers)
        process.moves(11)
        #expect(process.diagnosis.hasNewcomers)
        var agent = MadeProcess()
        agent.thread(11, .semaphore("s"), isAgent: true)
        agent.moves(11)
        #expect(!agent.diagnosis.hasNewcomers)
    }

    @Test("who has just begun to wait in a busy service is worth no further picture; a circle is")
    func busyNewcomers() {
        var busy = MadeProcess()
        busy.thread(11, .lock("lock", holder: 12), on: "photos", unmovedFor: 0.01)
        busy.thread(12, .runs)
        busy.items("photos", "a()")
        busy.moves(11)
        #expect(!busy.diagnosis.hasNewcomers)
        var circle = MadeProcess()
        circle.thread(11, .lock("a", holder: 12), on: "photos", unmovedFor: 0.01)
        circle.thread(12, .lock("b", holder: 11), unmovedFor: 0.01)
        circle.moves(11, 12)
        #expect(circle.answer.findings.isEmpty)
        #expect(circle.diagnosis.hasNewcomers)
    }

    @Test("a second picture is spared where nobody in the first could become a finding")
    func onePicture() {
        var process = MadeProcess()
        process.thread(10, .idle, isMain: true)
        process.thread(11, .runs, on: "photos")
        process.items("photos", "a()")
        process.thread(12, .condition("work"))
        #expect(process.isHealthyAtOnce)
        // That one may pass at once, or never.
        process.thread(13, .event("recvfrom"), on: "downloads")
        process.items("downloads", "b()")
        #expect(process.isHealthyAtOnce)
        // Not where it serves others.
        let downloads = process.at("downloads")
        process.now { $0.owners = [downloads] }
        #expect(!process.isHealthyAtOnce)
        var cut = MadeProcess()
        cut.now { $0.gaps = [Picture.Gap(.all, "the deadline came", isCut: true)] }
        #expect(!cut.isHealthyAtOnce)
    }

    @Test("ages are those of the kernel where it has them, else the time between the pictures")
    func ages() {
        var process = MadeProcess()
        process.thread(11, .lock("a", holder: 99), unmovedFor: 3600)
        #expect(process.answer.findings.first?.seconds == 3600)
        process.now { $0.threads[0].offCPUFor = nil }
        #expect(process.answer.findings.first?.seconds == 1.2)
    }

    @Test(
        "who uses a core is named, the busiest first, and how many more; with who shares one",
        arguments: [
            (share: 0.95, ranBefore: false, named: 3, omitted: 5),
            (0.5, false, 0, nil),
            (0.25, true, 3, 5),
            (0.05, true, 0, nil),
        ] as [(share: Double, ranBefore: Bool, named: Int, omitted: Int?)])
    func busyThreads(share: Double, ranBefore: Bool, named: Int, omitted: Int?) {
        var process = MadeProcess()
        for id in 11...18 { process.thread(Int32(id), .runs) }
        let window = process.window
        process.now { picture in
            for index in picture.threads.indices {
                // The later ones have used a little more.
                picture.threads[index].processorTime =
                    .seconds(window * share) + .milliseconds(index)
            }
        }
        process.earlier { picture in
            for index in picture.threads.indices {
                picture.threads[index].processorTime = .zero
                if !ranBefore { picture.threads[index].wait = .idle }
            }
        }
        let answer = process.answer
        #expect(answer.verdict == .healthy)
        #expect(answer.busy?.count ?? 0 == named)
        #expect(answer.busyOmitted == omitted)
        guard let busiest = answer.busy?.first else { return }
        #expect(busiest.party.subject.name.hasPrefix("thread 18"))
    }

    @Test("of one picture, who ran in it and was seen to use a core afterwards is named")
    func busyAfter() throws {
        var process = MadeProcess()
        process.thread(11, .runs)
        process.thread(12, .runs)
        process.thread(13, .sleeps)
        process.thread(14, .runs, isAgent: true)
        var diagnosis = try #require(Diagnosis(ofHealthy: process.pictures.later))
        #expect(diagnosis.mayBeBusy == [11, 12])
        #expect(diagnosis.answer(captures: 1, took: .zero).busy == nil)
        diagnosis.note(sharesAfter: [11: 0.05, 12: 0.3])
        let busy = try #require(diagnosis.answer(captures: 1, took: .zero).busy)
        #expect(busy.map(\.share) == [0.3])
        #expect(busy.first?.party.subject.name.hasPrefix("thread 12") == true)
    }

    @Test("a deadlock is as old as its youngest wait")
    func youngestWait() {
        var process = MadeProcess()
        process.thread(11, .sync("b"), on: "a", unmovedFor: 60)
        process.thread(12, .sync("a"), on: "b", unmovedFor: 7)
        #expect(process.answer.findings.first?.seconds == 7)
    }

    @Test("thresholds decide from when on, never whether a cycle is a deadlock")
    func thresholds() {
        var process = MadeProcess()
        process.thread(11, .semaphore("s"), on: "photos")
        process.items("photos", "a()")
        process.thresholds.stuckAfter = 30
        #expect(process.answer.verdict == .healthy)
        process.thread(12, .sync("b"), on: "a")
        process.thread(13, .sync("a"), on: "b")
        #expect(process.answer.verdict == .deadlock)
    }

    @Test("the first word is that of the worst finding, and each keeps its evidence")
    func several() {
        var process = MadeProcess()
        process.items("downloads", "a()")
        process.queue("downloads") { $0.suspendCount = 1 }
        process.thread(11, .sync("b"), on: "a")
        process.thread(12, .sync("a"), on: "b")
        let answer = process.answer
        #expect(answer.verdict == .deadlock)
        #expect(answer.findings.map(\.isDeadlock) == [true, false])
        #expect(answer.findings.last?.evidence == .queueSuspended)
        #expect(answer.findings.last?.hope == .resume(calls: 1))
        #expect(answer.next == ["stack 11 12", "queue a", "dump --output FILE"])
    }
}
#endif
