#if TELLTALE_AGENT
/// The kind of a queue: serial or concurrent, and global or the program's own.
package enum QueueKind: String, Sendable {
    case serial, concurrent, main, global, unknown
}

/// The state of one queue in libdispatch's memory.
package struct QueueFacts: Sendable {
    /// The C object.
    package var address: UInt
    package var label = ""
    /// Dispatch's own, of which it is Dispatch that suspends and resumes it.
    package var isDispatchsOwn = false
    package var kind = QueueKind.unknown
    /// The C object of its target; nil for a root queue.
    package var target: UInt?
    /// As Dispatch names it; `unspecified` where it has none.
    package var qos = "unspecified"
    package var suspendCount = 0
    /// Made inactive and not yet activated.
    package var isInactive = false
    package var isEnqueued = false
    /// An item has the queue to itself.
    package var isInBarrier = false
    /// A barrier waits until the readers before it are done.
    package var hasPendingBarrier = false
    package var width = 1
    package var widthInUse = 0
    /// Indicates the main thread's own queue, whose state doesn't tell the thread's activity. After
    /// `dispatchMain()` it isn't bound.
    package var isBoundToThread = false
    /// The thread that drains it or holds it in `sync`.
    package var owner: Int32?
    /// The waiting items, in order; at most as many as were asked for.
    package var items: [PendingItem] = []
    /// The number of waiting items; `nil` if the list moved each time it was read.
    package var waiting: Int? = 0
    /// `waiting` is a lower bound, the walk ended at its bound.
    package var isCut = false
    /// The time that the oldest item has waited at least: since a capture first saw it. Dispatch
    /// keeps no time.
    package var oldestWait: Duration?

    package init(address: UInt) { self.address = address }
}

package struct PendingItem: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case block, function, workItem, syncWaiter, task, source, queue, other
    }

    /// The item's own address: the same item in two captures has the same one.
    package var address: UInt
    package var kind = Kind.other
    /// The code that it will run, where that is known.
    package var function: UInt?
    package var isBarrier = false
    package var isCancelled = false
    package var isInGroup = false
    /// The thread that waits in `sync` for it.
    package var waiter: Int32?
    /// The Swift task that it runs, or the queue or source that it drains.
    package var object: UInt?

    package init(address: UInt) { self.address = address }
}

/// The state of a group in libdispatch's memory.
package struct GroupFacts: Sendable {
    package var address: UInt
    /// The number of `enter`s without a `leave` yet.
    package var outstanding: Int
    package var hasWaiters: Bool
    package var hasNotify: Bool

    package init(address: UInt, outstanding: Int, hasWaiters: Bool, hasNotify: Bool) {
        self.address = address
        self.outstanding = outstanding
        self.hasWaiters = hasWaiters
        self.hasNotify = hasNotify
    }
}

/// The state of a semaphore in libdispatch's memory.
package struct SemaphoreFacts: Sendable {
    package var address: UInt
    /// Negative: so many threads wait.
    package var value: Int
    package var original: Int

    package init(address: UInt, value: Int, original: Int) {
        self.address = address
        self.value = value
        self.original = original
    }
}

/// The state of a timer in libdispatch's memory: a source, or an `asyncAfter`.
package struct TimerFacts: Sendable {
    package var address: UInt
    /// The queue (the C object) that its handler runs on.
    package var queue: UInt?
    /// Seconds until it fires next; negative if it is overdue; `nil` if it is not armed.
    package var firesIn: Double?
    /// Seconds between two firings; `nil` if it fires once.
    package var interval: Double?
    package var handler: UInt?
    /// Its handler is a function of Dispatch's own, such as its watch over its threads.
    package var isDispatchsOwn = false
    package var isAfter = false
    package var isCancelled = false
    package var suspendCount = 0

    package init(address: UInt) { self.address = address }
}
#endif
