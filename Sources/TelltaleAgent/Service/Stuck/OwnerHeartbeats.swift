#if TELLTALE_AGENT
import Dispatch
import TelltaleDiagnosis
import TelltaleSystem

/// Asks every registered owner for a sign of life, again and again; one question at most lies with
/// each.
///
/// A question that an owner never answers may hold a thread of the pool for as long: so there are
/// only so many of them at a time, and one whose owner isn't registered any more is given up.
///
/// Used by the hang watch's thread alone.
struct OwnerHeartbeats {
    private final class Question: Sendable {
        let answered = DoneFlag()
        let call: HostCall<Bool>

        init(_ ask: (DoneFlag) -> HostCall<Bool>) { call = ask(answered) }

        /// Where it has not begun it never will, and its place in the bulkhead is free.
        func giveUp() { _ = call.outcome(until: .now, grace: .zero) }
    }

    /// How long a thread stays with an actor that doesn't answer. Its answer is taken later too.
    private static let stay: Duration = .seconds(5)

    private let agent: Agent
    private var questions: [UInt64: (question: Question, beat: UInt64)] = [:]
    /// Whose turn it is, where not all can be asked at once.
    private var turn = 0
    private var queueTurn = 0
    /// So many queues are asked at one time: a host may have one for each of its sessions.
    private static let mostQueues = 256
    private var queues: [QueueIdentity: (waited: Duration, beat: UInt64)] = [:]
    private var beats: UInt64 = 0

    init(agent: Agent) { self.agent = agent }

    /// What was answered since the last time; where it was, the owner is asked again.
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
            // Less than at the last time: it was answered, and somebody has asked anew.
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
        // The other threads are for those who ask for something.
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

    /// Gives up what has not been answered.
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
