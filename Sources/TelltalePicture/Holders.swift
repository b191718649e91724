#if TELLTALE_AGENT
/// An object without an owner that a thread or task waits for: any code that can reach it may end
/// the wait.
package enum WaitTarget: Sendable, Hashable {
    /// By the C object.
    case semaphore(UInt), group(UInt)
    /// By the word on which its waiters sleep.
    case condition(UInt)
    /// The continuation of a task, by the task.
    case continuation(task: UInt)

    package var address: UInt {
        switch self {
        case .semaphore(let address), .group(let address), .condition(let address),
            .continuation(task: let address):
            address
        }
    }

    /// The address alone, of which a picture may have 50,000: two of one address are a rarity.
    package func hash(into hasher: inout Hasher) { hasher.combine(address) }
}

extension WaitTarget {
    /// The object a thread waits for; `nil` if it has an owner, or if the wait ends by itself.
    package init?(of wait: ThreadWait) {
        switch wait {
        case .semaphore(let address): self = .semaphore(address)
        case .group(let address): self = .group(address)
        case .condition(let word), .operations(condition: let word): self = .condition(word)
        default: return nil
        }
    }
}

/// A place with pointers of the process that can't be read: what such a pointer leads to can't be proven to be
/// out of reach.
package enum OpaqueRoot: Sendable, Hashable {
    /// An io_uring, which keeps the `user_data` of each request in flight.
    case ring(descriptor: Int32)
    /// Timers of `timer_create`, each of which has a `sival_ptr`.
    case processTimers(count: Int)
    /// Contexts of `io_setup`, each request of which has an `aio_data`.
    case asyncContexts
    /// Private memory without access that has been written: a heap that is locked for the moment.
    case unreadableMemory(bytes: UInt64)
    /// Epolls of a process with more open descriptors than are read, each of which has an `epoll_data`.
    case epolls(descriptors: Int)
}

/// From where in the process something can be reached, as a search of its memory has found it.
///
/// A word that looks like a pointer counts as one. What can't be told from something left over is taken
/// for a way too, so that `roots` may have too many, and lacks none where the search `isWhole`.
package struct Holders: Sendable, Hashable {
    /// The root of a retaining path: something that may run, or about which no more is known.
    package enum Root: Sendable, Hashable {
        /// A thread's stack or its thread-local storage.
        case thread(Int32)
        /// The context of a suspended task.
        case task(UInt)
        /// A timer, or an `asyncAfter`.
        case timer(UInt)
        /// Another source of Dispatch's that is neither cancelled nor suspended, with the object
        /// that it watches.
        case source(UInt, watches: String)
        /// An item that waits on a queue.
        case item(queue: UInt)
        /// A variable of the program's or of a library's; its name where it has one.
        case global(UInt, name: String?)
        /// An object at which the search ended; its type where it has one.
        case object(UInt, type: String?)
        /// The `epoll_data` of a descriptor that an epoll watches: the kernel alone keeps the pointer.
        case event(epoll: Int32, descriptor: Int32)

        /// Indicates that the root makes progress by itself, so that no other path needs to be
        /// searched.
        package var isCertain: Bool {
            switch self {
            case .timer, .source: true
            case .thread, .task, .item, .global, .object, .event: false
            }
        }
    }

    /// Each once, at most as many as were asked for.
    package var roots: [Root]
    /// All ways were followed to their beginnings.
    package var isWhole: Bool
    /// The objects by which alone a checked continuation is resumed: others in the next search say that its
    /// task has gone on meanwhile.
    package var continuations: Set<UInt> = []
    /// The type of the nearest object that leads to it, where one has a name.
    package var nearest: String?

    package init(_ roots: [Root], isWhole: Bool) {
        self.roots = roots
        self.isWhole = isWhole
    }

    /// Indicates that the object is unreachable.
    package var isLost: Bool { isWhole && roots.isEmpty }
}
#endif
