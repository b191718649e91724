#if TELLTALE_AGENT
@testable import TelltaleDiagnosis
import TelltalePicture
@testable import TelltaleProtocol
import Testing

/// Earlier pictures count: no wait becomes younger by another capture.
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

    @Test("a way by somebody who may himself never go on is as doubtful as he is")
    func doubt() {
        var process = MadeProcess()
        for (name, other) in [("fetch", "store"), ("store", "fetch")] {
            process.task(name, .continuation)
            process.holders(
                .continuation(task: process.at("task \(name)")),
                .task(process.at("task \(other)")), .global(0x9000, name: "cache"))
        }
        let answer = Self.answer(process, after: [0, 12, 12.05])
        #expect(answer.verdict == .waiting)
        #expect(
            answer.findings.map(\.title) == [
                "task #1 fetch waits for a continuation", "task #2 store waits for a continuation",
            ])
        // While it is young it is no finding, and is not kept silent.
        let young = Self.answer(process, after: [0, 4, 4.05])
        #expect(young.verdict == .healthy && young.findings.isEmpty)
    }

    @Test("a task that will be resumed is what waits the longest, and by whom is said")
    func longest() {
        var process = MadeProcess()
        process.task("serve", .continuation)
        process.task("late", .continuation)
        for name in ["serve", "late"] {
            process.holders(
                .continuation(task: process.at("task \(name)")), .timer(process.at("timer 0")))
        }
        process.timer(again: 60)
        let late = process.at("task late")
        let answer = Self.answer(process, after: [0, 40, 90, 90.05]) { index, picture in
            if index == 0 { picture.tasks.removeAll { $0.address == late } }
        }
        #expect(answer.verdict == .healthy)
        let line = answer.lines().joined()
        #expect(line.contains("longest wait: task #1 serve waits for a continuation"), "\(line)")
        #expect(
            line.contains(
                "(at least 1m30s), in run() Photos.swift:30, a timer that refers to it could still wake it"
            ),
            "\(line)")
    }

    @Test("of tens of thousands of tasks the youngest grows old like the first")
    func many() {
        var picture = Picture(time: .zero)
        picture.tasks = (0..<60_000).map { number in
            var task = TaskFacts(address: UInt(0x10_0000 + number * 16), id: UInt64(number))
            task.waitsFor = .continuation
            return task
        }
        var history = WaitHistory()
        for second in [3.0, 40] {
            picture.time = .seconds(second)
            history.note(picture)
        }
        for task in [picture.tasks[0], picture.tasks[59_999]] {
            #expect(history.since(.task(task.address)) == .seconds(3))
        }
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
