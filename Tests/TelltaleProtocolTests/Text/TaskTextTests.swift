import Testing

@testable import TelltaleProtocol

@Suite("Tasks and actors as text")
struct TaskTextTests {
    private func task(
        _ id: UInt64, parent: UInt64? = nil, waitsFor: String? = nil
    ) -> TasksAnswer.Entry {
        TasksAnswer.Entry(
            id: id, state: "suspended", priority: 25, waitsFor: waitsFor, parent: parent)
    }

    private func first(_ answer: TasksAnswer) -> [String] {
        answer.lines().dropFirst().map { line in
            String(line.prefix { $0 == " " })
                + (line.split(separator: " ").first.map(String.init) ?? "")
        }
    }

    @Test("tasks are a tree with where each goes on")
    func tree() {
        #expect(
            SampleAnswers.tasks.lines().joined(separator: "\n") == """
                TASK         STATE                   WAITS FOR     AT                                       PLACE                  IS
                #4 refresh   suspended               group         PhotoStore.refresh()                     PhotoStore.swift:30    -
                  #10 fetch  suspended               continuation  closure #2 in PhotoManager.download(_:)  PhotoManager.swift:91  child
                #9           running on thread 4260  -             -                                        -                      cancelled, n
                … 1,000 more
                note: n
                """)
        #expect(TasksAnswer(tasks: []).lines() == ["no tasks"])
    }

    @Test("with all stacks each task has its own")
    func full() {
        var answer = SampleAnswers.tasks
        answer.isFull = true
        answer.tasks[2].frames.append(SampleAnswers.async)
        let lines = answer.lines()
        #expect(lines.contains("task #4 refresh") && lines.contains("task #10 fetch"))
        #expect(
            lines.contains(
                "   1  PhotoStore.refresh()                     PhotoStore.swift:30 (async)"))
    }

    @Test("those that are alike share a row that says how many they are")
    func alike() {
        var tasks = [task(1, waitsFor: "group")] + (10..<5_010).map { task($0, parent: 1) }
        tasks.append(task(6_000, parent: 1, waitsFor: "actor Till"))
        tasks += [task(6_001, waitsFor: "timer"), task(6_002, waitsFor: "timer")]
        let answer = TasksAnswer(tasks: tasks)
        #expect(first(answer) == ["#1", "  #10", "  #6000", "#6001", "×N:"])
        #expect(answer.lines()[2].hasPrefix("  #10 ×5,000 "))
        #expect(answer.lines()[4].hasPrefix("#6001 ×2 "))
        #expect(
            answer.lines().last == "×N: N identical tasks (`tasks --all` lists them)")
        #expect(TasksAnswer(tasks: tasks, isFull: true).lines().count == tasks.count + 1)
        #expect(TasksAnswer(tasks: tasks, isAll: true).lines().count == tasks.count + 1)
    }

    @Test(
        "those that differ in what a row says do not share one",
        arguments: [
            { $0.state = "enqueued" }, { $0.waitsFor = "timer" }, { $0.waitsIn = "NIOCore next()" },
            { $0.isCancelled = true }, { $0.isChild = true }, { $0.note = "moving" },
            { $0.thread = 12 }, { $0.frames = [SampleAnswers.download] },
            // The service's own place differs by its line alone.
            {
                $0.frames = [SampleAnswers.async]; $0.frames[0].line = 31
            },
        ] as [@Sendable (inout TasksAnswer.Entry) -> Void])
    func unlike(change: @Sendable (inout TasksAnswer.Entry) -> Void) {
        var (one, other) = (task(1), task(2))
        one.frames = [SampleAnswers.async]
        other.frames = one.frames
        #expect(first(TasksAnswer(tasks: [one, other])) == ["#1", "×N:"])
        change(&other)
        #expect(first(TasksAnswer(tasks: [one, other])) == ["#1", "#2"])
    }

    @Test("a few of different names have a row each, and many have one")
    func named() {
        let tasks = (1...5).map { (number: UInt64) in
            var task = task(number)
            task.name = "connection \(number)"
            return task
        }
        #expect(first(TasksAnswer(tasks: Array(tasks[..<4]))) == ["#1", "#2", "#3", "#4"])
        #expect(TasksAnswer(tasks: tasks).lines()[1].hasPrefix("#1 connection 1 ×5 "))
    }

    @Test("those that wait for a task each are alike, and none of these is named")
    func awaiting() {
        let tasks = (1...3).map { task($0, waitsFor: "task #\($0 + 10)") }
        #expect(TasksAnswer(tasks: tasks).lines()[1].contains("  a task each  "))
        let same = (1...3).map { task($0, waitsFor: "task #10") }
        #expect(TasksAnswer(tasks: same).lines()[1].contains("  task #10  "))
    }

    @Test("what a package's function waits in stands beside the wait")
    func machinery() {
        var one = task(1, waitsFor: "continuation")
        one.waitsIn = "NIOCore next()"
        #expect(
            TasksAnswer(tasks: [one]).lines()[1].contains("  continuation in NIOCore next()  "))
    }

    @Test("those with children that are alike too share rows, and each is counted")
    func parents() {
        let tasks = (1...6).flatMap { (number: UInt64) -> [TasksAnswer.Entry] in
            [task(number, waitsFor: "group")]
                + [1, 2].map { task(number + 10 * $0, parent: number) }
        }
        #expect(first(TasksAnswer(tasks: tasks)) == ["#1", "  #11", "×N:"])
        #expect(TasksAnswer(tasks: tasks).lines()[1].hasPrefix("#1 ×6 "))
        #expect(TasksAnswer(tasks: tasks).lines()[2].hasPrefix("  #11 ×12 "))
        let more = tasks + [task(99, parent: 3)]
        #expect(TasksAnswer(tasks: more).lines()[1].hasPrefix("#1 ×5 "))
        #expect(first(TasksAnswer(tasks: more)) == ["#1", "  #11", "#3", "  #13", "×N:"])
        #expect(TasksAnswer(tasks: more).lines()[4].hasPrefix("  #13 ×3 "))
    }

    @Test("a cycle, a parent that is not there and an id that stands there twice lose nobody")
    func odd() {
        #expect(
            first(TasksAnswer(tasks: [task(1, parent: 2), task(2, parent: 1)])) == ["#1", "  #2"])
        #expect(
            first(
                TasksAnswer(tasks: [
                    task(1, parent: 1), task(2, parent: 99, waitsFor: "timer"),
                ])) == ["#1", "#2"])
        #expect(first(TasksAnswer(tasks: [task(1), task(1), task(3, parent: 1)])).count == 3)
    }

    @Test("a chain of any length is shown")
    func deep() {
        let tasks = (1...5_000).map { task($0, parent: $0 - 1) }
        #expect(TasksAnswer(tasks: tasks).lines().count == 5_001)
    }

    @Test("actors are a table with the first that wait")
    func actors() {
        #expect(
            SampleAnswers.actors.lines().joined(separator: "\n") == """
                ACTOR              ADDRESS   STATE                   JOBS  FIRST IN LINE                NOTE
                store: PhotoStore  0x7fa000  running on thread 4260     7  #20, #19, #18, #17 … 3 more  n
                … and 1 idle (`actors --all`)
                note: n
                """)
    }
}
