#if TELLTALE_COMPILED
extension OperationsAnswer {
    /// Each queue with its operations, and the main thread's run loop.
    package func lines(_ style: TextStyle) -> [String] {
        var lines: [String] = []
        for queue in queues {
            if !lines.isEmpty { lines.append("") }
            lines.append(queue.heading(style))
            if !queue.operations.isEmpty {
                lines += queue.table.rendered(style).map { "  " + $0 }
            }
            if let omitted = queue.omitted, omitted > 0 {
                lines.append("  … \(Quantity.count(omitted)) more")
            }
        }
        if let runLoop { lines += (lines.isEmpty ? [] : [""]) + runLoop.lines(style) }
        return (lines.isEmpty ? ["no operation queues were found"] : lines)
            + StackText.notes(notes, style)
    }
}

extension OperationsAnswer.Queue {
    fileprivate func heading(_ style: TextStyle) -> String {
        let count = operations.count &+ (omitted ?? 0)
        var words = [Quantity.count(count, "operation", "operations")]
        if let maximumConcurrent { words.append("\(maximumConcurrent) at once") }
        if isSuspended { words.append("suspended") }
        if let underlying { words.append("on \(underlying)") }
        return style.painted("operation queue \(name.escaped)", .bold) + "  "
            + words.joined(separator: ", ").escaped
    }

    fileprivate var table: TextTable {
        var table = TextTable([
            .init("operation"), .init("type", isExtra: true), .init("state"),
            .init("waits for"), .init("is"),
        ])
        for operation in operations {
            var marks: [String] = []
            if operation.isCancelled { marks.append("cancelled") }
            if let priority = operation.priority { marks.append("priority \(priority)") }
            table.add([
                operation.name, operation.type, operation.state,
                operation.dependencies.joined(separator: ", "), marks.joined(separator: ", "),
            ])
        }
        return table
    }
}

extension OperationsAnswer.RunLoop {
    fileprivate func lines(_ style: TextStyle) -> [String] {
        var words = [isWaiting ? "waits for something to do" : "busy"]
        if let mode { words.append("mode \(mode)") }
        if let sources { words.append(Quantity.count(sources, "source", "sources")) }
        return [
            style.painted("run loop of the main thread", .bold) + "  "
                + words.joined(separator: ", ").escaped
        ] + timers.map { "  timer  " + $0.escaped }
    }
}
#endif
