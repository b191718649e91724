#if TELLTALE_AGENT
/// Whether a queue runs its items one after another, and whose it is.
enum QueueKind: String, Sendable {
    case serial, concurrent, main, global, unknown
}

/// What libdispatch's memory says of one queue.
struct QueueFacts: Sendable {
    /// The C object.
    var address: UInt
    var label: String
    var kind: QueueKind
    /// The C object of its target; nil for a root queue.
    var target: UInt?
    /// As Dispatch names it; `unspecified` where it has none.
    var qos: String
    var suspendCount: Int
    /// Made inactive and not yet activated.
    var isInactive: Bool
    var isEnqueued: Bool
    /// An item has the queue to itself.
    var isInBarrier: Bool
    /// A barrier waits until the readers before it are done.
    var hasPendingBarrier: Bool
    var width: Int
    var widthInUse: Int
    /// The thread that drains it or holds it in `sync`.
    var owner: Int32?
    /// Those that wait, in order; at most as many as were asked for.
    var items: [PendingItem]
    /// How many wait; nil where the list moved each time that it was read.
    var waiting: Int?
    /// `waiting` is a lower bound, the walk ended at its bound.
    var isCut: Bool
    /// How long the oldest has waited at least: since a look first saw it. Dispatch keeps no time.
    var oldestWait: Duration? = nil
}

/// One item that waits on a queue.
struct PendingItem: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case block, function, workItem, syncWaiter, task, source, queue, other
    }

    /// The item's own address: the same item at two looks has the same one.
    var address: UInt
    var kind: Kind
    /// The code that it will run, where that is known.
    var function: UInt?
    var isBarrier: Bool
    var isCancelled: Bool
    /// It leaves a group when it is done.
    var isInGroup: Bool
    /// The thread that waits in `sync` for it.
    var waiter: Int32?
    /// The Swift task that it runs, or the queue or source that it drains.
    var object: UInt?
}

/// What libdispatch's memory says of a group.
struct GroupFacts: Sendable {
    var address: UInt
    /// How many `enter`s have had no `leave` yet.
    var outstanding: Int
    var hasWaiters: Bool
    var hasNotify: Bool
}

/// What libdispatch's memory says of a semaphore.
struct SemaphoreFacts: Sendable {
    var address: UInt
    /// Negative: so many threads wait.
    var value: Int
    var original: Int
}

/// What libdispatch's memory says of a timer: a source, or an `asyncAfter`.
struct TimerFacts: Sendable {
    var address: UInt
    /// The queue (the C object) that its handler runs on.
    var queue: UInt?
    /// Seconds until it fires next; negative when it is overdue; nil where it is not armed.
    var firesIn: Double?
    /// Seconds between two firings; nil where it fires once.
    var interval: Double?
    var handler: UInt?
    var isAfter: Bool
    var isCancelled: Bool
    var suspendCount: Int
}
#endif
