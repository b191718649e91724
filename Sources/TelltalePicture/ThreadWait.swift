#if TELLTALE_AGENT
/// The activity of a thread in one picture, in terms of the party that has to move before it can.
package enum ThreadWait: Sendable, Hashable {
    /// The kind of lock, as its user knows it.
    package enum LockKind: String, Sendable {
        /// A `pthread_mutex_t`, which `NSLock` and `NSRecursiveLock` contain.
        case mutex = "lock"
        /// `Mutex` of Synchronization.
        case synchronization = "Mutex"
        case readerWriter = "read-write lock"
        /// The same while readers hold it, of whom the C library keeps the number alone.
        case readLocked
        /// The locks of `stdin`, `stdout`, `stderr`, and of other streams.
        case standardInput = "lock of stdin"
        case standardOutput = "lock of stdout"
        case standardError = "lock of stderr"
        case stream = "lock of a stdio stream"
        /// The first use of a global or of a `static let`.
        case once = "once"
        /// A lock of a system library's own.
        case other = "system lock"
    }

    /// It uses a core, or could.
    case running
    /// A thread of a pool without work, or one that does nothing but keep the process alive.
    case idle
    /// Input, output, or any event from outside: `read`, `epoll_wait`, `accept`.
    case event(String)
    /// Events of any kind, as Dispatch's manager and run loops wait for them for good.
    case eventLoop(String)
    /// A time that will come.
    case time
    /// `sync` to a queue, by the C object.
    case queue(UInt)
    /// A lock, and its holder if its word tells it.
    case lock(UInt, owner: Int32?, LockKind)
    case semaphore(UInt)
    case group(UInt)
    /// A condition variable: it has signallers but no holder.
    case condition(UInt)
    /// Operations to finish, which Foundation waits for on this condition.
    case operations(condition: UInt)
    /// The end of another thread.
    case thread(Int32)
    /// Nothing that is known here.
    case unknown(String)

    /// Indicates that another party in this process has to act before it continues.
    package var needsAnother: Bool {
        switch self {
        case .queue, .lock, .semaphore, .group, .condition, .operations, .thread: true
        case .running, .idle, .event, .eventLoop, .time, .unknown: false
        }
    }

    package var isEvent: Bool {
        if case .event = self { true } else { false }
    }

    package var isEventLoop: Bool {
        if case .eventLoop = self { true } else { false }
    }

    /// In the wait of an event loop: of a run loop or of Dispatch's, or for whatever an `epoll` or a ring has.
    package var isForManyDescriptors: Bool {
        switch self {
        case .eventLoop: true
        case .event(let call): call.hasPrefix("epoll_") || call == "io_uring_enter"
        default: false
        }
    }
}
#endif
