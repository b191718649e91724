#if TELLTALE_COMPILED
// Findings in sentences. The values are the answer's; all words for them are here.

extension DoctorAnswer.Finding {
    /// The first word of the finding.
    package var word: String {
        switch evidence {
        case .stuck(let finding): finding.doctorsWord
        case .childWrites: grade == .fault ? "DEADLOCK" : "WAITS"
        case .readsAgain: "DEADLOCK"
        case .waits, .tasksWait, nil: "WAITS"
        case .promisesPending: "PENDING"
        case .busy: "BUSY"
        case .descriptors: "DESCRIPTORS"
        case .late: "LATE"
        case .grows: "GROWS"
        case .unreaped: "ZOMBIES"
        case .deaf: "DEAF"
        case .exiting: "EXITING"
        }
    }

    /// The finding, a line each: what it is, who is concerned, what waits behind it.
    var sentences: [String] {
        var lines = [head]
        switch evidence {
        case .stuck(let finding), .readsAgain(_, _, let finding, _): lines += finding.doctorsPlaces
        case .late(let pool, _, _, _) where pool.kind == .pool:
            lines += parties.prefix(3).map { $0.placed }
        default: lines += parties.dropFirst().prefix(3).map { $0.waitingWords(behind: parties[0]) }
        }
        if let behind, !behind.isEmpty { lines.append("behind it: \(behind.words)") }
        return lines
    }

    private var head: String {
        switch evidence {
        case .stuck(let finding): finding.doctorsHead
        case .childWrites(let child, let pipe):
            "with child \(child.title): it has been writing to a full pipe (\(pipe.words)"
                + "\(pipe.capacity.map { ", \(Quantity.bytes($0))" } ?? "")) "
                + "for at least \(time), and \(who) waits for it to exit instead of reading"
                + place
        case .readsAgain(let lock, let outer, let finding, let inner):
            "\(finding.parties.first?.titled ?? "a thread") holds \(lock) for reading"
                + (outer.map { " since \($0)" } ?? "")
                + " and wants it again\(inner.map { " in \($0)" } ?? ""), behind \(finding.parties.last?.titled ?? "a writer"), which "
                + "waits for it, for at least \(time)"
        case .waits(let wait) where wait.kind == .sleeps:
            "\(who) has slept for at least \(time)"
                + wait.remainder + place
        case .waits(let wait): wait.sentence(of: who) + age + place
        case .busy(let share, let reason):
            "\(who): \(Quantity.percent(share, places: 0)) of a core"
                + (reason.map { "; \($0.words)" } ?? "") + place
        case .unreaped(let first, let count):
            Quantity.count(
                count, "child has ended and wasn't waited for",
                "children have ended and weren't waited for")
                + ": \(first.title)" + (count > 1 ? " and \(Quantity.count(count - 1)) more" : "")
        case .descriptors(let open, let limit, let kinds):
            "\(Quantity.count(open)) of \(Quantity.count(limit)): "
                + kinds.map(\.words).joined(separator: ", ")
        case .tasksWait(let count):
            "\(Quantity.count(count, "task waits", "tasks wait"))\(place)"
                + (parties.first.map { $0.within + $0.calledBy } ?? "")
                + (count == 1 ? ", and has not gone on" : ", and none has gone on")
                + " for at least \(time)"
        case .promisesPending(let count, let place):
            "\(Quantity.count(count, "promise", "promises")) made in \(place), and none was completed for at "
                + "least \(time)"
        case .late(let loop, let items, _, _) where loop.kind == .eventLoop:
            "\(loop.name): \(Quantity.count(items, "descriptor or task waits", "descriptors and tasks wait")) "
                + "behind a handler that has run for at least \(time), on \(who)" + place
        case .late(let pool, let items, _, _) where pool.kind == .pool:
            "\(pool.name): \(Quantity.count(items, "item waits", "items wait")), and none of its "
                + "threads has become free for at least \(time)"
        case .late(let queue, let items, let isPolling, let sleep):
            "queue \(queue.name): \(Quantity.count(items, "item waits", "items wait")) behind one "
                + "that has run for at least \(time)"
                + (isPolling ? ", and asks again and again with \(Self.sleeps(sleep))" : "")
                + (parties.isEmpty ? "" : ", on \(who)") + place
        case .grows(let what, let count, let rate, let bytes, let holder, let equally):
            "\(what) +\(Self.rounded(rate))/min" + span
                + " (\(Quantity.count(count)) now"
                + "\(bytes.map { ", \(Quantity.bytes($0))" } ?? ""))"
                + (holder.map { ", held by \($0)" } ?? "")
                + (parties.first?.thread.map { "; thread \($0) works on it" } ?? "") + place
                + (equally.map { "; at the same rate: \($0.joined(separator: ", "))" } ?? "")
        case .deaf(let listener):
            "\(listener.name): \(Quantity.count(listener.waiting ?? 0)) of "
                + "\(Quantity.count(listener.limit ?? 0)) connections wait to be accepted, "
                + "and no thread accepts them"
        case .exiting: "\(who) is in exit(), which has not ended for at least \(time)" + place
        case nil: "a kind of finding that only a newer `telltale` knows"
        }
    }

    /// A rate without decimals; the wire may have any number.
    private static func rounded(_ rate: Double) -> String {
        Int(exactly: rate.rounded()).map { Quantity.count($0) } ?? Quantity.decimal(rate, places: 0)
    }

    /// `sleeps of 10 ms`.
    private static func sleeps(_ seconds: Double?) -> String {
        seconds.map { "sleeps of \(Quantity.time(seconds: $0))" } ?? "short sleeps"
    }

    private var who: String { parties.first.map(\.titled) ?? "a thread" }
    private var place: String { parties.first?.placeWords ?? "" }
    private var time: String { Quantity.time(seconds: seconds ?? 0) }
    /// The time of a growth; without one, it was seen while `doctor` watched.
    private var span: String {
        guard let seconds, seconds >= 10 else { return "" }
        return " for \(Quantity.time(seconds: seconds))"
    }
    private var age: String { seconds.map { ", for at least \(Quantity.time(seconds: $0))" } ?? "" }
}

extension StuckAnswer.Finding {
    fileprivate var doctorsWord: String {
        switch grade {
        case .deadlock: "DEADLOCK"
        case .waits: "WAITS"
        case .stuck, nil: "STUCK"
        }
    }

    fileprivate var doctorsHead: String {
        let many = count.map { $0 > 1 ? "×\(Quantity.count($0)) " : "" } ?? ""
        let time = seconds.map { ", for at least \(Quantity.time(seconds: $0))" } ?? ""
        return many + title + time + (note.map { "; \($0)" } ?? "")
    }

    /// The parties that have a place: who, and in which function.
    fileprivate var doctorsPlaces: [String] {
        parties.filter { $0.function != nil }.prefix(4).map { party in
            // A single party's wait is in the line above.
            let wait = parties.count > 1 ? party.relation.map { ": \($0)" } ?? "" : ""
            return party.titled + wait + party.placeWords + (callers == nil ? party.calledBy : "")
        } + callersLines
    }
}

extension StuckAnswer.Party {
    /// `thread 4260 on com.telltale.items in PhotoStore.add(_:) PhotoStore.swift:30`.
    fileprivate var placed: String { titled + placeWords + calledBy }

    /// `4 threads, one is 12, in printOnce() Log.swift:3 wait for lock of stdout 0x7f00, held by it`.
    fileprivate func waitingWords(behind holder: StuckAnswer.Party) -> String {
        let verb = isMany ? "wait" : "waits"
        guard case .waits(let lock, .held(let name, false)?) = state, lock.kind == .lock,
            name == holder.subject.name
        else { return "\(placed) \(verb) for it" }
        return "\(placed) \(verb) for \(lock.name), held by it"
    }

    /// The functions of the service's own that called that one: a pool's `take()` is in each finding of a pool.
    fileprivate var calledBy: String {
        guard subject.kind == .task else { return "" }
        let outer = frames.drop { $0.function != function }.dropFirst()
        let callers = outer.filter { $0.file != nil && $0.function != function }
            .compactMap(\.function).filter { !$0.hasPrefix("closure ") }.prefix(3)
        return callers.isEmpty ? "" : ", called by \(callers.joined(separator: ", "))"
    }

    /// The function of a package in which it waits: ` (in PostgresNIO query(_:))`.
    fileprivate var within: String { waitsIn.map { " (in \($0))" } ?? "" }

    fileprivate var titled: String {
        name + (isMany ? "" : threadName.map { " `\($0)`" } ?? "")
            + (on.map { " on \($0.name)" } ?? "")
    }

    fileprivate var placeWords: String {
        let line = StackText.place(file, line).map { " " + $0 } ?? ""
        return function.map { ", in \($0)\(line)" } ?? ""
    }
}

extension DoctorAnswer.Wait {
    /// `thread 9 reads fd 5 (pipe, empty); its only writing end is fd 6 of this process …`.
    fileprivate func sentence(of who: String) -> String {
        switch kind {
        case .child:
            return "\(who) waits for \(child.map { "child \($0.title)" } ?? "a child") to exit"
        case .reads:
            return "\(who) reads \(descriptor?.described(isEmpty: true) ?? "a descriptor")"
                + ends(of: "writing")
        case .writes:
            return "\(who) writes to \(descriptor?.described(isEmpty: false) ?? "a descriptor")"
                + ends(of: "reading")
        case .connects:
            return "\(who) connects \(descriptor?.described(isEmpty: nil) ?? "a socket")"
        case .locksFile:
            let holders = ends.map(\.words).joined(separator: ", ")
            return "\(who) waits for the lock of \(descriptor?.file ?? "a file"), "
                + (ends.isEmpty ? "whose holder isn't known" : "held by \(holders)")
        case .sleeps: return "\(who) sleeps"
        case nil: return "\(who) waits for something that only a newer `telltale` knows"
        }
    }

    /// The time until a sleep ends: ` and sleeps for 1d3h more`.
    fileprivate var remainder: String {
        remainingSeconds.map { " and sleeps for \(Quantity.time(seconds: $0)) more" } ?? ""
    }

    private func ends(of side: String) -> String {
        guard descriptor?.kind == "pipe" else {
            return ends.isEmpty ? "" : "; its other end is \(holders)"
        }
        guard !ends.isEmpty else {
            return areEndsKnown ? "" : "; who has its \(side) end isn't known"
        }
        let isOwn = areEndsKnown && ends.allSatisfy { $0.pid == nil }
        let few = ends.count == 1 ? "its only \(side) end is" : "its \(side) ends are"
        guard isOwn, side == "writing" else { return "; \(few) \(holders)" }
        return "; \(few) \(holders), so its end of file can't come"
    }

    private var holders: String {
        let shown = ends.prefix(4).map(\.words).joined(separator: ", ")
        return shown + (ends.count > 4 ? " and \(ends.count - 4) more" : "")
    }
}

extension DoctorAnswer.End {
    /// `fd 6 of this process`, `fd 0 of sleep (pid 812)`.
    fileprivate var words: String {
        let number = descriptor.map { "fd \($0) of " } ?? ""
        guard let pid else { return number + "this process" }
        return number + "\(program ?? "a process") (pid \(pid))"
    }
}

extension DoctorAnswer.Descriptor {
    /// `fd 8`.
    fileprivate var words: String { "fd \(number)" }
    fileprivate var file: String { name.isEmpty ? words : "\(name) (\(words))" }

    /// `fd 5 (pipe, empty)`, `fd 12 (tcp 127.0.0.1:4 - 127.0.0.1:5432)`.
    fileprivate func described(isEmpty: Bool?) -> String {
        let isNamedPipe = kind == "pipe" && name.hasPrefix("/")
        var facts = [
            isNamedPipe ? "pipe \(name)" : name.isEmpty || kind == "pipe" ? kind : name
        ]
        if kind == "pipe", isEmpty == true { facts.append("empty") }
        if kind == "pipe", isEmpty == false {
            facts.append("full" + (capacity.map { ", \(Quantity.bytes($0))" } ?? ""))
        }
        return "\(words) (\(facts.joined(separator: ", ")))"
    }
}

extension DoctorAnswer.Child {
    /// `812 `head` (started 42 s ago)`.
    fileprivate var title: String {
        "\(pid) `\(program)`"
            + (ageSeconds.map { " (started \(Quantity.time(seconds: $0)) ago)" } ?? "")
    }
}

extension DoctorAnswer.BusyReason {
    fileprivate var words: String {
        switch self {
        case .noDescriptor(let call): "\(call) fails, since no descriptor is free (EMFILE)"
        case .readyNeverTaken(let descriptor):
            "its event loop returns at once: \(descriptor.described(isEmpty: nil)) is ready and is "
                + "never read"
        }
    }
}

extension DoctorAnswer.Count {
    /// `57 sockets in CLOSE_WAIT, held by ClientSession`.
    fileprivate var words: String {
        "\(Quantity.count(count)) \(name)" + (holder.map { ", held by \($0)" } ?? "")
    }
}

extension DoctorAnswer.Behind {
    /// `2 items, 1 thread`.
    fileprivate var words: String {
        [(items, "item", "items"), (threads, "thread", "threads"), (tasks, "task", "tasks")]
            .filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1, $0.2) }.joined(separator: ", ")
    }
}
#endif
