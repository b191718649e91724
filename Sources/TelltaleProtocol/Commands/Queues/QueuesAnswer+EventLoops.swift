#if TELLTALE_COMPILED
extension QueuesAnswer {
    /// An event loop.
    public struct EventLoop: JSONCodable {
        /// The loop's name: `NIO-ELT-0-#1`, `main run loop`, a thread's name, or the waiting
        /// function.
        public var label: String
        /// The call in which its thread waits: `epoll`, `poll` (also `select`) or `io_uring`.
        public var kind: String
        /// The library of the loop: `SwiftNIO`, `run loop`, `libuv`; `nil` for any other.
        public var make: String?
        /// The epoll's or the ring's descriptor.
        public var descriptor: Int32?
        /// `waiting` (a thread waits for events), `in a handler` (its thread does something else),
        /// or `not attended` (no thread has been seen waiting on it).
        public var state: String
        /// Its threads: those that wait, else those that were seen waiting.
        public var threads: [Int32] = []
        /// The number of descriptors it watches; `nil` if that was not read.
        public var members: Int?
        /// The number of those that are sockets or pipes.
        public var channels: Int?
        /// The number of descriptors with events not fetched yet.
        public var ready = 0
        /// The number of tasks submitted to the loop that only its own memory holds; `nil` if
        /// unknown. Known for SwiftNIO's loops in a handler.
        public var tasks: Int?
        /// The number of further tasks scheduled for a later time.
        public var scheduled: Int?
        /// The time, in seconds, for which at least no thread has waited on it.
        public var awaySeconds: Double?

        package init(label: String, kind: String, state: String) {
            self.label = label
            self.kind = kind
            self.state = state
        }
    }

    /// Event loops as a table; nothing where there is none.
    package func eventLoopLines(_ style: TextStyle) -> [String] {
        guard let eventLoops, !eventLoops.isEmpty else { return [] }
        let hasTasks = eventLoops.contains { $0.tasks != nil }
        var columns: [TextTable.Column] = [
            .init("event loop"), .init("kind"), .init("state"), .init("thread", isNumber: true),
            .init("members", isNumber: true), .init("channels", isNumber: true),
            .init("ready", isNumber: true),
        ]
        if hasTasks { columns.append(.init("tasks", isNumber: true)) }
        var table = TextTable(columns + [.init("since", isNumber: true)])
        for loop in eventLoops {
            let descriptor = loop.descriptor.map { " \($0)" } ?? ""
            let more = loop.threads.count > 1 ? " +\(loop.threads.count - 1)" : ""
            var row = [
                loop.label, loop.kind + descriptor, loop.state,
                loop.threads.first.map { "\($0)\(more)" } ?? "",
                loop.members.map { Quantity.count($0) } ?? "",
                loop.channels.map { Quantity.count($0) } ?? "", Quantity.count(loop.ready),
            ]
            if hasTasks { row.append(loop.taskWords) }
            row.append(loop.awaySeconds.map { "≥" + Quantity.time(seconds: $0, .field) } ?? "")
            table.add(row)
        }
        return table.rendered(style)
    }

    /// The dump's line about all of them: `EVENT LOOPS 2: 1 waiting, 1 in a handler, 0 not attended`.
    package var eventLoopSummary: String? {
        guard let eventLoops, !eventLoops.isEmpty else { return nil }
        func count(_ state: String) -> Int { eventLoops.count { $0.state == state } }
        return "EVENT LOOPS \(eventLoops.count): \(count("waiting")) waiting, "
            + "\(count("in a handler")) in a handler, \(count("not attended")) not attended"
    }
}

extension QueuesAnswer.EventLoop {
    /// `7`, `7 +3 later`.
    fileprivate var taskWords: String {
        guard let tasks else { return "" }
        let later = scheduled.flatMap { $0 > 0 ? " +\(Quantity.count($0)) later" : nil } ?? ""
        return Quantity.count(tasks) + later
    }
}
#endif
