#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Doctor {
    /// Threads that wait at the border of the process, with the other end.
    ///
    /// A wait alone is no finding: a server waits for its clients. It is one if work waits behind it, or if its
    /// other end says that it may be for good.
    func borderWaits(
        _ ends: OtherEnds, besides named: Set<Int32>
    ) -> [DoctorAnswer.Finding] {
        var found: [DoctorAnswer.Finding] = []
        for thread in process.later.threads
        where !thread.isAgent && !named.contains(thread.id) && isUnmoved(thread) {
            guard let call = OtherEnds.call(of: thread), let wait = wait(call, thread, ends)
            else { continue }
            let behind = ends.behind(thread)
            let seconds = max(process.window, thread.offCPUFor ?? 0)
            guard isWorthALine(wait, behind, seconds) else { continue }
            found.append(
                .init(
                    .waits(for: wait), .suspicion,
                    parties: [process.brief(thread: thread.id)] + ends.firstWaiters(of: thread),
                    seconds: seconds, behind: behind.isEmpty ? nil : behind))
        }
        return found.sorted {
            ($0.behind?.total ?? 0, $0.seconds ?? 0) > ($1.behind?.total ?? 0, $1.seconds ?? 0)
        }.prefix(Self.mostOfAKind).map(\.self)
    }

    /// Indicates that it stood in the same call in both pictures; a wait for a child may turn a run loop.
    private func isUnmoved(_ thread: ThreadFacts) -> Bool {
        if process.unmovedThreads.contains(thread.id) { return true }
        guard case .child? = OtherEnds.call(of: thread) else { return false }
        return process.earlier.threads.contains {
            $0.id == thread.id && OtherEnds.call(of: $0) == OtherEnds.call(of: thread)
        }
    }

    private func isWorthALine(
        _ wait: DoctorAnswer.Wait, _ behind: DoctorAnswer.Behind, _ seconds: Double
    ) -> Bool {
        if !behind.isEmpty { return true }
        let isOwn =
            wait.areEndsKnown && !wait.ends.isEmpty && wait.ends.allSatisfy { $0.pid == nil }
        switch wait.kind {
        case .reads: return wait.descriptor?.kind == "pipe" && isOwn
        case .writes where wait.descriptor?.kind == "socket": return seconds >= Self.longWait
        case .writes, .connects, .locksFile: return isOwn || seconds >= Self.longWait
        case .child, .sleeps, nil: return false
        }
    }

    private func wait(
        _ call: OtherEnds.Call, _ thread: ThreadFacts, _ ends: OtherEnds
    ) -> DoctorAnswer.Wait? {
        switch call {
        case .sleeps:
            var wait = DoctorAnswer.Wait(.sleeps)
            wait.remainingSeconds = now.sleeps[thread.id].map {
                max(0, $0 - (thread.offCPUFor ?? 0))
            }
            return wait
        case .child(let pid):
            let children = now.children.filter { $0.parent == ownID || $0.pid == pid }
            let child = pid.map { pid in children.first { $0.pid == pid } } ?? children.first
            guard let child, pid != nil || children.count == 1 else {
                return children.isEmpty ? nil : DoctorAnswer.Wait(.child)
            }
            return DoctorAnswer.Wait(.child, child: child.shown)
        case .reads(let number): return wait(.reads, number, ends)
        case .writes(let number): return wait(.writes, number, ends)
        case .connects(let number):
            return ends.descriptor(number).map { .init(.connects, descriptor: $0.shown) }
        case .locksFile(let number): return lockWait(number, ends)
        }
    }

    private func wait(
        _ kind: DoctorAnswer.Wait.Kind, _ number: Int32, _ ends: OtherEnds
    ) -> DoctorAnswer.Wait? {
        guard let descriptor = ends.descriptor(number) else { return nil }
        guard descriptor.kind == "pipe" else {
            let peers = ends.peers(of: descriptor)
            return .init(
                kind, descriptor: descriptor.shown, ends: peers, areEndsKnown: !peers.isEmpty)
        }
        // Any process may open a named one.
        let others =
            descriptor.isNamed ? [] : ends.ends(of: descriptor, isReading: kind == .reads)
        // A pipe without another end would end the call: one was not found then.
        let hasForeign = others.contains { $0.pid != nil }
        let isWhole = !others.isEmpty && now.gaps.isEmpty && (now.hasAllEnds || hasForeign)
        return .init(kind, descriptor: descriptor.shown, ends: others, areEndsKnown: isWhole)
    }

    private func lockWait(_ number: Int32, _ ends: OtherEnds) -> DoctorAnswer.Wait? {
        guard let descriptor = ends.descriptor(number) else { return nil }
        // The kernel names no process (-1) for the lock of an open file, and for one of another pid namespace.
        let holders = now.locks.filter {
            $0.inode == descriptor.file.inode && !$0.isWaiting && $0.pid > 0
        }
        let others = holders.flatMap { lock -> [DoctorAnswer.End] in
            guard lock.pid == ownID else {
                let child = now.children.first { $0.pid == lock.pid }
                return [.init(pid: lock.pid, program: child?.program, descriptor: nil)]
            }
            let mine = ends.own(descriptor.file).filter { $0.number != number }
            return mine.isEmpty
                ? [.init(pid: nil, program: nil, descriptor: nil)]
                : mine.map { .init(pid: nil, program: nil, descriptor: $0.number) }
        }
        return .init(.locksFile, descriptor: descriptor.shown, ends: others)
    }

    /// The process's own number: that of its main thread.
    private var ownID: Int32? { process.later.threads.first(where: \.isMain)?.id }
}

extension DoctorAnswer.Behind {
    fileprivate var total: Int { items &+ threads &+ tasks }
}
#endif
