#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Doctor {
    /// From this age on, in seconds, a child that hasn't moved while it was watched is taken to be blocked.
    private static let leastAge = 3.0
    /// The time of watching below which it is a suspicion, in seconds.
    static let leastWindow = 1.0

    /// Children that write to a full pipe which only this process could read, while a thread waits for their end.
    ///
    /// It is proven as far as it can be: the child has not run between the captures, the pipe has as many bytes
    /// as before, its reading ends are in this process alone, and no thread and no event loop waits on them. If
    /// another thread or a timer may yet read it, it is a suspicion.
    func childDeadlocks(_ ends: OtherEnds) -> [DoctorAnswer.Finding] {
        let waiters = process.later.threads.filter { thread in
            guard !thread.isAgent, case .child = OtherEnds.call(of: thread) else { return false }
            return process.earlier.threads.contains {
                $0.id == thread.id && OtherEnds.call(of: $0) == OtherEnds.call(of: thread)
            }
        }
        guard !waiters.isEmpty else { return [] }
        let isShort = process.window < Self.leastWindow
        return now.children.compactMap { child -> DoctorAnswer.Finding? in
            guard let pipe = fullPipe(of: child, ends),
                let waiter = waiters.first(where: { waits($0, for: child) })
            else { return nil }
            return DoctorAnswer.Finding(
                .childWrites(child: child.shown, pipe: pipe.shown),
                isShort || ends.mayAct(besides: waiter) ? .suspicion : .fault,
                parties: [process.brief(thread: waiter.id)],
                seconds: max(process.window, waiter.offCPUFor ?? 0), behind: ends.behind(waiter))
        }.prefix(Self.mostOfAKind).map(\.self)
    }

    /// This process's reading end of the pipe at which a child stands still.
    private func fullPipe(
        of child: BorderFacts.Process, _ ends: OtherEnds
    ) -> BorderFacts.Descriptor? {
        guard let call = child.call, call.name == "write" || call.name == "writev",
            let number = call.arguments.first.map({ Int32(truncatingIfNeeded: $0) }),
            (child.age ?? 0) >= Self.leastAge,
            let earlier = before.children.first(where: { $0.pid == child.pid }),
            earlier.switches != nil, earlier.switches == child.switches,
            let file = now.ends.first(where: { _, ends in
                ends.contains { $0.pid == child.pid && $0.descriptor == number }
            })?.key
        else { return nil }
        let family = descendants(of: child.pid)
        let readers = (now.ends[file] ?? []).filter { $0.reads && !family.contains($0.pid) }
        let mine = ends.own(file).filter(\.reads)
        guard readers.isEmpty, now.hasAllEnds, let pipe = mine.first, !ends.isAttended(mine),
            let unread = pipe.unread, unread > 0,
            before.descriptors.contains(where: { $0.file == file && $0.unread == unread })
        else { return nil }
        return pipe
    }

    /// The age from which an ended child counts, in seconds, and the number from which it is a suspicion.
    private static let leastUnreapedAge = 5.0
    private static let manyUnreaped = 10

    /// Children of this process that have ended, and for which nothing has waited.
    func unreapedChildren() -> [DoctorAnswer.Finding] {
        let ended = now.children.filter { child in
            child.state == "Z" && (child.age ?? 0) >= Self.leastUnreapedAge
                && before.children.contains { $0.pid == child.pid && $0.state == "Z" }
        }
        guard let first = ended.first else { return [] }
        return [
            .init(
                .unreaped(first: first.shown, count: ended.count),
                ended.count >= Self.manyUnreaped ? .suspicion : .notice, seconds: process.window)
        ]
    }

    private func descendants(of pid: Int32) -> Set<Int32> {
        var found: Set<Int32> = [pid]
        // Parents come before their children.
        for child in now.children where found.contains(child.parent) { found.insert(child.pid) }
        return found
    }

    /// Indicates that a thread waits for the end of a process, or of one above it.
    private func waits(_ thread: ThreadFacts, for child: BorderFacts.Process) -> Bool {
        guard case .child(let wanted) = OtherEnds.call(of: thread) else { return false }
        return wanted.map { descendants(of: $0).contains(child.pid) } ?? true
    }
}
#endif
