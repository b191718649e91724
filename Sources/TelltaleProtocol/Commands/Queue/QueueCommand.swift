#if TELLTALE_COMPILED
/// `queue`: one queue, its waiting items, and the thread that holds it.
package enum QueueCommand: Command {
    package struct Parameters: JSONCodable {
        /// The queue's label, the end of it where that is enough, or its address.
        package var name: String
        /// The number of items shown; `nil` for the agent's default.
        package var limit: Int?
    }

    package typealias Answer = QueueAnswer

    package static let description = CommandDescription(
        "queue NAME [--limit N]", "one queue: what waits on it, and who holds it",
        detail: """
            The waiting items in their order with the functions behind them, and the stack of the
            thread that holds the queue.
            NAME         its label, the end of it (`photos`), or its address
            --limit N    how many items are shown
            """,
        example: "queue com.telltale.photos", completes: .name(.queue))

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let limit = try arguments.count("--limit")
        return Parameters(name: try arguments.queue(), limit: limit)
    }
}

/// The answer to `queue`: one queue, its waiting items, and the thread that holds it.
public struct QueueAnswer: CommandAnswer, MemberCoded {
    package static let kind = "queue"

    /// A waiting item.
    public struct Item: MemberCoded {
        /// Its place, from 0: the next to run.
        public var index: Int
        /// `block`, `function`, `work item`, `sync`, `task`, `source`, `queue` or `other`.
        public var kind: String
        /// The function that it will run, or that waits in `sync`.
        public var function: String?
        /// The source file of the function.
        public var file: String?
        /// The line of it.
        public var line: Int?
        /// The item's address, hexadecimal with `0x`, as `cancel item` takes it.
        public var address: String?
        /// A barrier: it runs alone.
        public var isBarrier = false
        /// A work item that was cancelled.
        public var isCancelled = false
        /// It leaves a group when it is done.
        public var isInGroup = false
        /// The thread that waits for it in `sync`.
        public var waiter: Int32?
        /// The task that it runs, or the queue or source that it drains.
        public var object: String?
        /// The agent has submitted it, or a thread of the agent's waits for it.
        public var isAgent: Bool?
    }

    /// The queue.
    public var queue: QueuesAnswer.Entry
    /// The waiting items, in order.
    public var items: [Item]
    /// The number of further waiting items.
    public var omitted: Int?
    /// The thread that drains or holds the queue, and its stack.
    public var holder: StackAnswer.Group?
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(
        queue: QueuesAnswer.Entry, items: [Item], omitted: Int? = nil,
        holder: StackAnswer.Group? = nil, notes: [String] = []
    ) {
        self.queue = queue
        self.items = items
        self.omitted = omitted
        self.holder = holder
        self.notes = notes
    }

    /// An empty one, to be read into.
    public init() {
        self.init(queue: QueuesAnswer.Entry(label: "", kind: "", qos: ""), items: [])
    }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("queue", &queue)
        coder.member("items", &items)
        coder.member("omitted", &omitted)
        coder.member("holder", &holder)
        coder.member("notes", &notes)
    }
}

extension QueueAnswer.Item {
    /// An empty one, to be read into.
    public init() { self.init(index: 0, kind: "") }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("index", &index)
        coder.member("kind", &kind)
        coder.member("function", &function)
        coder.member("file", &file)
        coder.member("line", &line)
        coder.member("address", &address)
        coder.member("isBarrier", &isBarrier)
        coder.member("isCancelled", &isCancelled)
        coder.member("isInGroup", &isInGroup)
        coder.member("waiter", &waiter)
        coder.member("object", &object)
        coder.member("isAgent", &isAgent)
    }
}

extension QueueAnswer {
    /// The queue, its waiting items, and the thread that holds it with its stack.
    package func lines(_ style: TextStyle) -> [String] {
        var lines = [style.painted("queue \(queue.label.escaped)", .bold)]
        for (key, value) in facts {
            guard let value, !value.isEmpty else { continue }
            lines.append("  \(key.filled(to: 9))\(value.escaped)")
        }
        if let finding = queue.finding {
            lines.append("  finding  " + style.painted(finding.escaped, .red))
        }
        if !items.isEmpty {
            lines += [""] + table.rendered(style)
        }
        if let omitted, omitted > 0 {
            lines.append(
                "… \(Quantity.count(omitted)) more (`queue \(queue.label.escaped) --limit N`)"
            )
        }
        if let holder { lines += [""] + holder.lines(style) }
        return lines + StackText.notes(notes, style)
    }

    private var facts: [(String, String?)] {
        let holder =
            queue.thread.map { ", held by thread \($0)" + AgentMark.of(queue.isAgent) } ?? ""
        let oldest = queue.oldestSeconds.map {
            ", the oldest for at least \(Quantity.time(seconds: $0))"
        }
        let waiting = queue.waitingText.map {
            $0 == "moving" ? "the list moved each time that it was read" : $0 + (oldest ?? "")
        }
        let width = queue.widthInUse.map { used in
            "\(used) of \(queue.width.map { "\($0)" } ?? "?")"
        }
        return [
            ("kind", queue.kind), ("state", queue.stateText.map { $0 + holder }),
            ("waiting", waiting), ("in use", width), ("target", queue.target),
            ("qos", queue.qos), ("guards", queue.objects.joined(separator: ", ")),
            ("latency", queue.latencyMicroseconds.map { Quantity.time(microseconds: $0) }),
            ("address", queue.address),
        ]
    }

    private var table: TextTable {
        var table = TextTable([
            .init("item", isNumber: true), .init("kind"), .init("function", goesBelow: true),
            .init("place", keepsEnd: true), .init("is"), .init("address", isExtra: true),
        ])
        for item in items {
            var marks: [String] = []
            if item.isBarrier { marks.append("barrier") }
            if item.isCancelled { marks.append("cancelled") }
            if item.isInGroup { marks.append("in a group") }
            if let waiter = item.waiter {
                marks.append("thread \(waiter)\(AgentMark.of(item.isAgent)) waits")
            } else if item.isAgent == true {
                marks.append("the agent's")
            }
            table.add([
                "\(item.index)", item.kind, item.function ?? item.object ?? "",
                StackText.place(item.file, item.line) ?? "", marks.joined(separator: ", "),
                item.address ?? "",
            ])
        }
        return table
    }
}
#endif
