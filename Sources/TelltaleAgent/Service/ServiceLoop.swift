#if TELLTALE_AGENT
import TelltaleSystem

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
        let heartbeat = agent.heartbeat
        var pauses = PauseWatch(agent: agent, heartbeat: heartbeat, began: began)
        var lastCare = MonotonicTime.now
        // When clients are let in again that could not be: the listener stays readable meanwhile.
        var nextAccept = MonotonicTime.now
        var lastLook = MonotonicTime.now
        var lastSweep = MonotonicTime.now
        var lastSleeps = PollSet.sleeps
        var nextMove = MonotonicTime.now
        // When the directory's descriptor is looked at again that could not be proven to be ours.
        var nextWatch = MonotonicTime.now
        while !agent.isEnding {
            let canBeWoken = agent.healWake()
            let listener = attend(to: agent.listener.withLock { $0 }, nextMove: &nextMove)
            var descriptors = canBeWoken ? [agent.wake.reader.raw] : []
            DescriptorReserve.shared.refill()
            // Not while newcomers wait for a place: `poll` would return at once, again and again.
            let mayAccept = nextAccept <= .now
            if let listener, mayAccept, !agent.connections.isCrowded {
                descriptors.append(listener.descriptor.raw)
            }
            let mayWatch = nextWatch <= .now
            if let watch = listener?.watchDescriptor, mayWatch { descriptors.append(watch.raw) }
            let wait = canBeWoken ? timeout(heartbeat, pauses) : 50
            var sleeps: PollSet.Sleeps?
            let ready = PollSet.wait(
                for: descriptors,
                milliseconds: mayAccept && mayWatch ? wait : wait < 0 ? 50 : min(wait, 50),
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
                if ready.contains(listener.descriptor.raw), !accept(from: listener) {
                    nextAccept = MonotonicTime.now.advanced(by: .milliseconds(50))
                }
                let isTold = listener.watchDescriptor.map { ready.contains($0.raw) } ?? false
                let isDue = lastCare.advanced(by: .milliseconds(500)) < .now
                if isTold || isDue {
                    lastCare = .now
                    care(for: listener, nextWatch: &nextWatch)
                }
            } else if lastCare.advanced(by: .seconds(1)) < .now {
                // The directory or a descriptor could not be had; it may be there by now.
                lastCare = .now
                if agent.listener.withLock({ $0 == nil }) { agent.listenAgain(after: .deleted) }
            }
        }
        agent.ended()
    }

    /// The listener as it is to be polled: a new one where the host closed it or the process acts as
    /// another user by now. Such a change interrupts `poll`, since every thread takes part in it.
    private func attend(to listener: Listener?, nextMove: inout MonotonicTime) -> Listener? {
        guard let listener else { return nil }
        if !listener.descriptor.isOurs {
            agent.listenAgain(after: .closed)
        } else if listener.user != ProcessIdentity.uid, nextMove <= .now {
            nextMove = MonotonicTime.now.advanced(by: .seconds(1))
            agent.listenAgain(after: .user(listener.user))
        } else {
            return listener
        }
        return agent.listener.withLock { $0 }
    }

    // Without a heartbeat the thread wakes once a second.
    private func timeout(_ heartbeat: Duration?, _ pauses: PauseWatch) -> Int32 {
        let tick = heartbeat.map { Int32(clamping: max(1, $0.microseconds / 1000)) }
        if pauses.isWaiting { return min(tick ?? 50, 50) }
        // Where the host has closed a descriptor and taken its number, `poll` may go on with that and
        // never tell.
        return tick ?? 1000
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
                    guard listener.descriptor.isOurs else { return nil }
                    return try UnixSocket.accept(from: listener.descriptor.raw)?.release()
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

    private func care(for listener: Listener, nextWatch: inout MonotonicTime) {
        var isDrained = true
        if let watch = listener.watchDescriptor { isDrained = DirectoryWatch.drain(watch) }
        defer {
            if !isDrained { nextWatch = MonotonicTime.now.advanced(by: .milliseconds(50)) }
        }
        if !listener.isWhole {
            agent.listenAgain(after: .closed)
        } else if !listener.isReachable {
            agent.listenAgain(after: .deleted)
        }
    }
}
#endif
