#if TELLTALE_AGENT
package struct ThreadFacts: Sendable {
    /// The thread state, as the kernel reports it.
    package enum State: Sendable, Hashable {
        case running
        case waiting(SystemCall)
        /// Stopped by a signal or a debugger.
        case stopped
        /// The kernel didn't say; why.
        case unknown(String)
    }

    /// The kernel's id.
    package var id: Int32
    /// The kernel's name of it, at most 15 bytes.
    package var name = ""
    package var isMain = false
    /// Indicates that it is one of the agent's own.
    package var isAgent = false
    package var state: State
    /// Processor time used since the thread began.
    package var processorTime = Duration.zero
    /// The dispatch queue (the C object) whose items it runs.
    package var queue: UInt?
    /// The frame of Dispatch's chain of the queues below that one; `nil` if there is none.
    package var queueFrame: UInt?
    /// The Swift task that it runs.
    package var task: UInt?
    /// The actor or other executor that it runs on; nil for none, and for the thread pool's own.
    package var executor: UInt?
    /// Innermost first.
    package var frames: [RawFrame] = []
    /// The reason that there are no frames, or that they end before the thread's entry.
    package var gap: String?
    /// The frames with their names, inlined ones unfolded; added last.
    package var stack: [ResolvedFrame] = []
    /// The wait, as its system call and its stack show it.
    package var wait = ThreadWait.running
    /// The queues whose items it is in, innermost first; more than one where it is in `sync` inside
    /// an item of another.
    package var held: [UInt] = []
    /// Indicates the main thread in an item of its queue: Dispatch takes it to be in that queue
    /// wherever it is, as in a command-line tool that waits for its server's thread.
    package var isInMainItem = false
    /// Set if it is resuming a continuation, or may be: it runs, and where isn't known. A checked continuation
    /// has lost its task by then, which the thread alone has, on its stack or in a register.
    package var isResuming = false
    /// The operations of a self-wait: the one it waits for, and the one it executes that has to end
    /// first. Both are the same if it waits for its own.
    package var ownOperations: OwnOperations?
    /// From its stack pointer to its thread-local storage, of one that is blocked.
    package var liveStack: Range<UInt>?
    /// The address of its thread-local storage; `nil` if that isn't known.
    package var threadPointer: UInt?
    /// The number of times that the kernel has given it a core or taken it away; the same number in
    /// two pictures means that it hasn't run between them.
    package var switches: UInt64?
    /// The time for which at least it hasn't run, in seconds.
    package var offCPUFor: Double?
    /// The thread's age, in seconds.
    package var age: Double?

    package init(id: Int32, state: State) {
        self.id = id
        self.state = state
    }
}

/// See ``ThreadFacts/ownOperations``.
package struct OwnOperations: Sendable, Hashable {
    package var awaited: UInt
    package var executed: UInt

    package init(awaited: UInt, executed: UInt) {
        self.awaited = awaited
        self.executed = executed
    }
}

/// A blocked thread's system call.
package struct SystemCall: Sendable, Hashable {
    package var number: Int
    /// As the kernel shows them, six.
    package var arguments: [UInt]
    /// `futex`, `read`…; the number where it has no name here.
    package var name: String

    package init(number: Int, arguments: [UInt], name: String) {
        self.number = number
        self.arguments = arguments
        self.name = name
    }
}

/// A frame before it has a name.
package struct RawFrame: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The thread's current location.
        case programCounter
        /// The return address: the call is before it.
        case returnAddress
        /// The resume address of a suspended async function.
        case asyncResume
    }

    package var address: UInt
    package var kind: Kind

    package init(address: UInt, kind: Kind) {
        self.address = address
        self.kind = kind
    }
}
#endif
