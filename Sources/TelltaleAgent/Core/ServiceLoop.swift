#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem

    /// What the agent's own thread does: it waits for clients, signals, and the next tick of its
    /// heartbeat, and hands each on. It runs nothing of the host's and waits for nothing else.
    final class ServiceLoop: Sendable {
        private let agent: Agent
        private let began: PauseDetector.Sample

        /// - Parameters:
        ///   - agent: Whose thread it is.
        ///   - began: The clocks just before the thread is made, which has not waited for a core yet.
        init(agent: Agent, began: PauseDetector.Sample) {
            self.agent = agent
            self.began = began
        }

        func run() {
            let heartbeat = agent.configuration.reportsPauses ? agent.configuration.heartbeat : nil
            var pauses = PauseWatch(agent: agent, heartbeat: heartbeat, began: began)
            var lastCare = MonotonicTime.now
            // When clients are let in again that could not be: the listener stays readable meanwhile.
            var nextAccept = MonotonicTime.now
            var lastLook = MonotonicTime.now
            var lastSweep = MonotonicTime.now
            var lastSleeps = PollSet.sleeps
            while !agent.isEnding {
                let listener = agent.listener.withLock { $0 }
                var descriptors = [agent.wake.reader]
                DescriptorReserve.shared.refill()
                // Not while newcomers wait for a place: `poll` would return at once, again and again.
                let mayAccept = nextAccept <= .now
                if let listener, mayAccept, !agent.connections.isCrowded {
                    descriptors.append(listener.descriptor)
                }
                if let watch = listener?.watchDescriptor { descriptors.append(watch) }
                let wait = timeout(heartbeat, listener, pauses)
                var sleeps: PollSet.Sleeps?
                let ready = PollSet.wait(
                    for: descriptors,
                    milliseconds: mayAccept ? wait : wait < 0 ? 50 : min(wait, 50),
                    sleeps: &sleeps)

                agent.wake.drain()
                let deliveries = SignalTrap.drain()
                let now = PollSet.sleeps
                let rest = PauseDetector.Rest(last: lastSleeps, wait: sleeps, now: now)
                lastSleeps = now
                pauses.look(deliveries, rest: rest)
                guard !agent.isEnding else { break }
                if lastLook.advanced(by: .milliseconds(500)) < .now {
                    lastLook = .now
                    agent.shareTakenSignals()
                    agent.shared.releases.ask()
                }
                if lastSweep.advanced(by: .seconds(10)) < .now {
                    lastSweep = .now
                    // An object that is found gone has its memory let go.
                    for entry in agent.shared.objects.all { _ = entry.isGone }
                }
                if let listener {
                    if ready.contains(listener.descriptor), !accept(from: listener) {
                        nextAccept = MonotonicTime.now.advanced(by: .milliseconds(50))
                    }
                    let isTold = listener.watchDescriptor.map { ready.contains($0) } ?? false
                    let isDue = lastCare.advanced(by: .milliseconds(500)) < .now
                    if isTold || isDue {
                        lastCare = .now
                        care(for: listener)
                    }
                } else if lastCare.advanced(by: .seconds(1)) < .now {
                    // The directory or a descriptor could not be had; it may be there by now.
                    lastCare = .now
                    if agent.listener.withLock({ $0 == nil }) { agent.listenAgain() }
                }
            }
            agent.ended()
        }

        // Without a heartbeat or a watch the thread sleeps until something comes.
        private func timeout(
            _ heartbeat: Duration?, _ listener: Listener?, _ pauses: PauseWatch
        ) -> Int32 {
            let tick = heartbeat.map { Int32(clamping: max(1, $0.microseconds / 1000)) }
            if pauses.isWaiting { return min(tick ?? 50, 50) }
            if let tick { return tick }
            return listener?.watchDescriptor == nil ? 1000 : -1
        }

        /// Lets in who waits.
        ///
        /// - Returns: False where nobody can be let in now.
        private func accept(from listener: Listener) -> Bool {
            // Bounded, so that a flood of connects doesn't keep the signals waiting.
            for _ in 0..<32 {
                if agent.connections.isCrowded { return true }
                do throws(SystemError) {
                    // Closed in forked children, which would otherwise keep a client hanging.
                    let accepted = try ForkHook.made { () throws(SystemError) in
                        try UnixSocket.accept(from: listener.descriptor)?.release()
                    }
                    guard let accepted else { return true }
                    agent.connections.admit(accepted, agent: agent)
                } catch {
                    agent.shared.note("a client could not be let in: \(error)")
                    return false
                }
            }
            return true
        }

        private func care(for listener: Listener) {
            if let watch = listener.watchDescriptor { DirectoryWatch.drain(watch) }
            guard !listener.isReachable else { return }
            agent.listener.withLock { current in
                current?.abandon()
                current = nil
            }
            agent.listenAgain()
        }
    }

    extension Agent {
        /// Opens the socket again after it was deleted; what fails is tried again within a second.
        func listenAgain() {
            listen()
            if let path = listener.withLock({ $0?.path }) {
                shared.note("the socket had been deleted and is back at \(path)")
            }
        }
    }
#endif
