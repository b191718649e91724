#if TELLTALE_AGENT
/// The state of one event loop: a descriptor, or an array of them, on which a thread waits again
/// and again for any event.
package struct EventLoopFacts: Sendable {
    /// The call in which its thread waits.
    package enum Kind: String, Sendable {
        case epoll
        /// `poll` or `select`: the array was kept when a thread was seen waiting with it.
        case poll
        /// io_uring.
        case ring = "io_uring"
    }

    /// The library of the loop.
    package enum Make: String, Sendable {
        case nio = "SwiftNIO"
        case runLoop = "run loop"
        case libuv
        /// A loop that is not known by name.
        case other
    }

    /// A descriptor that has something for the loop.
    package struct Ready: Sendable, Hashable {
        package enum Kind: String, Sendable {
            case event, timer, signal, socket, connection, pipe, other
        }

        package var descriptor: Int32
        package var kind: Kind
        /// An event's count, the expirations of a timer, bytes; `nil` if not reported.
        package var unread: Int?

        package init(descriptor: Int32, kind: Kind, unread: Int? = nil) {
            self.descriptor = descriptor
            self.kind = kind
            self.unread = unread
        }
    }

    /// The tasks of the loop that only its own memory has.
    package struct Tasks: Sendable, Hashable {
        /// To be run as soon as it turns.
        package var waiting: Int
        /// To be run at a time.
        package var scheduled: Int

        package init(waiting: Int, scheduled: Int) {
            self.waiting = waiting
            self.scheduled = scheduled
        }
    }

    /// A promise that is not completed.
    package struct Promise: Sendable, Hashable {
        /// The same in two pictures says that it is the same promise.
        package var id: UInt
        /// The place where it was made: `Server.swift:36`.
        package var place: String

        package init(id: UInt, place: String) {
            self.id = id
            self.place = place
        }
    }

    /// The same in two pictures says that it is the same loop: a descriptor's number is used again.
    package var id: UInt64
    package var kind: Kind
    package var make = Make.other
    /// The epoll's or the ring's; nil of an array.
    package var descriptor: Int32?
    /// The loop's name: `NIO-ELT-0-#1`, `main run loop`, `Server.turn()`.
    package var label: String
    /// The number of descriptors it watches; `nil` if that was not read.
    package var members: Int?
    /// The number of those that are sockets or pipes.
    package var channels: Int?
    /// Its descriptor says that something is to be fetched.
    package var isReadable = false
    /// Those of its members that have events, as far as they were polled; also edge-triggered ones.
    package var ready: [Ready] = []
    package var waiting: [Int32] = []
    /// The threads that were seen waiting on it, or whose functions say that it is theirs, and that do
    /// something else now, in the function that waits.
    package var threads: [Int32] = []
    /// The tasks submitted to a SwiftNIO loop while no thread waits on it.
    package var tasks: Tasks?
    /// The promises of a SwiftNIO loop that the service's own code has made; for `doctor` alone.
    package var promises: [Promise] = []
    /// The time for which at least no thread has waited on it: since a capture first saw it so.
    package var away: Duration?

    package init(id: UInt64, kind: Kind, descriptor: Int32?, label: String) {
        self.id = id
        self.kind = kind
        self.descriptor = descriptor
        self.label = label
    }

    /// Indicates that events or tasks are pending.
    package var isReady: Bool { isReadable || !ready.isEmpty || waitingTasks > 0 }

    /// The number of tasks to run.
    package var waitingTasks: Int { tasks?.waiting ?? 0 }

    /// The number of descriptors with events; one at least if the kernel says that there is any.
    package var readyCount: Int { max(ready.count, isReadable ? 1 : 0) }
}

/// A pool of threads of a package, such as SwiftNIO's `NIOThreadPool`, and its line.
package struct PackagePool: Sendable {
    /// The pool object.
    package var address: UInt
    /// The pool's class: `NIOThreadPool`.
    package var name: String
    /// Its threads.
    package var threads: [Int32]
    /// The number of items that no thread has taken yet.
    package var waiting: Int

    package init(address: UInt, name: String, threads: [Int32], waiting: Int) {
        self.address = address
        self.name = name
        self.threads = threads
        self.waiting = waiting
    }
}
#endif
