#if TELLTALE_COMPILED
extension DumpReport {
    /// More lines of one section than this are counted; the command shows them. Hundreds of queues must
    /// not push the objects out of a log that takes 200 lines.
    private static let mostLines = 64
    /// Stacks are the most important part of a dump.
    private static let mostStackLines = 2_500

    /// The dump: the head, then a section for each answer, each line with the prefix by which grep
    /// finds it in a shared log. `took` is the time until now, in microseconds.
    package func lines(took: Int) -> [String] {
        let build = buildID.isEmpty ? "" : " build=\(buildID.prefix(8))"
        var lines = [
            "BEGIN \(time) \(status.name) up=\(Quantity.uptime(status.uptimeSeconds))\(build)",
            causeLine,
            "VERDICT " + verdict,
        ]
        if stuck.isStuck { lines += Self.indented(stuck.lines(.plain)) }
        lines += Self.indented(DoctorAnswer.lines(of: doctorsOwn, .plain))
        lines += doctorNotes.map { "DOCTOR note: \($0)" }
        if let doctorGap { lines.append("DOCTOR \(doctorGap)") }
        lines += [
            "CAPTURED \(captured) in \(Quantity.time(microseconds: captureMicroseconds)):"
                + " queues, tasks, actors, operations and threads are of this moment",
            processLine,
        ]
        lines += queueLines
        lines += absences
        if let tasks {
            lines += Self.section(tasks.summary, tasks.lines(.plain), "tasks")
        }
        if let actors {
            lines += Self.section(actors.summary, actors.lines(.plain), "actors")
        }
        if let operations, let summary = operations.summary {
            lines += Self.section(summary, operations.lines(.plain), "operations", most: .max)
        }
        lines += objectLines
        if let heap { lines += Self.section("HEAP \(heap.summary)", heap.table(.plain), "heap") }
        if let heapGap { lines.append("HEAP \(heapGap)") }
        if let stacks {
            lines += Self.section(
                stacks.summary, stacks.lines(.plain), "stack", most: Self.mostStackLines)
        }
        if !status.problems.isEmpty {
            lines += Self.section(
                "AGENT \(Quantity.count(status.problems.count, "problem", "problems"))",
                status.problems.map { "  \($0)" }, "status")
        }
        let end = "END lines=\(lines.count + 1) took=\(Quantity.time(microseconds: took, .field))"
        lines.append("\(end) missing=\(missing)" + (missing > 0 ? " (\(missingText))" : ""))
        let prefix = "telltale[\(status.pid)] d\(id) "
        return lines.map { prefix + TerminalEscape.line($0) }
    }

    // MARK: Head

    private var causeLine: String {
        var line: String
        switch cause {
        case .signal(let name, let sender, let merged):
            let from =
                sender.map(Self.text(of:)) ?? "an unknown sender (a dispatch source doesn't tell)"
            line = "by \(name) from \(from); merged=\(merged)"
        case .hang(let owners, let seconds):
            let who = Quantity.count(owners.count, "owner", "owners")
            line =
                "by the hang watch: \(who) without progress for \(Quantity.time(seconds: seconds))"
        case .client(let peer): line = "by client \(Self.text(of: peer))"
        }
        if let previous {
            line += "; previous d\(previous.id) \(Quantity.time(seconds: previous.age)) ago"
        }
        return line
    }

    private static func text(of peer: Peer) -> String {
        guard peer.pid > 0 else {
            return "the kernel or a process outside of this pid namespace"
        }
        return "pid=\(peer.pid)\(peer.program.map { "(\($0))" } ?? "") uid=\(peer.uid)"
    }

    private var verdict: String {
        var words = ""
        if case .hang(let owners, let seconds) = cause {
            words =
                "\(Self.names(of: owners)) made no progress for "
                + "\(Quantity.time(seconds: seconds)); "
        }
        if stuck.isStuck { return words + stuck.summary }
        guard let fault = doctorsOwn.first(where: { $0.grade == .fault }) else {
            return words + answers
        }
        return words + fault.summary
    }

    /// The findings that `stuck` doesn't have.
    private var doctorsOwn: [DoctorAnswer.Finding] {
        doctor.filter { finding in
            if case .stuck = finding.evidence { return false }
            return finding.grade == .fault || finding.grade == .suspicion
        }
    }

    /// Eight names at most, each once with how many have it.
    private static func names(of owners: [String]) -> String {
        var counts: [String: Int] = [:]
        var names: [String] = []
        for owner in owners {
            if counts[owner] == nil { names.append(owner) }
            counts[owner, default: 0] += 1
        }
        return names.map { name in
            let count = counts[name] ?? 1
            return count > 1 ? "\(name) (\(count) of that name)" : name
        }.listed(8)
    }

    private var answers: String {
        let silent = queues.queues.filter { $0.finding != nil }
        var findings = silent.map { "no answer from queue \($0.label)" }
        let named = Set(silent.map { "queue \($0.label)" })
        // A queue that is named already needs no second mention for each of its objects.
        for object in objects where object.isUnanswered && !named.contains(object.owner) {
            findings.append("\(object.name) was not read")
        }
        guard findings.isEmpty else { return findings.joined(separator: "; ") }
        guard !objects.isEmpty else { return "no objects are registered" }
        let present = objects.count { !$0.isGone }
        let read = objects.count { $0.failure == nil }
        guard read < present else {
            return (present == 1 ? "" : "all ")
                + "\(Quantity.count(present, "object", "objects")) read"
        }
        return "\(Quantity.count(read)) of \(Quantity.count(present)) objects read"
    }

    private var processLine: String {
        let share = status.uptimeSeconds > 0 ? status.cpuSeconds / status.uptimeSeconds : 0
        let descriptors =
            process.descriptors.map { "\($0)/\(process.descriptorLimit ?? "?")" } ?? "unknown"
        return "PROCESS rss=\(status.memoryText) "
            + "cpu=\(Quantity.percent(share)) threads=\(status.threadsText) fds=\(descriptors) "
            + "debugger=\(process.debugger ?? "none") "
            + "stopped=\(Quantity.time(seconds: status.stoppedSeconds, .field))"
    }

    // MARK: Sections

    /// A heading, and a screen below it; lines beyond the bound are counted.
    private static func section(
        _ heading: String, _ screen: [String], _ command: String, most: Int = mostLines
    ) -> [String] {
        let lines = indented(screen)
        guard lines.count > most else { return [heading] + lines }
        let more = Quantity.count(lines.count - most, "more line", "more lines")
        return [heading] + lines.prefix(most) + ["  … \(more) (`\(command)` shows them)"]
    }

    private static func indented(_ screen: [String]) -> [String] {
        screen.filter { !$0.isEmpty }.map { " \($0)" }
    }

    private var queueLines: [String] {
        // Idle queues that are not registered are only counted.
        var shown = queues
        shown.queues.removeAll { $0.isQuiet }
        let rest = queues.queues.count - shown.queues.count
        let notes = StackText.notes(queues.notes ?? [], .plain)
        var lines = Self.section(queues.summary, shown.queueLines(.plain) + notes, "queues")
        if rest > 0 {
            lines.append("  … \(Quantity.count(rest)) more, idle and not registered")
        }
        for queue in silentQueues { lines += Self.indented(queue.lines(.plain)) }
        if let summary = queues.eventLoopSummary {
            lines += Self.section(summary, queues.eventLoopLines(.plain), "queues")
        }
        return lines
    }

    private var objectLines: [String] {
        let gone = objects.count { $0.isGone }
        let unread = objects.count { $0.isUnread }
        let unanswered = objects.count { $0.isUnanswered }
        var lines = [
            "OBJECTS \(objects.count): \(objects.count - gone - unread) read, \(gone) gone, "
                + "\(unanswered) unanswered"
                + (unread > unanswered ? ", \(unread - unanswered) not read" : "")
        ]
        for object in objects {
            switch object.result {
            case .success(let answer): lines += Self.indented(answer.lines(.plain))
            case .failure(let failure):
                let owner = object.isUnowned ? "" : " on \(object.owner)"
                let state = object.isGone ? "gone" : object.isUnanswered ? "UNANSWERED" : "NOT READ"
                let hint = object.isUnowned ? failure.hint.map { "; \($0)" } ?? "" : ""
                lines.append(
                    " \(object.name) \(object.type)\(owner): \(state): \(failure.message)\(hint)")
            }
        }
        return lines
    }
}

extension TextStyle {
    /// Without colour, as wide as it comes.
    package static let plain = TextStyle(color: false, width: nil)
}

extension QueuesAnswer.Entry {
    /// Indicates that the queue is unregistered and idle.
    fileprivate var isQuiet: Bool {
        isObserved != true && kind != "main" && state == "idle" && (waiting ?? 0) == 0
    }
}

extension TasksAnswer {
    /// `TASKS 12: 1 running, 3 enqueued, 8 suspended`.
    package var summary: String {
        func count(_ state: String) -> Int { tasks.count { $0.state == state } }
        let all = tasks.count &+ max(0, omitted ?? 0)
        return "TASKS \(all): \(count("running")) running, \(count("enqueued")) enqueued, "
            + "\(count("suspended")) suspended"
    }
}

extension ActorsAnswer {
    /// `ACTORS 7: 2 with jobs that wait`.
    package var summary: String {
        "ACTORS \(actors.count &+ max(0, hidden ?? 0)): "
            + "\(actors.count { !$0.jobs.isEmpty }) with jobs that wait"
    }
}

extension OperationsAnswer {
    /// `OPERATIONS 5: 2 waiting, in 1 queue`; `nil` if the host has shown none.
    package var summary: String? {
        guard !queues.isEmpty || runLoop != nil || !notes.isEmpty else { return nil }
        let count = queues.reduce(0) { $0 &+ $1.operations.count &+ ($1.omitted ?? 0) }
        let waiting = queues.reduce(0) { $0 + $1.operations.count { $0.state == "waiting" } }
        return "OPERATIONS \(count): \(waiting) waiting, in "
            + Quantity.count(queues.count, "queue", "queues")
    }
}

extension StackAnswer {
    /// `THREADS 19: 2 running, 17 waiting`.
    package var summary: String { ThreadsAnswer(threads: groups.flatMap(\.threads)).summary }
}
#endif
