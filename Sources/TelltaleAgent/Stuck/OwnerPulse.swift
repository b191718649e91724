#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import Dispatch
    import TelltaleAgentSystem

    /// Asks every registered owner for a sign of life, again and again; one question at most lies with
    /// each.
    ///
    /// Used by the hang watch's thread alone.
    struct OwnerPulse {
        private final class Question: Sendable {
            let answered = DoneFlag()
        }

        private let agent: Agent
        private var questions: [UInt64: (question: Question, beat: UInt64)] = [:]
        private var queues: [QueueIdentity: (waited: Duration, beat: UInt64)] = [:]
        private var beats: UInt64 = 0

        init(agent: Agent) { self.agent = agent }

        /// Looks at what was answered, and asks again where it was.
        mutating func look() -> [HangDetector.Heartbeat] {
            lookAtQueues() + lookAtOthers()
        }

        private mutating func lookAtQueues() -> [HangDetector.Heartbeat] {
            var found: [HangDetector.Heartbeat] = []
            var known: [QueueIdentity: (waited: Duration, beat: UInt64)] = [:]
            for probe in agent.shared.probes.all {
                let identity = QueueIdentity(of: probe.queue)
                let waited = probe.waiting
                var entry = queues[identity] ?? (.zero, next())
                // Less than at the last look: it was answered, and somebody has asked anew.
                if waited == nil || waited ?? .zero < entry.waited { entry.beat = next() }
                entry.waited = waited ?? .zero
                known[identity] = entry
                found.append(
                    HangDetector.Heartbeat(
                        owner: name(of: probe.queue), beat: entry.beat, isWaiting: waited != nil))
                if waited == nil { _ = probe.start(agent.workers.submitter) }
            }
            queues = known
            return found
        }

        private func name(of queue: DispatchQueue) -> String {
            QueueIdentity(of: queue) == QueueIdentity(of: .main) ? "main" : queue.label
        }

        private mutating func lookAtOthers() -> [HangDetector.Heartbeat] {
            var found: [HangDetector.Heartbeat] = []
            var known: [UInt64: (question: Question, beat: UInt64)] = [:]
            for entry in agent.shared.objects.all {
                switch entry.owner {
                case .actor, .lock: break
                case .none, .queue, .mainActor, .closure: continue
                }
                var asked = questions[entry.identifier]
                let isWaiting = asked.map { !$0.question.answered.isSet } ?? false
                if !isWaiting {
                    asked = (Question(), next())
                    if let asked { ask(entry, asked.question) }
                }
                known[entry.identifier] = asked
                if let asked {
                    found.append(
                        HangDetector.Heartbeat(
                            owner: "\(entry.name) (\(entry.owner.shortName))", beat: asked.beat,
                            isWaiting: isWaiting))
                }
            }
            questions = known
            return found
        }

        private func ask(_ entry: RegistryEntry, _ question: Question) {
            // It may wait for good; the lane has room for one.
            _ = HostCall<Bool>.start(
                on: entry.owner, .read, lane: nil, workers: agent.workers,
                pumpUntil: .distantFuture
            ) {
                question.answered.set()
                return true
            }
        }

        private mutating func next() -> UInt64 {
            beats &+= 1
            return beats
        }
    }
#endif
