#if TELLTALE_COMPILED
/// Tasks as rows: each below its parent, and those that are alike in one.
///
/// Identical are tasks in the same state, at the same location, with the same wait, whose children
/// are identical as well: the 48 connections of a server, with the children of each. A list from
/// elsewhere may have cycles, and duplicate ids; each of its entries is in one row all the same.
struct TaskTree {
    /// A row.
    struct Row {
        /// The first of the tasks that it represents.
        var task: TasksAnswer.Entry
        var depth: Int
        /// The number of tasks that it represents, including this one.
        var count: Int
        /// They wait for tasks, each for another.
        var waitsForSeveral = false
    }

    /// The maximum number of identical tasks of different names that have rows of their own.
    private static let mostNamed = 4

    private let tasks: [TasksAnswer.Entry]
    private var children: [[Int]]
    private var roots: [Int] = []
    /// Equal for those that are alike; empty where each has a row.
    private var shapes: [Int] = []

    /// - Parameters:
    ///   - tasks: By their ids.
    ///   - isFolded: Whether those that are alike share a row.
    init(_ tasks: [TasksAnswer.Entry], isFolded: Bool) {
        self.tasks = tasks
        children = Array(repeating: [], count: tasks.count)
        let order = plant()
        if isFolded { findShapes(order) }
    }

    /// The rows, each below its parent's.
    var rows: [Row] {
        var rows: [Row] = []
        var open = folded(roots, times: 1, depth: 0)
        while let (index, row) = open.popLast() {
            rows.append(row)
            open += folded(children[index], times: row.count, depth: row.depth + 1)
        }
        return rows
    }

    // Each after its parent.
    private mutating func plant() -> [Int] {
        let ids = Set(tasks.map(\.id))
        var below: [UInt64: [Int]] = [:]
        var top: [Int] = []
        for (index, task) in tasks.enumerated() {
            if let parent = task.parent, parent != task.id, ids.contains(parent) {
                below[parent, default: []].append(index)
            } else {
                top.append(index)
            }
        }
        var isSeen = Array(repeating: false, count: tasks.count)
        var order: [Int] = []
        order.reserveCapacity(tasks.count)
        // A task reached from no root is in a cycle, and is shown like a root.
        for root in top + Array(tasks.indices) where !isSeen[root] {
            roots.append(root)
            isSeen[root] = true
            var open = [root]
            while let index = open.popLast() {
                order.append(index)
                guard let next = below[tasks[index].id] else { continue }
                for child in next where !isSeen[child] {
                    isSeen[child] = true
                    children[index].append(child)
                }
                open += children[index].reversed()
            }
        }
        return order
    }

    private struct Shape: Hashable {
        var words: Words
        var children: [Int]
    }

    /// The text of a row except for the task's name.
    private struct Words: Hashable {
        var state: String
        var waitsFor: String?
        var waitsIn: String?
        var function: String?
        var line: Int?
        var marks: String
        var thread: Int32?
    }

    private mutating func findShapes(_ order: [Int]) {
        var numbers: [Shape: Int] = [:]
        shapes = Array(repeating: 0, count: tasks.count)
        for index in order.reversed() {
            let task = tasks[index]
            let place = task.place
            let words = Words(
                state: task.state, waitsFor: task.waitsForATask ? "task" : task.waitsFor,
                waitsIn: task.waitsIn, function: place?.title, line: place?.line,
                marks: task.marks, thread: task.thread)
            let shape = Shape(
                words: words, children: children[index].map { shapes[$0] }.sorted())
            let number = numbers[shape] ?? numbers.count
            numbers[shape] = number
            shapes[index] = number
        }
    }

    // Siblings, last first; identical siblings are folded into the first.
    private func folded(_ siblings: [Int], times: Int, depth: Int) -> [(index: Int, row: Row)] {
        func row(_ index: Int, _ count: Int) -> (index: Int, row: Row) {
            (index, Row(task: tasks[index], depth: depth, count: count &* times))
        }
        guard !shapes.isEmpty, siblings.count > 1 else {
            return siblings.reversed().map { row($0, 1) }
        }
        var alike: [Int: [Int]] = [:]
        for index in siblings { alike[shapes[index], default: []].append(index) }
        return siblings.reversed().compactMap { index in
            guard let same = alike[shapes[index]], let first = same.first else { return nil }
            let name = tasks[first].name
            if same.count <= Self.mostNamed, same.contains(where: { tasks[$0].name != name }) {
                return row(index, 1)
            }
            guard index == first else { return nil }
            var row = row(index, same.count)
            let awaited = tasks[first].waitsFor
            row.row.waitsForSeveral = same.contains { tasks[$0].waitsFor != awaited }
            return row
        }
    }
}

extension TasksAnswer.Entry {
    /// The location: the innermost function of the service's own.
    var place: StackFrame? { frames.first { $0.line != nil } ?? frames.first }

    fileprivate var waitsForATask: Bool { waitsFor?.hasPrefix("task ") == true }

    var marks: String {
        var marks: [String] = []
        if isCancelled { marks.append("cancelled") }
        if isChild { marks.append("child") }
        if let note { marks.append(note) }
        return marks.joined(separator: ", ")
    }
}
#endif
