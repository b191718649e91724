#if TELLTALE_AGENT
package import TelltaleProtocol

/// The number of the host's sockets through which data may arrive.
package struct SocketFacts: Sendable {
    /// The sockets to which a client may connect.
    package var listening: Int
    /// The sockets on which an answer may come.
    package var expecting: Int

    package init(listening: Int, expecting: Int) {
        self.listening = listening
        self.expecting = expecting
    }
}

/// The process as one capture saw it: each command shows a part of it, and the diagnosis judges it.
///
/// A picture and all its parts are plain values. They know no agent, read no memory and no clock,
/// and can be made by hand, so a diagnosis is tested without a process. A part that was not asked
/// for is empty; a part that was asked for and is not available is among the ``gaps``.
package struct Picture: Sendable {
    /// The parts of a picture that can be captured separately.
    package struct Parts: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let threads = Parts(rawValue: 1 << 0)
        /// The stacks of threads.
        package static let stacks = Parts(rawValue: 1 << 1)
        package static let queues = Parts(rawValue: 1 << 2)
        package static let groups = Parts(rawValue: 1 << 3)
        package static let semaphores = Parts(rawValue: 1 << 4)
        package static let timers = Parts(rawValue: 1 << 5)
        package static let tasks = Parts(rawValue: 1 << 6)
        package static let actors = Parts(rawValue: 1 << 7)
        package static let operations = Parts(rawValue: 1 << 8)
        /// Context switches of threads, retainers of the objects waited for, and other potential
        /// wakers.
        package static let waits = Parts(rawValue: 1 << 9)
        /// Event loops, and their pending events.
        package static let eventLoops = Parts(rawValue: 1 << 10)
        /// The parts found by a search of the memory.
        package static let searched: Parts = [
            .queues, .groups, .semaphores, .timers, .tasks, .actors,
        ]
        package static let all = Parts(rawValue: (1 << 11) - 1)
    }

    /// Something that is missing, and why.
    package struct Gap: Sendable, Hashable {
        package var parts: Parts
        /// A sentence.
        package var reason: String
        /// Nothing at all is there of these parts.
        package var isWhole = false
        /// Indicates that the missing part may be exactly the one that does not move.
        package var isCut = false

        package init(
            _ parts: Parts, _ reason: String, isWhole: Bool = false, isCut: Bool = false
        ) {
            self.parts = parts
            self.reason = reason
            self.isWhole = isWhole
            self.isCut = isCut || isWhole
        }
    }

    /// The number of threads that were running, and were stopped for a moment so that their stacks
    /// could be read.
    package struct Interruptions: Sendable, Hashable {
        package var count = 0
        /// The maximum time that one of them was stopped, in nanoseconds.
        package var longest: UInt64 = 0
        /// The duration of the threads' capture, without their names.
        package var took = Duration.zero

        package init(count: Int = 0, longest: UInt64 = 0, took: Duration = .zero) {
            self.count = count
            self.longest = longest
            self.took = took
        }
    }

    /// The moment, on the kernel's clock that never goes back.
    package var time: Duration
    /// The same moment, in nanoseconds since 1970.
    package var date: UInt64 = 0
    package var parts: Parts = []
    /// The total time that the process was stopped since it began.
    package var lostTime = Duration.zero

    /// The main thread first, then by id.
    package var threads: [ThreadFacts] = []
    /// The interruptions needed to capture the threads.
    package var interruptions = Interruptions()
    /// The main queue first, then those that the host has shown, those that were found, and the
    /// global ones.
    package var queues: [QueueFacts] = []
    /// Indicates that waiting items, and the state of a queue, could be read.
    package var hasQueueItems = false
    package var hasQueueStates = false
    package var groups: [GroupFacts] = []
    package var semaphores: [SemaphoreFacts] = []
    package var timers: [TimerFacts] = []
    /// Dispatch's other sources.
    package var sources: [UInt] = []
    /// By their ids, which is the order in which they were made.
    package var tasks: [TaskFacts] = []
    /// The actors with jobs first, then by address.
    package var actors: [ActorFacts] = []
    /// The operation queues that the host has shown, and the main thread's run loop.
    package var operationQueues: [OperationQueueFacts] = []
    package var runLoop: OperationsAnswer.RunLoop?
    /// The operations of those queues, and their dependencies.
    package var operations: [PlacedOperation] = []
    /// The queues and actors that the host has shown as owners.
    package var owners: Set<UInt> = []
    /// The queues that clients of the agent have suspended.
    package var heldByClients: Set<UInt> = []
    /// The queue that is the pool of Swift concurrency; nil until a task has run.
    package var swiftPool: UInt?
    /// The loops on which a thread waits or was seen waiting first, then by descriptor.
    package var eventLoops: [EventLoopFacts] = []
    /// The pools of threads of packages; for `doctor` alone.
    package var packagePools: [PackagePool] = []
    /// The host's sockets; `nil` if the descriptors could not be listed.
    package var sockets: SocketFacts?
    /// Set if the time was up before all of that had been searched for.
    package var isSearchLate = false
    /// Places in which the kernel may keep a pointer to what is waited for, and doesn't show it.
    package var opaqueRoots: [OpaqueRoot] = []
    /// The names of frames of tasks, of functions behind waiting items and of timers' handlers, by
    /// address; added last.
    package var names: [UInt: [ResolvedFrame]] = [:]
    /// The labels of queues by their address, with those that threads serve and nothing else is known of.
    package var labels: [UInt: String] = [:]
    /// Tasks as they are called, `#12 refresh`, by their address: those that a thread runs, another task
    /// awaits or an actor has in line.
    package var taskTitles: [UInt: String] = [:]
    /// Executors as a line names them, `MainActor`, `Bank`, by their address.
    package var executors: [UInt: String] = [:]
    /// Tasks that were seen at work since the picture was taken.
    package var movedTasks: Set<UInt> = []
    /// The retainers of objects waited for; only of those that were searched for.
    package var holders: [WaitTarget: Holders] = [:]
    /// The border of the process; `nil` where it was not asked for.
    package var border: BorderFacts?
    package var gaps: [Gap] = []

    package init(time: Duration) { self.time = time }

    /// Returns the notes about missing parts, each sentence once.
    package func notes(on parts: Parts) -> [String] {
        var seen: Set<String> = []
        return gaps.filter { !$0.parts.isDisjoint(with: parts) && seen.insert($0.reason).inserted }
            .map(\.reason)
    }

    /// Indicates that a missing part may be exactly the one that does not move.
    package var isCut: Bool { gaps.contains(where: \.isCut) }

    /// Adds notes on missing parts, a sentence each; `isCut`: the missing part may be exactly the
    /// one that does not move.
    package mutating func add(_ reasons: [String], to parts: Parts, isCut: Bool = false) {
        gaps += reasons.map { Gap(parts, $0, isCut: isCut) }
    }

    /// Adds the retainers found by another search of objects waited for.
    package mutating func add(_ found: [WaitTarget: Holders]) {
        // With tens of thousands of entries each one would be moved.
        guard !holders.isEmpty else {
            holders = found
            return
        }
        holders.merge(found) { first, second in
            var both = first
            let known = Set(first.roots)
            both.roots += second.roots.filter { !known.contains($0) }
            both.isWhole =
                first.isWhole && second.isWhole && first.continuations == second.continuations
            both.nearest = first.nearest ?? second.nearest
            return both
        }
    }

    /// Returns the reason that a part is missing; `nil` if it isn't.
    package func absence(of part: Parts) -> String? {
        gaps.first { $0.isWhole && $0.parts.contains(part) }?.reason
    }
}
#endif
