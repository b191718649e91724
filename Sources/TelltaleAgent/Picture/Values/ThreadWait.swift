#if TELLTALE_AGENT
/// What a thread does at one look, as far as that says who has to move before it can.
enum ThreadWait: Sendable, Hashable {
    /// What kind of lock it is, as its user knows it.
    enum LockKind: String, Sendable {
        /// A `pthread_mutex_t`, which is what `NSLock` and `NSRecursiveLock` are inside.
        case mutex = "lock"
        /// `Mutex` of Synchronization.
        case synchronization = "Mutex"
        case readerWriter = "read-write lock"
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
    /// A time that will come.
    case time
    /// `sync` to a queue, by the C object.
    case queue(UInt)
    /// A lock; who holds it, where its word says that.
    case lock(UInt, owner: Int32?, LockKind)
    case semaphore(UInt)
    case group(UInt)
    /// A condition variable: somebody signals it, nobody holds it.
    case condition(UInt)
    /// The end of another thread.
    case thread(Int32)
    /// Nothing that is known here.
    case unknown(String)

    /// Whether somebody in this process has to do something before it goes on.
    var needsAnother: Bool {
        switch self {
        case .queue, .lock, .semaphore, .group, .condition, .thread: true
        case .running, .idle, .event, .time, .unknown: false
        }
    }
}
#endif
