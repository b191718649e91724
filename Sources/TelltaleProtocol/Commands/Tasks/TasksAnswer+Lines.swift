#if TELLTALE_COMPILED
extension TasksAnswer {
    /// The maximum indentation of a child; deeper children align below each other.
    private static let deepestIndent = 12

    /// The tasks as a tree, children below their parents, each with its resume location. Identical
    /// ones share a row, unless each was asked for.
    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([
            .init("task"), .init("state"), .init("waits for"), .init("at", goesBelow: true),
            .init("place", isExtra: true), .init("is"),
        ])
        var stacks: [String] = []
        var isFolded = false
        for row in TaskTree(tasks, isFolded: !hasStacks && isAll != true).rows {
            let task = row.task
            let indent = String(repeating: "  ", count: min(row.depth, Self.deepestIndent))
            let place = task.place
            let thread = task.thread.map { " on thread \($0)" } ?? ""
            let times = row.count > 1 ? " ×\(Quantity.count(row.count))" : ""
            isFolded = isFolded || row.count > 1
            table.add([
                indent + task.title + times, task.state + thread, row.wait,
                place?.title ?? "", StackText.place(place?.file, place?.line) ?? "", task.marks,
            ])
            guard hasStacks, !task.frames.isEmpty else { continue }
            stacks += ["", style.painted("task \(task.title.escaped)", .bold)]
            stacks += StackText.lines(of: task.frames, style: style)
        }
        var lines = tasks.isEmpty ? ["no tasks"] : table.rendered(style)
        if let omitted, omitted > 0 { lines.append(Quantity.more(omitted)) }
        if isFolded {
            lines.append("×N: N identical tasks (`tasks --all` lists them)")
        }
        return lines + stacks + StackText.notes(notes, style)
    }

    /// Indicates that all stacks were asked for, and are shown.
    private var hasStacks: Bool { isFull || tasks.contains { $0.frames.count > 1 } }
}

extension TasksAnswer.Entry {
    /// `#12 refresh`, as everywhere where a task is named.
    package var title: String { name.map { "#\(id) \($0)" } ?? "#\(id)" }
}

extension TaskTree.Row {
    /// `continuation in NIOCore next()`.
    fileprivate var wait: String {
        if !waitsForSeveral, task.waitsFor == "continuation",
            let stream = AwaitedStream(waitingIn: task.waitsIn)
        {
            return stream.element
        }
        let words = [
            waitsForSeveral ? "a task each" : task.waitsFor, task.waitsIn.map { "in \($0)" },
        ]
        return words.compactMap(\.self).joined(separator: " ")
    }
}
#endif
