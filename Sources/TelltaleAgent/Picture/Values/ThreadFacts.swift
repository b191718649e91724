#if TELLTALE_AGENT
/// What one capture gave of a thread.
struct ThreadFacts: Sendable {
    /// What the kernel says that it does.
    enum State: Sendable, Hashable {
        case running
        case waiting(SystemCall)
        /// Stopped by a signal or a debugger.
        case stopped
        /// The kernel didn't say; why.
        case unknown(String)
    }

    /// The kernel's id.
    var id: Int32
    /// The kernel's name of it, at most 15 bytes.
    var name: String
    var isMain: Bool
    /// One of the agent's own.
    var isAgent: Bool
    var state: State
    /// Processor time used since the thread began.
    var processorTime: Duration
    /// The dispatch queue (the C object) whose items it runs.
    var queue: UInt?
    /// Where Dispatch's chain of the queues below that one begins; nil where there is none.
    var queueFrame: UInt?
    /// The Swift task that it runs.
    var task: UInt?
    /// The actor or other executor that it runs on; nil for none, and for the thread pool's own.
    var executor: UInt?
    /// Innermost first.
    var frames: [RawFrame] = []
    /// Why there are no frames, or why they end before the thread's entry.
    var gap: String?
    /// The frames with their names, inlined ones unfolded; added last.
    var stack: [ResolvedFrame] = []
    /// What it waits for, as its system call and its stack say.
    var wait = ThreadWait.running
    /// The queues whose items it is in, innermost first; more than one where it is in `sync` inside
    /// an item of another.
    var held: [UInt] = []
    /// How often the kernel has given it a core or taken it away; the same number in two pictures says
    /// that it hasn't run between them.
    var switches: UInt64?
    /// For how long it hasn't run at least, in seconds.
    var restingFor: Double?
}

/// A blocked thread's system call.
struct SystemCall: Sendable, Hashable {
    var number: Int
    /// As the kernel shows them, six.
    var arguments: [UInt]
    /// `futex`, `read`…; the number where it has no name here.
    var name: String
}

/// One frame before it has a name.
struct RawFrame: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Where the thread is.
        case programCounter
        /// Where it will go back to: the call is before it.
        case returnAddress
        /// Where a suspended async function goes on.
        case asyncResume
    }

    var address: UInt
    var kind: Kind
}
#endif
