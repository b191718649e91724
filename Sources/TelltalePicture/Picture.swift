#if TELLTALE_AGENT
/// How many of the host's sockets something may come through.
package struct SocketFacts: Sendable {
    /// Those at which a client may connect.
    package var listening: Int
    /// Those on which an answer may come.
    package var expecting: Int

    package init(listening: Int, expecting: Int) {
        self.listening = listening
        self.expecting = expecting
    }
}

/// The process as one capture saw it: what every command shows a part of, and what is judged.
///
/// It and all that it holds are plain values. They know no agent, read no memory and no clock, and can
/// be made by hand, so that what is judged of them is tested without a process. A part that was not asked
/// for is empty; what was asked for and could not be had is among the ``gaps``.
package struct Picture: Sendable {
    /// What can be captured by itself.
    package struct Parts: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let threads = Parts(rawValue: 1 << 0)
        /// The stacks of the threads and what they wait for.
        package static let stacks = Parts(rawValue: 1 << 1)
        package static let queues = Parts(rawValue: 1 << 2)
        package static let groups = Parts(rawValue: 1 << 3)
        package static let semaphores = Parts(rawValue: 1 << 4)
        package static let timers = Parts(rawValue: 1 << 5)
        package static let tasks = Parts(rawValue: 1 << 6)
        package static let actors = Parts(rawValue: 1 << 7)
        package static let operations = Parts(rawValue: 1 << 8)
        package static let sockets = Parts(rawValue: 1 << 9)
        package static let all = Parts(rawValue: (1 << 10) - 1)
    }

    /// Something that is missing, and why.
    package struct Gap: Sendable, Hashable {
        package var parts: Parts
        /// A sentence.
        package var reason: String
        /// Nothing at all is there of these parts.
        package var isWhole = false

        package init(_ parts: Parts, _ reason: String, isWhole: Bool = false) {
            self.parts = parts
            self.reason = reason
            self.isWhole = isWhole
        }
    }

    /// The moment, on the kernel's clock that never goes back.
    package var time: Duration
    /// The same moment, in nanoseconds since 1970.
    package var date: UInt64 = 0
    package var parts: Parts = []

    /// The main thread first, then by id.
    package var threads: [ThreadFacts] = []
    package var queues: [QueueFacts] = []
    package var groups: [GroupFacts] = []
    package var semaphores: [SemaphoreFacts] = []
    package var timers: [TimerFacts] = []
    /// By their ids, which is the order in which they were made.
    package var tasks: [TaskFacts] = []
    /// Those with jobs first, then by address.
    package var actors: [ActorFacts] = []
    /// Those of the queues that the host has shown, and what they depend on.
    package var operations: [PlacedOperation] = []
    /// The queues that clients of the agent have suspended.
    package var heldByClients: Set<UInt> = []
    /// The queue that is the pool of Swift concurrency; nil until a task has run.
    package var swiftPool: UInt?
    /// The host's sockets; nil where the descriptors could not be listed.
    package var sockets: SocketFacts?
    /// The names of frames of suspended tasks and of functions behind waiting items, by address; added
    /// last.
    package var names: [UInt: [ResolvedFrame]] = [:]
    package var gaps: [Gap] = []
    /// The time was up before all had been captured.
    package var isCut = false

    package init(time: Duration) { self.time = time }

    /// What is missing from some parts, each sentence once.
    package func notes(on parts: Parts) -> [String] {
        var seen: Set<String> = []
        return gaps.filter { !$0.parts.isDisjoint(with: parts) && seen.insert($0.reason).inserted }
            .map(\.reason)
    }

    /// Why there is nothing of a part; nil where there is.
    package func absence(of part: Parts) -> String? {
        gaps.first { $0.isWhole && $0.parts.contains(part) }?.reason
    }
}
#endif
