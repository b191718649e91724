#if TELLTALE_COMPILED
extension TasksAnswer {
    /// More siblings than this that are alike are shown as one.
    private static let mostAlike = 4
    /// How deep a child is moved to the right; deeper ones stand below each other.
    private static let deepestIndent = 12

    /// The tasks as a tree, children below their parents, each with where it goes on.
    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([
            .init("task"), .init("state"), .init("waits for"), .init("at"),
            .init("place", isExtra: true), .init("is"),
        ])
        var stacks: [String] = []
        for (task, depth, alike) in ordered {
            let indent = String(repeating: "  ", count: min(depth, Self.deepestIndent))
            let frame = task.frames.first { $0.line != nil } ?? task.frames.first
            let thread = task.thread.map { " on thread \($0)" } ?? ""
            table.add([
                indent + task.title, task.state + thread, task.waitsFor ?? "",
                frame?.function ?? "", StackText.place(frame?.file, frame?.line) ?? "",
                task.marks,
            ])
            if alike > 0 {
                table.add(["\(indent)… \(Quantity.count(alike)) more like it"])
            }
            guard hasStacks, !task.frames.isEmpty else { continue }
            stacks += ["", style.painted("task \(task.title.escaped)", .bold)]
            stacks += StackText.lines(of: task.frames, style: style)
        }
        var lines = tasks.isEmpty ? ["no tasks"] : table.rendered(style)
        if let omitted, omitted > 0 { lines.append("… \(Quantity.count(omitted)) more") }
        return lines + stacks + StackText.notes(notes, style)
    }

    /// Whether it was asked for with all stacks, which are then shown.
    private var hasStacks: Bool { isFull || tasks.contains { $0.frames.count > 1 } }

    /// Each task after its parent, with its depth, and how many that are alike it stands for.
    /// A list from elsewhere may have cycles, and ids that stand there twice; each of its entries
    /// is shown or counted once all the same.
    private var ordered: [(Entry, Int, Int)] {
        let ids = Set(tasks.map(\.id))
        var children: [UInt64: [Int]] = [:]
        var roots: [Int] = []
        for (index, task) in tasks.enumerated() {
            if let parent = task.parent, parent != task.id, ids.contains(parent) {
                children[parent, default: []].append(index)
            } else {
                roots.append(index)
            }
        }
        var seen = Set<Int>()
        var result: [(Entry, Int, Int)] = []
        // What has been reached from no root hangs in a cycle, and is shown as roots are.
        for roots in [roots, Array(tasks.indices)] {
            var open = folded(roots.filter { !seen.contains($0) }, children, &seen)
                .reversed().map { ($0.index, 0, $0.alike) }
            while let (index, depth, alike) = open.popLast() {
                guard seen.insert(index).inserted else { continue }
                result.append((tasks[index], depth, alike))
                open += folded(children[tasks[index].id] ?? [], children, &seen).reversed()
                    .map { ($0.index, depth + 1, $0.alike) }
            }
        }
        return result
    }

    /// What stands side by side: of many without children that are alike, one, with how many
    /// more there are.
    private func folded(
        _ siblings: [Int], _ children: [UInt64: [Int]], _ seen: inout Set<Int>
    ) -> [(index: Int, alike: Int)] {
        guard !hasStacks, siblings.count > Self.mostAlike else {
            return siblings.map { ($0, 0) }
        }
        var alike: [String: [Int]] = [:]
        for index in siblings where children[tasks[index].id] == nil && !seen.contains(index) {
            alike[tasks[index].rowText, default: []].append(index)
        }
        var count: [Int: Int] = [:]
        for same in alike.values where same.count > Self.mostAlike {
            guard let first = same.first else { continue }
            count[first] = same.count - 1
            seen.formUnion(same.dropFirst())
        }
        return siblings.filter { !seen.contains($0) }.map { ($0, count[$0] ?? 0) }
    }
}

extension TasksAnswer.Entry {
    /// `#12 refresh`, as everywhere where a task is named.
    package var title: String { name.map { "#\(id) \($0)" } ?? "#\(id)" }

    /// All that its row says but for who it is.
    fileprivate var rowText: String {
        let frame = frames.first { $0.line != nil } ?? frames.first
        let place = StackText.place(frame?.file, frame?.line)
        return [state, waitsFor, frame?.function, place, marks].map { $0 ?? "" }
            .joined(separator: "\0")
    }

    fileprivate var marks: String {
        var marks: [String] = []
        if isCancelled { marks.append("cancelled") }
        if isChild { marks.append("child") }
        if let note { marks.append(note) }
        return marks.joined(separator: ", ")
    }
}
#endif
