#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Probes every queue that is observed or owns a registered object, all at once.
struct QueueSurvey: Sendable {
    private let agent: Agent
    private let probes: [(probe: QueueProbe, objects: [String])]
    private let began = MonotonicTime.now

    init(agent: Agent) {
        self.agent = agent
        let main = QueueIdentity(of: .main)
        var objects: [QueueIdentity: [String]] = [:]
        for entry in agent.shared.objects.all {
            switch entry.owner {
            case .queue(let queue):
                objects[QueueIdentity(of: queue), default: []].append(entry.name)
            case .mainActor:
                objects[main, default: []].append(entry.name)
            default: break
            }
        }
        let all = agent.shared.probes.all.map { probe in
            (probe: probe, objects: objects[QueueIdentity(of: probe.queue)] ?? [])
        }
        // The main queue first, as with threads.
        probes =
            all.filter { QueueIdentity(of: $0.probe.queue) == main }
            + all.filter { QueueIdentity(of: $0.probe.queue) != main }
    }

    /// Submits a probe to each queue.
    ///
    /// - Returns: Whether all of them could be.
    func start() -> Bool {
        probes.reduce(true) { isSubmitted, entry in
            entry.probe.start(agent.workers.submitter) && isSubmitted
        }
    }

    /// The queues that are observed.
    var queues: [DispatchQueue] { probes.map(\.probe.queue) }

    /// The queues that are observed, by the address of the C object.
    var addresses: [UInt] { probes.compactMap { QueueKind.inner($0.probe.queue) } }

    /// Waits for the probes until `deadline` together.
    ///
    /// - Parameters:
    ///   - deadline: When it is given up.
    ///   - isAsked: What ``start()`` gave; without it there is nothing to wait for.
    ///   - facts: What is known of each, by its address: a queue that is suspended is not waited for.
    /// - Returns: What came of each, with what was found.
    func finish(
        until deadline: MonotonicTime, isAsked: Bool, facts: [UInt: QueueFacts] = [:]
    ) -> [QueuesAnswer.Entry] {
        probes.map { probe, objects in
            let address = QueueKind.inner(probe.queue)
            let known = address.flatMap { facts[$0] }
            let isHeld = known.map { $0.suspendCount > 0 || $0.isInactive } ?? false
            let latency = probe.latency(until: isAsked && !isHeld ? deadline : .now)
            var finding: String?
            if latency == nil, isAsked, isHeld, let known {
                finding =
                    known.isInactive
                    ? "does not answer: it is not active"
                    : "does not answer: it is suspended"
            } else if latency == nil {
                let waited = probe.waiting ?? MonotonicTime.now.since(began)
                finding =
                    isAsked
                    ? "did not answer in \(Text.seconds(waited))"
                    : "could not be asked: the process can have no further thread or descriptor"
            }
            return QueuesAnswer.Entry(
                label: probe.queue.shownLabel, kind: QueueKind(of: probe.queue).rawValue,
                qos: Self.spelled(probe.queue.qos), latencyMicroseconds: latency?.microseconds,
                finding: finding, objects: objects, address: address.map(QueueListing.hex),
                isObserved: true)
        }
    }

    private static func spelled(_ qos: DispatchQoS) -> String {
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
