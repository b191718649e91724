#if TELLTALE_AGENT
import Dispatch
import TelltaleDiagnosis
import TelltaleRuntime
import TelltaleSystem

/// Probes every registered owner periodically, with at most one pending probe for each.
///
/// A probe that an owner never answers may hold a thread of the pool for as long. So the number of pending
/// probes is limited, and a probe is given up once its owner is no longer registered.
///
/// Used only by the hang watch's thread.
struct OwnerHeartbeats {
    private final class Question: Sendable {
        let answered = DoneFlag()
        let call: HostCall<Bool>

        init(_ ask: (DoneFlag) -> HostCall<Bool>) { call = ask(answered) }

        /// A call that has not begun never will, and its slot in the bulkhead is free.
        func giveUp() { _ = call.outcome(until: .now, grace: .zero) }
    }

    /// The time that a thread waits for an actor that doesn't respond. A later answer is accepted too.
    private static let stay: Duration = .seconds(5)

    private let agent: Agent
    private var questions: [UInt64: (question: Question, beat: UInt64)] = [:]
    /// Index of the first owner to probe, since not all can be probed at once.
    private var turn = 0
    private var queueTurn = 0
    /// The maximum number of queues that are probed at one time: a host may have one for each of its
    /// sessions.
    private static let mostQueues = 256
    private var queues: [QueueIdentity: (waited: Duration, beat: UInt64)] = [:]
    private var beats: UInt64 = 0

    init(agent: Agent) { self.agent = agent }

    /// Returns the state of each owner's probe, and probes each owner again that has answered.
    mutating func take() -> [HangDetector.Heartbeat] {
        takeQueues() + takeOthers()
    }

    private mutating func takeQueues() -> [HangDetector.Heartbeat] {
        var found: [HangDetector.Heartbeat] = []
        var known: [QueueIdentity: (waited: Duration, beat: UInt64)] = [:]
        let probes = agent.shared.observedQueues
        let first = probes.isEmpty ? 0 : queueTurn % probes.count
        queueTurn = first + Self.mostQueues
        for (index, probe) in probes.enumerated() {
            let identity = probe.identity
            let isItsTurn = (index - first + probes.count) % probes.count < Self.mostQueues
            let waited = probe.waiting
            var entry = queues[identity] ?? (.zero, next())
            // Shorter than at the last check: the probe was answered, and the queue was probed anew.
            if waited == nil || waited ?? .zero < entry.waited { entry.beat = next() }
            entry.waited = waited ?? .zero
            known[identity] = entry
            found.append(
                HangDetector.Heartbeat(
                    source: .queue(identity.address), owner: name(of: probe), beat: entry.beat,
                    isWaiting: waited != nil))
            if waited == nil, isItsTurn {
                _ = probe.start(agent.workers.submitter)
            }
        }
        queues = known
        return found
    }

    private func name(of probe: QueueProbe) -> String {
        probe.identity == QueueIdentity(of: .main) ? "main" : probe.queue.label
    }

    private mutating func takeOthers() -> [HangDetector.Heartbeat] {
        let objects = agent.shared.objects.all.filter(\.isListed)
        let entries = objects.filter { entry in
            switch entry.owner {
            case .actor, .lock: true
            case .none, .queue, .mainActor, .closure: false
            }
        }
        let registered = Set(entries.map(\.identifier))
        for (identifier, asked) in questions where !registered.contains(identifier) {
            asked.question.giveUp()
            questions[identifier] = nil
        }
        // The other threads are reserved for client requests.
        let most = max(1, agent.workers.limit / 4)
        var open = questions.values.count { !$0.question.answered.isSet }
        var found: [HangDetector.Heartbeat] = []
        let first = entries.isEmpty ? 0 : turn % entries.count
        for entry in entries[first...] + entries[..<first] {
            let isWaiting =
                questions[entry.identifier].map { !$0.question.answered.isSet } ?? false
            if !isWaiting, open < most {
                questions[entry.identifier] = (ask(entry), next())
                open += 1
                turn = (turn + 1) % entries.count
            }
            guard let asked = questions[entry.identifier] else { continue }
            found.append(
                HangDetector.Heartbeat(
                    source: .registered(entry.identifier),
                    owner: "\(entry.name) (\(entry.owner.shortName))", beat: asked.beat,
                    isWaiting: isWaiting))
        }
        return found
    }

    private func ask(_ entry: RegistryEntry) -> Question {
        Question { answered in
            HostCall<Bool>.start(
                on: entry.owner, .read, workers: agent.workers,
                until: .now.advanced(by: Self.stay)
            ) {
                answered.set()
                return true
            }
        }
    }

    /// Gives up all unanswered probes.
    mutating func end() {
        for asked in questions.values { asked.question.giveUp() }
        questions = [:]
    }

    private mutating func next() -> UInt64 {
        beats &+= 1
        return beats
    }
}
#endif
