#if TELLTALE_AGENT
import TelltaleSystem

/// What one look at the whole process gave: all that ``StuckFinder`` needs, and nothing that it
/// would have to ask the system for.
struct StuckLook: Sendable {
    var time: MonotonicTime
    var threads: [LookedThread] = []
    var queues: [QueueFacts] = []
    var groups: [GroupFacts] = []
    var semaphores: [SemaphoreFacts] = []
    var tasks: [TaskFacts] = []
    var actors: [ActorFacts] = []
    var operations: [LookedOperation] = []
    /// The names of frames of suspended tasks and of functions behind waiting items, by address.
    var names: [UInt: [ResolvedFrame]] = [:]
    /// The queues that clients of the agent have suspended.
    var heldByClients: Set<UInt> = []
    /// Something besides the threads could still wake somebody: a timer, a connection.
    var mayBeWoken: String?
    /// What could not be looked at, and why.
    var notes: [String] = []
    /// The time was up before all had been looked at.
    var isCut = false

    init(time: MonotonicTime) { self.time = time }
}

/// One thread at a look.
struct LookedThread: Sendable {
    var sample: ThreadSample
    /// Innermost first, inlined ones unfolded.
    var frames: [ResolvedFrame]
    var wait: ThreadWait
    /// The queues whose items it is in, innermost first; more than one where it is in `sync` inside
    /// an item of another.
    var held: [UInt]
    /// How often the kernel has given it a core or taken it away; the same number at two looks says
    /// that it hasn't run between them.
    var switches: UInt64?
    /// For how long it hasn't run at least, in seconds.
    var restingFor: Double?

    var id: Int32 { sample.id }
}

/// One operation of an `OperationQueue`.
struct LookedOperation: Sendable {
    enum State: String, Sendable { case waiting, ready, executing, finished }

    var address: UInt
    var name: String
    /// Its type, where its name isn't already that.
    var type: String
    var state: State
    var isCancelled: Bool
    /// The name of its queue; nil where it is in none and will never start.
    var queue: String?
    var isQueueSuspended: Bool
    var dependencies: [UInt]
}
#endif
