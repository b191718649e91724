#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import Dispatch
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
        func start() { for (probe, _) in probes { probe.start() } }

        /// Waits for the probes until `deadline` together.
        func finish(until deadline: MonotonicTime) -> [QueuesAnswer.Entry] {
            probes.map { probe, objects in
                let latency = probe.latency(until: deadline)
                var finding: String?
                if latency == nil {
                    let waited = probe.waiting ?? MonotonicTime.now.since(began)
                    finding = "did not answer in \(Text.seconds(waited))"
                }
                return QueuesAnswer.Entry(
                    label: probe.queue.label, kind: QueueKind(of: probe.queue).rawValue,
                    qos: Self.spelled(probe.queue.qos), latencyMicroseconds: latency?.microseconds,
                    finding: finding, objects: objects)
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

    extension Agent {
        /// Probes all queues and waits at most the owners' deadline for them together.
        func surveyQueues() -> [QueuesAnswer.Entry] {
            let survey = QueueSurvey(agent: self)
            survey.start()
            return survey.finish(until: MonotonicTime.now.advanced(by: configuration.ownerDeadline))
        }
    }
#endif
