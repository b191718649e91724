#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Doctor {
    /// Event loops that don't turn, since a handler computes, while descriptors or tasks wait for them.
    ///
    /// A loop that turns reads or writes at each turn in which a descriptor is ready. One whose thread has used its
    /// core, and has done neither, was in one handler all the time.
    func lateLoops() -> [DoctorAnswer.Finding] {
        guard process.window >= Self.leastWindow else { return [] }
        return process.later.eventLoops.compactMap { loop -> DoctorAnswer.Finding? in
            guard let was = process.earlier.eventLoops.first(where: { $0.id == loop.id }),
                loop.waiting.isEmpty, was.waiting.isEmpty, loop.isReady, was.isReady,
                let thread = loop.threads.first(where: isComputing)
            else { return nil }
            return .init(
                .late(
                    queue: process.subject(loop), items: loop.readyCount + loop.waitingTasks,
                    isPolling: false),
                .suspicion, parties: [process.brief(thread: thread)],
                seconds: max(process.window, loop.away?.inSeconds ?? 0))
        }.prefix(Self.mostOfAKind).map(\.self)
    }

    /// Pools of a package whose threads have all stood still or computed, while items wait for one.
    func latePools() -> [DoctorAnswer.Finding] {
        guard process.window >= Self.leastWindow else { return [] }
        return process.later.packagePools.compactMap { pool -> DoctorAnswer.Finding? in
            let was = process.earlier.packagePools.first { $0.address == pool.address }
            guard pool.waiting > 0, was?.waiting ?? 0 > 0, !pool.threads.isEmpty,
                pool.threads.allSatisfy({ process.unmovedThreads.contains($0) || isComputing($0) })
            else { return nil }
            let still = pool.threads.map { process.threads[$0]?.offCPUFor ?? 0 }.min() ?? 0
            var parties = process.folded(pool.threads)
            for index in parties.indices {
                parties[index].frames = []
                parties[index].gap = nil
            }
            return .init(
                .late(
                    queue: .init(.pool, pool.name), items: pool.waiting, isPolling: false),
                .suspicion, parties: parties, seconds: max(process.window, still))
        }.prefix(Self.mostOfAKind).map(\.self)
    }

    /// Indicates that a thread ran in both pictures, has neither read nor written, and has no finding.
    private func isComputing(_ id: Int32) -> Bool {
        guard let thread = process.threads[id], !thread.isAgent, thread.wait == .running,
            !findings.contains(where: { $0.parties.first?.thread == id }),
            let earlier = process.earlier.threads.first(where: { $0.id == id }),
            earlier.wait == .running, let transfers = now.uses[id]?.transfers
        else { return false }
        return before.uses[id]?.transfers == transfers
    }
}
#endif
