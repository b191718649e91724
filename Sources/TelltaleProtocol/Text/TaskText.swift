#if TELLTALE_COMPILED
    extension TasksAnswer {
        /// How deep a child is moved to the right; deeper ones stand below each other.
        private static let deepestIndent = 12

        /// The tasks as a tree, children below their parents, each with where it goes on.
        ///
        /// - Parameter style: The colour and width to use.
        /// - Returns: The lines.
        package func lines(_ style: TextStyle = TextStyle()) -> [String] {
            var table = TextTable([
                .init("task"), .init("state"), .init("waits for"), .init("at"), .init("place"),
                .init("is"),
            ])
            var stacks: [String] = []
            for (task, depth) in ordered {
                let indent = String(repeating: "  ", count: min(depth, Self.deepestIndent))
                let frame = task.frames.first { $0.line != nil } ?? task.frames.first
                let thread = task.thread.map { " on thread \($0)" } ?? ""
                table.add([
                    indent + task.title, task.state + thread, task.waitsFor ?? "",
                    frame?.function ?? "", StackText.place(frame?.file, frame?.line) ?? "",
                    task.marks,
                ])
                guard task.frames.count > 1 else { continue }
                stacks += ["", style.painted("task \(task.title.terminalSafe)", .bold)]
                stacks += StackText.lines(of: task.frames, style: style)
            }
            var lines = tasks.isEmpty ? ["no tasks"] : table.rendered(style)
            if let omitted, omitted > 0 { lines.append("… \(Quantity.count(omitted)) more") }
            return lines + stacks + StackText.notes(notes, style)
        }

        /// Each task after its parent, with its depth. A list from elsewhere may have cycles, and ids
        /// that stand there twice; each of its entries is shown once all the same.
        private var ordered: [(Entry, Int)] {
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
            var result: [(Entry, Int)] = []
            for root in roots + Array(tasks.indices) {
                var open = [(root, 0)]
                while let (index, depth) = open.popLast() {
                    guard seen.insert(index).inserted else { continue }
                    result.append((tasks[index], depth))
                    open += (children[tasks[index].id] ?? []).reversed().map { ($0, depth + 1) }
                }
            }
            return result
        }
    }

    extension TasksAnswer.Entry {
        /// `#12 refresh`, as everywhere where a task is named.
        package var title: String { name.map { "#\(id) \($0)" } ?? "#\(id)" }

        fileprivate var marks: String {
            var marks: [String] = []
            if isCancelled { marks.append("cancelled") }
            if isChild { marks.append("child") }
            if let note { marks.append(note) }
            return marks.joined(separator: ", ")
        }
    }

    extension ActorsAnswer {
        /// A table with a row for each actor.
        ///
        /// - Parameter style: The colour and width to use.
        /// - Returns: The lines.
        package func lines(_ style: TextStyle = TextStyle()) -> [String] {
            var table = TextTable([
                .init("actor"), .init("address"), .init("state"), .init("jobs", isNumber: true),
                .init("first in line"), .init("note"),
            ])
            for actor in actors {
                let shown = actor.jobs.prefix(4)
                let count = actor.jobs.count &+ max(0, actor.omitted ?? 0)
                let more = count &- shown.count
                let thread = actor.thread.map { " on thread \($0)" } ?? ""
                table.add([
                    actor.name.map { "\($0): \(actor.type)" } ?? actor.type, actor.address,
                    actor.state + thread, Quantity.count(count),
                    shown.joined(separator: ", ")
                        + (more > 0 ? " … \(Quantity.count(more)) more" : ""),
                    actor.note ?? "",
                ])
            }
            return DispatchText.lines(
                table, actors.count, hidden, of: "actors", "idle", notes, style)
        }
    }
#endif
