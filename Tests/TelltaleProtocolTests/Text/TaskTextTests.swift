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

    @Test("many that look the same are one row that says how many more there are")
    func alike() {
        var tasks = [task(1)] + (10..<5_010).map { task($0, parent: 1) }
        tasks.append(task(6_000, parent: 1, waitsFor: "task #8"))
        let answer = TasksAnswer(tasks: tasks)
        #expect(first(answer) == ["#1", "  #10", "  …", "  #6000"])
        #expect(answer.lines()[3].hasPrefix("  … 4,999 more like it"))
        #expect(TasksAnswer(tasks: tasks, isFull: true).lines().count == tasks.count + 1)
    }

    @Test("those with children are never taken together, and their children are not lost")
    func parents() {
        let tasks = (1...6).flatMap { [task($0), task($0 + 10, parent: $0)] }
        #expect(first(TasksAnswer(tasks: tasks)).count == 12)
    }

    @Test("a cycle, a parent that is not there and an id that stands there twice lose nobody")
    func odd() {
        #expect(
            first(TasksAnswer(tasks: [task(1, parent: 2), task(2, parent: 1)])) == ["#1", "  #2"])
        #expect(
            first(TasksAnswer(tasks: [task(1, parent: 1), task(2, parent: 99)])) == ["#1", "#2"])
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
