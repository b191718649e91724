#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Probes every queue that is observed or owns a registered object, all at once.
///
/// The probes put items on the host's queues, and take as long as these items wait. They are not part of a
/// picture, but complete one that was taken before, so that the agent's own items aren't in it.
struct QueueAsking: Sendable {
    struct Outcome: Sendable {
        var label: String
        var kind: String
        var qos: String
        /// The address of the queue's C object.
        var address: UInt?
        var objects: [String]
        var latency: Duration?
        /// The reason why there is no latency.
        var finding: String?
    }

    private let agent: Agent
    private let probes: [(probe: QueueProbe, objects: [String])]
    private let began = MonotonicTime.now
    private var isAsked: Bool?

    init(agent: Agent) {
        self.agent = agent
        let main = QueueIdentity(of: .main)
        var objects: [QueueIdentity: [String]] = [:]
        for entry in agent.shared.objects.all where entry.isListed {
            switch entry.owner {
            case .queue(let queue):
                objects[QueueIdentity(of: queue), default: []].append(entry.name)
            case .mainActor:
                objects[main, default: []].append(entry.name)
            default: break
            }
        }
        let all = agent.shared.observedQueues.map { probe in
            (probe: probe, objects: objects[probe.identity] ?? [])
        }
        // The main queue is listed first, as with threads.
        probes =
            all.filter { $0.probe.identity == main }
            + all.filter { $0.probe.identity != main }
    }

    mutating func start() {
        isAsked = probes.reduce(true) { isSubmitted, entry in
            entry.probe.start(agent.workers.submitter) && isSubmitted
        }
    }

    /// Waits for all probes until `deadline`, if they were submitted; does not wait for a queue that is
    /// suspended in the picture.
    func finish(until deadline: MonotonicTime, _ picture: Picture) -> [Outcome] {
        let facts = Dictionary(picture.queues.map { ($0.address, $0) }) { first, _ in first }
        return probes.map { probe, objects in
            let address = QueueKind.inner(probe.queue)
            var outcome = Outcome(
                label: probe.queue.shownLabel, kind: QueueKind(of: probe.queue).rawValue,
                qos: Self.rendered(probe.queue.qos), address: address, objects: objects)
            guard let isAsked else { return outcome }
            let held = address.flatMap { facts[$0] }.flatMap { facts in
                facts.isInactive ? "not active" : facts.suspendCount > 0 ? "suspended" : nil
            }
            outcome.latency = probe.latency(
                until: isAsked && held == nil ? deadline : .now)
            guard outcome.latency == nil else { return outcome }
            if !isAsked {
                outcome.finding =
                    "could not be asked: the process can have no further thread or descriptor"
            } else if let held {
                outcome.finding = "does not answer: it is \(held)"
            } else {
                let waited = probe.waiting ?? MonotonicTime.now.since(began)
                outcome.finding = "no answer for \(Quantity.time(waited))"
            }
            return outcome
        }
    }

    private static func rendered(_ qos: DispatchQoS) -> String {
        switch qos.qosClass {
        case .userInteractive: "user-interactive"
        case .userInitiated: "user-initiated"
        case .default: "default"
        case .utility: "utility"
        case .background: "background"
        case .unspecified: "unspecified"
        @unknown default: "unknown"
        }
    }
}
#endif
