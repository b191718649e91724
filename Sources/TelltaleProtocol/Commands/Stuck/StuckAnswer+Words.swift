#if TELLTALE_COMPILED
// Findings in sentences. The values are the answer's; all words for them are here.

extension StuckAnswer.Finding {
    /// The finding in one line: `photos -> downloads -> photos`.
    var title: String {
        let first = parties.first
        switch evidence {
        case .cycle(let subjects):
            var names: [String] = []
            for subject in subjects where names.last != subject.name {
                names.append(subject.name)
            }
            if let start = names.first, names.count == 1 || names.last != start {
                names.append(start)
            }
            return names.joined(separator: " -> ")
        case .poolExhausted(let pool, let threads, let items):
            return pool.name + ": "
                + (threads == 1
                    ? "its only thread is blocked"
                    : "all \(Quantity.count(threads)) threads are blocked")
                + ", \(Self.waiting(items))"
        case .notSignalled(let waiters): return first?.title(waiters: waiters) ?? ""
        case .slow: return first?.title(waiters: 1) ?? ""
        case .queueSuspended:
            guard case .items(let items, let hold) = first?.state else { return "" }
            return "queue \(first?.subject.name ?? "") \(hold?.verdict ?? "is held"), "
                + Self.waiting(items)
        case .notResumed:
            let place = (first?.on?.name ?? meeting).map { "\($0): " } ?? ""
            let isMany = first?.isMany == true
            let verb = isMany ? ", wait for " : " waits for "
            if let stream = AwaitedStream(waitingIn: first?.waitsIn) {
                return place + (first?.name ?? "") + verb + "the " + stream.element
                    + (grade == .waits ? "" : ", which nothing sends")
            }
            return place + (first?.name ?? "") + verb
                + (isMany ? "continuations" : "a continuation")
                + (grade == .waits ? "" : " that nobody resumes")
        case .operationNotFinished:
            let waiter = parties.dropFirst().first { $0.subject.kind == .operation }
            return (first?.subject.name ?? "")
                + (grade == .waits ? " has not finished" : " never finishes")
                + (waiter.map { "; \($0.subject.name) waits for it" } ?? "")
        case .eventLoopBlocked(let ready): return loopTitle(ready: ready)
        case .outOfDescriptors(let open, let limit):
            return "no descriptor is free: \(open) of \(limit) are open"
        case .listenerDeaf(let name, let waiting, let limit):
            return
                "\(name): \(Quantity.count(waiting)) of \(Quantity.count(limit)) connections wait to "
                + "be accepted, and no thread waits for them"
        case nil: return first?.title(waiters: 1) ?? ""
        }
    }

    /// A remark on the finding: `a semaphore has no owner: …`.
    var note: String? {
        if let hope { return hope.note(of: parties) }
        switch evidence {
        case .poolExhausted where grade == .stuck:
            return "no thread is left for what waits until one of these goes on"
        case .notResumed:
            let what = parties.first?.isMany == true ? "them" : "it"
            guard let meeting else {
                return "nothing in the process holds what could resume " + what
            }
            return "only parties that wait themselves lead to the \(meeting) that could resume "
                + what
        case .operationNotFinished:
            guard parties.first?.state == .operation(progress: "executing", lacks: nil) else {
                return nil
            }
            return "it executes, and no thread is in it: its finished state was never set"
        case .notSignalled: return parties.first?.state?.reason
        case .eventLoopBlocked: return loopNote
        case .cycle, .slow, .queueSuspended, .poolExhausted, .outOfDescriptors, .listenerDeaf, nil:
            return nil
        }
    }

    fileprivate static func waiting(_ items: Int) -> String {
        Quantity.count(items, "item waits", "items wait")
    }
}

extension StuckAnswer.Party {
    /// Indicates that it waits for input or output, without a time.
    var isInCall: Bool {
        if case .event = state { true } else { false }
    }

    /// Indicates that it represents several.
    var isMany: Bool { count.map { $0 > 1 } ?? false }

    /// The party, as the line of the finding begins: `255 threads, one is 25918`, `48 tasks, one is
    /// #14 fetch`.
    var name: String {
        guard let count, count > 1 else { return subject.name }
        if subject.kind == .task {
            let isTitled = subject.name.hasPrefix("task ")
            let one = isTitled ? subject.name.dropFirst(5) : subject.name[...]
            return "\(Quantity.count(count)) tasks, one is \(one)"
        }
        return thread.map { "\(Quantity.count(count)) threads, one is \($0)" } ?? subject.name
    }

    /// The wait: `barrier sync to photos`.
    var relation: String? { relation(isMany: isMany) }

    private func relation(isMany: Bool) -> String? {
        if state == .continuation, let stream = AwaitedStream(waitingIn: waitsIn) {
            return (isCancelled ? "cancelled, " : "") + (isMany ? "wait" : "waits") + " for the "
                + stream.element
        }
        let inside = waitsIn.map { ", in \($0)" } ?? ""
        let words = state.map { $0.words(isMany: isMany) + inside }
        return isCancelled ? "cancelled" + (words.map { ", \($0)" } ?? "") : words
    }

    /// `queue photos: thread 12 and 3 more wait for semaphore 0x7f00`.
    fileprivate func title(waiters: Int) -> String {
        let place = on.map { ($0.kind == .queue ? "queue " : "") + $0.name + ": " } ?? ""
        let more = waiters > 1 ? " and \(Quantity.count(waiters - 1)) more" : ""
        let words = relation(isMany: waiters > 1).map { " " + $0 } ?? ""
        return "\(place)\(subject.name)\(more)\(words)"
    }
}

extension StuckAnswer.State {
    /// The state of one party or of several: `is in a timed wait`, `are in a timed wait`.
    fileprivate func words(isMany: Bool) -> String {
        func verb(_ one: String, _ many: String) -> String { isMany ? many : one }
        switch self {
        case .waits(let subject, let detail): return Self.words(subject, detail, verb("s", ""))
        case .event(let call):
            return verb("waits", "wait") + " for input or output in \(call)"
        case .call(let name): return verb("is", "are") + " in \(name)"
        case .runs: return verb("runs", "run")
        case .idle: return verb("waits", "wait") + " for work"
        case .time: return isMany ? "are in timed waits" : "is in a timed wait"
        case .ended: return verb("has", "have") + " ended"
        case .operations: return verb("waits", "wait") + " for operations to finish"
        case .children(let count):
            let children = Quantity.count(count, "child task", "child tasks")
            return isMany ? "await \(children) each" : "awaits its \(children)"
        case .continuation:
            return verb("waits for a continuation", "wait for continuations") + " to be resumed"
        case .suspended: return verb("is", "are") + " suspended"
        case .items(let count, let hold):
            return (hold.map { "\($0.words), " } ?? "") + StuckAnswer.Finding.waiting(count)
        case .jobs(let count):
            return Quantity.count(count, "task waits", "tasks wait") + " for it"
        case .dependencies(let names):
            return verb("waits", "wait") + " for \(names.joined(separator: ", "))"
        case .operation(let progress, .queue):
            return "\(progress), in no queue: nothing will start it"
        case .operation(let progress, .resumedQueue):
            return "\(progress), its queue is suspended"
        case .operation(let progress, nil): return progress
        case .eventLoop(let ready, let members, let unread):
            return Self.loopWords(ready, members, unread)
        }
    }

    // The verb's ending is `s` or none.
    private static func words(
        _ subject: StuckAnswer.Subject, _ detail: StuckAnswer.Detail?, _ s: String
    ) -> String {
        switch (subject.kind, detail) {
        case (.pool, .turn): "wait\(s) for a thread of \(subject.name)"
        case (.queue, .barrier), (.pool, .barrier): "barrier sync to \(subject.name)"
        case (.queue, _), (.pool, _): "sync to \(subject.name)"
        case (.task, _): "await\(s) \(subject.name)"
        case (.actor, _): "wait\(s) for \(s.isEmpty ? "their" : "its") turn on \(subject.name)"
        case (.thread, _): "wait\(s) for the end of \(subject.name)"
        case (_, .held(let holder, let hasEnded)):
            "wait\(s) for \(subject.name), held by \(holder)"
                + (hasEnded ? ", which has ended" : "")
        case (.semaphore, .made(let original, let value)):
            "wait\(s) for a semaphore (\(semaphore(subject, original, value)))"
        case (_, .entered(let times)):
            "wait\(s) for \(subject.name): \(times) enter() without leave()"
        case (_, .heldByReaders):
            "wait\(s) for \(subject.name), held by readers, which the C library doesn't record"
        case (.lock, _): "wait\(s) for \(subject.name), whose holder isn't known"
        default: "wait\(s) for \(subject.name)"
        }
    }

    /// `0x7f00, 7 waiters`, `0x7f00, created with 2, 1 waiter`: its value is negative while threads
    /// wait, one less for each.
    private static func semaphore(
        _ subject: StuckAnswer.Subject, _ original: Int, _ value: Int
    ) -> String {
        var parts = [String(subject.name.dropFirst(subject.name.hasPrefix("semaphore ") ? 10 : 0))]
        if original != 0 { parts.append("created with \(original)") }
        if value < 0 {
            parts.append(Quantity.count(Int(clamping: value.magnitude), "waiter", "waiters"))
        }
        return parts.joined(separator: ", ")
    }

    /// The reason that no potential waker is known.
    fileprivate var reason: String? {
        guard case .waits(let subject, let detail) = self else { return nil }
        switch (subject.kind, detail) {
        case (.semaphore, _):
            return "a semaphore has no owner: the code that was to signal it isn't known"
        case (.condition, _):
            return "a condition has no owner: the code that was to signal it isn't known"
        case (.group, _):
            return "Dispatch doesn't record enter() calls: look for a path without leave(), "
                + "such as a cancelled work item"
        case (.lock, .held(_, true)): return "its holder has ended without releasing it"
        default: return nil
        }
    }
}

extension StuckAnswer.Hold {
    /// The state of a queue: `inactive, 3 items wait`.
    var words: String {
        switch self {
        case .inactive: "inactive"
        case .suspended(let times): "suspended" + Self.often(times)
        case .barrier: "a barrier waits for those in it"
        }
    }

    fileprivate var verdict: String {
        switch self {
        case .inactive: "was never activated"
        case .suspended(let times): "is suspended" + Self.often(times)
        case .barrier: "is held by a barrier"
        }
    }

    private static func often(_ times: Int) -> String { times > 1 ? " \(times) times" : "" }
}
#endif
