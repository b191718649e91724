#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
@testable import TelltaleProtocol
import Testing

/// Long waits that may be right: only the service's author knows.
struct UnjudgedWaitTests {
    /// A task that has waited for 12 s for a continuation to which a thread in `accept` leads.
    private static func made(
        in function: String = "Server.shutdown()", calling machinery: String? = nil,
        for seconds: Double = 12, _ root: Holders.Root = .thread(20)
    ) -> MadeProcess {
        var made = MadeProcess()
        made.window = seconds
        made.thread(20, .event("accept"), in: "serve()")
        made.task("stop", .continuation, in: function, calling: machinery)
        made.holders(.continuation(task: made.at("task stop")), root, isWhole: false)
        return made
    }

    @Test("a long wait that a live thread could end is said, with function and line")
    func task() {
        let made = Self.made()
        let screen = made.screen
        #expect(made.answer.verdict == .healthy && !made.answer.isStuck, "\(screen)")
        #expect(screen.hasPrefix("nothing is known to be wrong: "), "\(screen)")
        #expect(
            screen.contains(
                "; 1 wait over 10 s can't be judged: task #1 stop waits for a continuation, in "
                    + "Server.shutdown() Photos.swift:30 (at least 12 s), which thread 20 (in accept) "
                    + "could end"), "\(screen)")
        let doctor = made.doctor
        #expect(!doctor.isIll && doctor.findings.map(\.grade) == [.notice])
        #expect(
            made.doctorsScreen.contains("HEALTHY      nothing is known to be wrong"),
            "\(made.doctorsScreen)")
        #expect(made.doctorsScreen.contains("Server.shutdown() Photos.swift:30"))
    }

    @Test("streams' readers, waits for a shutdown, short ones and those that a time ends are none")
    func none() {
        for made in [
            Self.made(calling: "next(isolation:)"), Self.made(calling: "gracefulShutdown()"),
            Self.made(in: "Server.waitForShutdown()"), Self.made(for: 9),
            Self.made(calling: "cancelWhenGracefulShutdown(_:)"), Self.made(calling: "get()"),
        ] {
            #expect(made.answer.unjudged == nil, "\(made.screen)")
            #expect(made.screen.hasPrefix("healthy"), "\(made.screen)")
        }
        #expect(Self.made(calling: "get()").doctor.findings.isEmpty)
        let short = Self.made(for: 9).doctorsScreen
        #expect(short.contains("nothing is wrong") && short.contains("WAITS"), "\(short)")
        var timer = Self.made()
        timer.timer()
        let address = timer.pictures.later.timers[0].address
        timer.holders(.continuation(task: timer.at("task stop")), .timer(address))
        #expect(timer.answer.unjudged == nil, "\(timer.screen)")
    }

    @Test("tasks at one place are one, and a thread in a file's lock is named")
    func several() {
        var made = MadeProcess()
        made.window = 12
        made.thread(20, .event("accept"), in: "serve()")
        for number in 0..<3 {
            made.task("pop \(number)", .continuation, in: "Box.pop()")
            made.holders(
                .continuation(task: made.at("task pop \(number)")), .thread(20), isWhole: false)
        }
        made.thread(21, .unknown("flock"), in: "lockBuild()", line: 9)
        made.thread(22, .event("read"), in: "readForEver()")
        #expect(made.answer.unjudged?.count == 4, "\(made.screen)")
        #expect(made.screen.contains("3 tasks, one is #"), "\(made.screen)")
        #expect(made.screen.contains("in lockBuild() Photos.swift:9"), "\(made.screen)")
        #expect(!made.screen.contains("readForEver"), "\(made.screen)")
    }

    /// Four tasks at the same function, two of which came there by one call more.
    private static var permits: MadeProcess {
        var made = MadeProcess()
        for number in 0..<4 {
            made.task("audit \(number)", .continuation, in: "PermitPool.take()")
            made.holders(
                .continuation(task: made.at("task audit \(number)")),
                .task(made.at("task audit \((number + 1) % 4)")))
        }
        made.now { picture in
            picture.names[0x70] = [MadeProcess.frame("appendToAudit()", 51)]
            picture.names[0x71] = [MadeProcess.frame("writeAudit()", 43)]
            picture.names[0x72] = [MadeProcess.frame("writeAudit()", 41)]
            for index in 0..<4 {
                let calls: [UInt] = index < 2 ? [0x70, 0x71] : [0x72]
                picture.tasks[index].frames += calls.map {
                    RawFrame(address: $0, kind: .asyncResume)
                }
                let target = WaitTarget.continuation(task: picture.tasks[index].address)
                picture.holders[target]?.nearest = "PermitPool"
            }
        }
        return made
    }

    @Test(
        "tasks that wait for one another say where they meet, and which of them hold what the others want"
    )
    func callers() {
        let screen = Self.permits.screen
        #expect(
            screen.contains("PermitPool: 4 tasks, one is #1 audit 0, wait for continuations"),
            "\(screen)")
        #expect(
            screen.contains(
                "2 of them called by appendToAudit() Photos.swift:51, writeAudit() Photos.swift:43: past "
                    + "writeAudit() Photos.swift:41, where 2 others wait"), "\(screen)")
        #expect(screen.contains("2 of them called by writeAudit() Photos.swift:41"), "\(screen)")
        #expect(
            screen.contains("only parties that wait themselves lead to the PermitPool"), "\(screen)"
        )
        #expect(Self.permits.doctorsScreen.contains("2 of them called by"))
    }
}
#endif
