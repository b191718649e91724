#if TELLTALE_COMPILED
/// `operations`: operation queues and the main run loop.
package enum OperationsCommand: Command {
    package typealias Answer = OperationsAnswer

    package static let description = CommandDescription(
        "operations", "operation queues, dependencies, the main run loop",
        detail: """
            Each operation with its state and what it waits for. The service links
            TelltaleFoundation for it.
            """)

    // The queues are asked by code of the host.
    package static func isHarmless(_ parameters: NoParameters) -> Bool { false }
}

/// The answer to `operations`: operation queues, and the main thread's run loop.
public struct OperationsAnswer: CommandAnswer {
    package static let kind = "operations"

    /// An operation.
    public struct Operation: Codable, Sendable, Equatable {
        /// Its name, or its type where it has none.
        public var name: String
        /// Its type.
        public var type: String
        /// `waiting` (for dependencies), `ready`, `executing` or `finished`.
        public var state: String
        /// It was cancelled.
        public var isCancelled = false
        /// The operations it depends on, each with its state: `decode 7 (cancelled, not finished)`.
        public var dependencies: [String] = []
        /// Its address, hexadecimal with `0x`, as `cancel operation` takes it.
        public var address: String?
        /// Its priority in the queue, where it is not the usual one.
        public var priority: String?

        package init(name: String, type: String, state: String) {
            self.name = name
            self.type = type
            self.state = state
        }
    }

    /// An operation queue.
    public struct Queue: Codable, Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its operations, in order.
        public var operations: [Operation]
        /// The number of further dependencies.
        public var omitted: Int?
        /// It starts nothing.
        public var isSuspended = false
        /// The number of operations it runs at once; `nil` if the system decides.
        public var maximumConcurrent: Int?
        /// The label of the dispatch queue below it.
        public var underlying: String?

        package init(name: String, operations: [Operation]) {
            self.name = name
            self.operations = operations
        }
    }

    /// The main thread's run loop.
    public struct RunLoop: Codable, Sendable, Equatable {
        /// It waits for something to do.
        public var isWaiting: Bool
        /// The mode that it runs in.
        public var mode: String?
        /// Its timers, with when they fire next.
        public var timers: [String]
        /// The number of sources it listens to.
        public var sources: Int?

        package init(
            isWaiting: Bool, mode: String? = nil, timers: [String] = [], sources: Int? = nil
        ) {
            self.isWaiting = isWaiting
            self.mode = mode
            self.timers = timers
            self.sources = sources
        }
    }

    /// The queues, in the order of their registration.
    public var queues: [Queue]
    /// The main thread's run loop; `nil` if it has none.
    public var runLoop: RunLoop?
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(queues: [Queue], runLoop: RunLoop? = nil, notes: [String] = []) {
        self.queues = queues
        self.runLoop = runLoop
        self.notes = notes
    }
}

extension OperationsAnswer {
    /// Each queue with its operations, and the main thread's run loop.
    package func lines(_ style: TextStyle) -> [String] {
        var lines: [String] = []
        for queue in queues {
            if !lines.isEmpty { lines.append("") }
            lines += style.wrapped([queue.heading(style)], indent: 4)
            if !queue.operations.isEmpty {
                var narrower = style
                narrower.width = style.width.map { max(2, $0) - 2 }
                lines += queue.table.rendered(narrower).map { "  " + $0 }
            }
            if let omitted = queue.omitted, omitted > 0 {
                lines.append("  " + Quantity.more(omitted))
            }
        }
        if let runLoop {
            lines += (lines.isEmpty ? [] : [""]) + style.wrapped(runLoop.lines(style), indent: 4)
        }
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
            .init("waits for", goesBelow: true), .init("is", goesBelow: true),
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
