#if TELLTALE_COMPILED
/// `queues`: every queue of the process, and how long the observed ones take to answer.
package enum QueuesCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = QueuesAnswer

    package static let description = CommandDescription(
        "queues [--all]", "queues: state, what waits, how long each took to answer",
        detail: """
            Below them event loops (epoll, poll, io_uring; SwiftNIO's and run loops by name): whether
            a thread waits for events, and how many descriptors have something that nobody fetched.
            Those that the service registered are asked to run an empty item; the one that does not
            answer is named, with the objects that it guards. The others were found in memory.
            --all    also the global queues and those of the system
            """)
}

/// The answer to `queues`.
public struct QueuesAnswer: CommandAnswer {
    package static let kind = "queues"

    /// A queue.
    public struct Entry: JSONCodable {
        /// The queue's label.
        public var label: String
        /// `serial`, `concurrent`, `main`, `global`, `pool` (Swift concurrency's) or
        /// `unknown`.
        public var kind: String
        /// Its quality of service, as Dispatch names it; `unspecified` where it has none.
        public var qos: String
        /// The time until the queue ran the probe, in microseconds; `nil` if it did not answer or
        /// was not probed.
        public var latencyMicroseconds: Int?
        /// The problem: `no answer for 1.0 s`. `nil` for a queue that answered.
        public var finding: String?
        /// Names of the registered objects that it guards.
        public var objects: [String] = []
        /// The address of the queue, hexadecimal with `0x`; `queue` takes it too.
        public var address: String?
        /// The label of the queue that it runs on.
        public var target: String?
        /// `idle`, `enqueued`, `running`, `barrier`, `suspended` or `inactive`; `nil` if not
        /// available.
        public var state: String?
        /// The suspension count.
        public var suspendCount: Int?
        /// The number of waiting items; `nil` if not available, and for a list that moved each time
        /// it was read.
        public var waiting: Int?
        /// The list of items moved each time that it was read.
        public var isMoving: Bool?
        /// `waiting` is a lower bound: the count ended at its bound.
        public var isCut: Bool?
        /// The time that the oldest item has waited at least, in seconds: since it was first seen.
        public var oldestSeconds: Double?
        /// The number of items that may run at once.
        public var width: Int?
        /// The number of running items.
        public var widthInUse: Int?
        /// The thread that drains it, or holds it in `sync`.
        public var thread: Int32?
        /// Indicates that the thread is one of the agent's own.
        public var isAgent: Bool?
        /// The host registered it; else it was found in memory.
        public var isObserved: Bool?

        package init(label: String, kind: String, qos: String) {
            self.label = label
            self.kind = kind
            self.qos = qos
        }
    }

    /// The queues: main first, then in the order of their registration, then those that were
    /// found.
    public var queues: [Entry]
    /// The event loops: those whose threads are known first, then by descriptor.
    public var eventLoops: [EventLoop]?
    /// The number of global and system queues left out.
    public var hidden: Int?
    /// The columns that are not available, with the reason.
    public var notes: [String]?

    package init(queues: [Entry], hidden: Int? = nil, notes: [String]? = nil) {
        self.queues = queues
        self.hidden = hidden
        self.notes = notes
    }
}
#endif
