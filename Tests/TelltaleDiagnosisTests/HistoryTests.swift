#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import Testing

/// What earlier pictures saw: nothing becomes younger by another look.
struct HistoryTests {
    /// Pictures at these moments of one process, and what is said of the last.
    private static func answer(
        _ process: MadeProcess, after seconds: [Double],
        _ change: (Int, inout Picture) -> Void = { _, _ in }
    ) -> StuckAnswer {
        var history = WaitHistory()
        var pictures: [Picture] = []
        for (index, second) in seconds.enumerated() {
            var picture = process.pictures.later
            picture.time = .seconds(second)
            change(index, &picture)
            history.note(picture)
            pictures.append(picture)
        }
        return Diagnosis(
            of: pictures[pictures.count - 2], pictures[pictures.count - 1], history: history
        ).answer(captures: 2, took: .zero)
    }

    private static var tasks: MadeProcess {
        var process = MadeProcess()
        process.task("a", .task("b"))
        process.task("b", .task("a"))
        return process
    }

    @Test("two tasks that wait for each other do so since the first picture of it")
    func tasks() {
        let answer = Self.answer(Self.tasks, after: [0, 4, 7, 7.05])
        #expect(answer.verdict == .deadlock)
        #expect(answer.findings.first?.seconds == 7.05)
    }

    @Test("a task that went on meanwhile waits since then")
    func taskMoves() throws {
        let answer = Self.answer(Self.tasks, after: [0, 4, 7, 7.05]) { index, picture in
            if index == 0 { picture.tasks[0].frames = [] }
        }
        #expect(try abs(#require(answer.findings.first?.seconds) - 3.05) < 0.001)
    }

    private static var thread: MadeProcess {
        var process = MadeProcess()
        process.thread(11, .lock("a", holder: 99), on: "photos", unmovedFor: 0.1)
        return process
    }

    private static func seconds(turns: UInt64, stopped: Bool) -> Double? {
        answer(thread, after: [0, 5, 10, 10.05]) { index, picture in
            guard index >= 2 else { return }
            picture.threads[0].switches = 5 + turns
            picture.lostTime = stopped ? .seconds(3) : .zero
        }.findings.first?.seconds
    }

    @Test("a stop of the process makes no wait younger")
    func stop() {
        #expect(Self.seconds(turns: 2, stopped: true) == 10.05)
        #expect(Self.seconds(turns: 0, stopped: false) == 10.05)
    }

    @Test("a thread that has had a turn waits anew")
    func turn() {
        #expect(Self.seconds(turns: 1, stopped: false) == nil)
        #expect(Self.seconds(turns: 20, stopped: true) == nil)
    }
}
#endif
