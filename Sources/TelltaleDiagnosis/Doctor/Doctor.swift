#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleProtocol

/// The findings on a process, from two pictures of it with their borders and from the answer of `stuck`.
///
/// A fault is proven: nothing was seen between the pictures that could be the reason for a wait. What may be
/// right is a suspicion. It reads nothing but its pictures: no memory, no clock, no agent.
package struct Doctor: Sendable {
    let process: Comparison
    let stuck: StuckAnswer
    /// The border at the earlier and at the later picture.
    let before: BorderFacts
    let now: BorderFacts
    /// Queues that went on between the pictures, though both show the same head.
    let movedQueues: Set<UInt>
    var findings: [DoctorAnswer.Finding] = []
    /// The commands that show more about what grows.
    var grownNext: [String] = []

    /// From this time on, in seconds, a wait at the border is worth a line, if nothing else is known of it.
    static let longWait = 10.0
    /// The time for which a handler of `exit` may stand still, in seconds.
    private static let longestExit = 5.0
    /// The maximum number of findings of one kind.
    static let mostOfAKind = 4

    /// Compares two pictures.
    ///
    /// - Parameters:
    ///   - earlier: The process when it began to be watched.
    ///   - later: The process now.
    ///   - stuck: The answer of `stuck` in between.
    ///   - history: What was seen before both.
    ///   - movedQueues: Queues that went on between the pictures.
    ///   - isBrief: Set if the later picture has the queues and the tasks of the earlier one, of which it isn't known
    ///     whether they have gone on.
    package init(
        of earlier: Picture, _ later: Picture, stuck: StuckAnswer,
        history: WaitHistory = WaitHistory(), movedQueues: Set<UInt> = [], isBrief: Bool = false
    ) {
        self.movedQueues = movedQueues
        process = Comparison.of(earlier, later, history)
        self.stuck = stuck
        before = earlier.border ?? BorderFacts()
        now = later.border ?? BorderFacts()
        guard !wasStopped else {
            findings = Self.sorted(stuckFindings(besides: []) + descriptorUse())
            return
        }
        // A cause comes before what it causes, so that the same thread isn't named twice.
        let ends = OtherEnds(of: process, now)
        findings = childDeadlocks(ends) + repeatedReads()
        findings += busyThreads()
        findings += descriptorUse()
        if !isBrief { findings += lateQueues() }
        findings += lateLoops() + latePools()
        let named = Set(findings.flatMap(\.allParties).compactMap(\.thread))
        let waits = borderWaits(ends, besides: named)
        let explained = Set(waits.flatMap(\.parties).compactMap(\.thread)).union(named)
        let exit = unendingExit()
        findings += stuckFindings(
            besides: explained, inExit: exit.first?.parties.first?.thread)
        findings += waits + (isBrief ? [] : crowdsOfTasks()) + pendingPromises()
        findings += deafListeners(ends) + unreapedChildren() + otherBusyThreads()
        findings += exit
        findings += unjudgedWaits()
        findings = Self.sorted(findings)
    }

    /// Adds the class that holds the descriptors of ``crowd``.
    package mutating func add(holderOfCrowd type: String) {
        for (index, finding) in findings.enumerated() {
            guard case .descriptors(let open, let limit, var kinds) = finding.evidence,
                !kinds.isEmpty
            else { continue }
            kinds[0].holder = type
            findings[index].evidence = .descriptors(open: open, limit: limit, kinds: kinds)
        }
    }

    /// The answer, with the figures of the process.
    package func answer(of figures: DoctorAnswer.Process) -> DoctorAnswer {
        var answer = DoctorAnswer(process: figures, watchedSeconds: process.window)
        answer.findings = findings
        answer.sound = sound
        answer.listening = listeners(now).map(\.listener)
        answer.next = next
        answer.notes = stuck.notes + (now.gaps.filter { !stuck.notes.contains($0) })
        answer.notes += process.later.notes(on: .eventLoops).filter { !answer.notes.contains($0) }
        if let cut = crowdsCut { answer.notes.append(cut) }
        if wasStopped {
            answer.isIncomplete = true
            answer.notes.append(
                "the process was stopped while it was watched: waits at its border were not judged")
        }
        if stuck.verdict == .unknown {
            answer.isIncomplete = true
            if answer.notes.isEmpty {
                answer.notes = ["there was no time to search for everything that could end a wait"]
            }
        }
        return answer
    }

    /// Indicates that a signal or a debugger stopped the process between the pictures: that a thread has not
    /// moved says nothing then.
    private var wasStopped: Bool { process.later.lostTime > process.earlier.lostTime }

    /// The cores that the process used between the pictures.
    package var usedCores: Double? {
        guard process.window > 0 else { return nil }
        return max(0, now.processorSeconds - before.processorSeconds) / process.window
    }

    // MARK: Findings of `stuck`

    /// Takes over the findings of `stuck`.
    ///
    /// - Parameters:
    ///   - threads: The threads whose waits have a finding already.
    ///   - exiting: The thread whose exit has one.
    /// - Returns: Those that are proven, and the waits of other threads.
    private func stuckFindings(
        besides threads: Set<Int32>, inExit exiting: Int32? = nil
    ) -> [DoctorAnswer.Finding] {
        var isFirst = true
        return stuck.findings.compactMap { finding in
            let isProven = finding.grade != .waits
            let first = finding.parties.first?.thread
            if !isProven, let first, threads.contains(first) { return nil }
            if let exiting, first == exiting { return nil }
            var found = DoctorAnswer.Finding(
                .stuck(finding: finding), isProven ? .fault : .suspicion,
                seconds: finding.seconds)
            if isProven, isFirst, let blocked = stuck.blocked {
                found.behind = .init(
                    items: blocked.items, threads: blocked.threads, tasks: blocked.tasks)
            }
            if isProven { isFirst = false }
            return found
        }
    }

    // MARK: The rest of the answer

    static func sorted(_ findings: [DoctorAnswer.Finding]) -> [DoctorAnswer.Finding] {
        func rank(_ finding: DoctorAnswer.Finding) -> Int {
            switch finding.grade {
            case .fault: finding.word == "DEADLOCK" ? 0 : 1
            case .suspicion: 2
            case .notice, nil: 3
            }
        }
        // Those of one rank stay in their order.
        return findings.enumerated().sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }.map(\.element)
    }

    /// A thread that runs the handlers of `exit`, and did so before.
    private func unendingExit() -> [DoctorAnswer.Finding] {
        let earlier = Set(process.earlier.threads.filter(\.isInExit).map(\.id))
        guard let thread = process.later.threads.first(where: \.isInExit),
            earlier.contains(thread.id)
        else { return [] }
        let still = thread.offCPUFor ?? 0
        // A handler may take its time to write something.
        let isFault = process.unmovedThreads.contains(thread.id) && still >= Self.longestExit
        return [
            .init(
                .exiting, isFault ? .fault : .suspicion,
                parties: [process.brief(thread: thread.id)], seconds: max(process.window, still))
        ]
    }

    /// The parts that exist, were judged and have no finding.
    private var sound: [String] {
        var parts: [String] = []
        let kinds = findings.reduce(into: Set<StuckAnswer.Subject.Kind>()) {
            $0.formUnion($1.kinds)
        }
        func add(_ name: String, _ kind: StuckAnswer.Subject.Kind, if isThere: Bool) {
            if isThere, !kinds.contains(kind) { parts.append(name) }
        }
        if stuck.verdict != .unknown, !wasStopped {
            add("locks", .lock, if: !process.later.threads.isEmpty)
            add("queues", .queue, if: !process.queues.isEmpty)
            add("tasks", .task, if: !process.later.tasks.isEmpty)
            add("actors", .actor, if: !process.later.actors.isEmpty)
            add("operations", .operation, if: !process.later.operations.isEmpty)
            if !now.children.isEmpty, !findings.contains(where: \.isOfChild) {
                parts.append(
                    Quantity.count(now.children.count, "child process", "child processes"))
            }
        }
        let hasDescriptors = findings.contains {
            if case .descriptors = $0.evidence { true } else { false }
        }
        if !hasDescriptors, now.open > 0 {
            let of = now.limit.map { " (\(Quantity.count(now.open)) of \(Quantity.count($0)))" }
            parts.append("descriptors" + (of ?? ""))
        }
        return parts
    }

    private var next: [String] {
        var threads: [String] = []
        for finding in findings {
            for thread in finding.allParties.compactMap(\.thread)
            where !threads.contains("\(thread)") {
                threads.append("\(thread)")
            }
        }
        var next = threads.isEmpty ? [] : ["stack " + threads.prefix(4).joined(separator: " ")]
        if findings.contains(where: { if case .descriptors = $0.evidence { true } else { false } })
        {
            next.append("info --files")
        }
        if findings.contains(where: { if case .tasksWait = $0.evidence { true } else { false } }) {
            next.append("tasks")
        }
        next += findings.compactMap(\.growingClass).prefix(1).map { "instances '\($0)'" }
        for command in stuck.next + grownNext
        where !command.hasPrefix("stack ") && !next.contains(command) {
            next.append(command)
        }
        if next.isEmpty, !findings.isEmpty { next.append("dump --output FILE") }
        return next
    }
}

extension DoctorAnswer.Finding {
    /// Its parties and those of the finding of `stuck` in it.
    var allParties: [StuckAnswer.Party] {
        switch evidence {
        case .stuck(let finding), .readsAgain(_, _, let finding, _): parties + finding.parties
        default: parties
        }
    }
}

extension DoctorAnswer.Finding {
    /// The kinds of things that are not well by this finding.
    fileprivate var kinds: Set<StuckAnswer.Subject.Kind> {
        var kinds = Set(allParties.flatMap { [$0.subject.kind, $0.on?.kind] }.compactMap(\.self))
        switch evidence {
        case .late(let queue, _, _, _): kinds.insert(queue.kind)
        case .tasksWait: kinds.insert(.task)
        case .readsAgain: kinds.insert(.lock)
        case .stuck(let finding):
            if case .cycle(let subjects) = finding.evidence {
                kinds.formUnion(subjects.map(\.kind))
            }
        default: break
        }
        for party in allParties {
            if case .waits(let subject, _)? = party.state { kinds.insert(subject.kind) }
        }
        if let behind, behind.items > 0 { kinds.insert(.queue) }
        return kinds
    }

    fileprivate var isOfChild: Bool {
        switch evidence {
        case .childWrites, .unreaped: true
        case .waits(let wait): wait.kind == .child
        default: false
        }
    }
}

extension DoctorAnswer.Finding {
    /// The class whose objects have become more.
    fileprivate var growingClass: String? {
        guard case .grows(let what, _, _, _?, _, _) = evidence, !what.contains(" ") else {
            return nil
        }
        return what
    }
}
#endif
