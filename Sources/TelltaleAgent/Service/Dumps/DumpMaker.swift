#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Makes the dump (DESIGN 5b): everything that is asked of the host is asked at once, so that owners
/// that don't answer cost one deadline together, and the verdict can stand first.
struct DumpMaker: Sendable {
    let agent: Agent
    let id: Int

    /// How long the search for tasks and their names may take; a gigabyte takes 0.2 s.
    private static let taskPatience = Duration.seconds(2)
    /// How long the names of all stacks may take; 0.3 s the first time with 25 MB of debug information.
    private static let threadPatience = Duration.seconds(3)

    /// Who asked for it.
    enum Cause: Sendable {
        case signal(SignalTrap.Delivery, merged: Int)
        case client(Peer)
        /// The hang watch: these owners have made no progress for so long.
        case hang(owners: [String], seconds: Double)
    }

    /// Makes it.
    ///
    /// - Parameters:
    ///   - cause: Who asked for it.
    ///   - previous: How long ago the last one was made, and its number.
    ///   - known: What doesn't move, where that was found out already.
    /// - Returns: All lines of it; what could not be had is counted in `missing`.
    func make(
        cause: Cause, previous: (id: Int, age: Duration)?, stuck known: StuckAnswer? = nil
    ) -> DumpAnswer {
        let began = MonotonicTime.now
        // The first look goes ahead of all that asks the host; the second follows it, so that the
        // time between them costs nothing.
        var looker = StuckLooker(agent: agent, deadline: began.advanced(by: lookTime))
        looker.mostLooks = 2
        looker.mayEndAtOnce = true
        // Too short to date anything, which the kernel's clocks do: it shows what is still at all.
        looker.gap = .milliseconds(50)
        let ownerTime = Self.ownerTime(cause, agent)
        // Without memory left a dump has what it had before there were stacks in it.
        let isRoomy = MemoryRoom.isEnough
        let firstLook = known == nil && isRoomy ? looker.look() : nil
        let time = WallClock.timestamp
        // An object is walked while its owner waits, so the walk ends when the waiting does.
        let limits = agent.readLimits(until: began.advanced(by: ownerTime))
        let objects = agent.shared.objects.all.filter { !$0.isLeftOutOfDumps }

        // First: what is asked of the host sets its threads in motion.
        let threads = ThreadSurvey(
            agent: agent, withFrames: true,
            deadline: began.advanced(by: ownerTime + Self.threadPatience))
        let queues = QueueSurvey(agent: agent)
        // Looked at first, so that the agent's own items aren't in the picture; no part of it
        // waits for the host.
        let listing = QueueListing(
            survey: queues, isSearching: isRoomy, items: Self.items,
            deadline: began.advanced(by: Self.lookDeadline))
        let isAsked = queues.start()
        let operations =
            isRoomy
            ? OperationSurvey(agent: agent, until: began.advanced(by: ownerTime)) : nil
        let reading = startReading(objects, limits: limits, ownerTime)
        // The second look, where the first left a suspicion, takes its time while the owners have
        // theirs.
        let found =
            known
            ?? (isRoomy
                ? looker.answer(since: firstLook)
                : StuckAnswer(
                    verdict: .unknown, captures: 0, milliseconds: 0,
                    notes: ["the process has no memory left to be looked at"]))
        let readings = finish(reading, limits: limits)
        let deadline = began.advanced(by: ownerTime)
        let queueEntries = queues.finish(
            until: deadline, isAsked: isAsked, facts: listing.facts)

        var lines: [String] = []
        var missing = 0
        let facts = ProcessFacts()
        lines.append(
            "BEGIN \(time) \(agent.name) up=\(Text.uptime(facts.uptimeSeconds))"
                + (agent.buildID.isEmpty ? "" : " build=\(agent.buildID.prefix(8))"))
        lines.append(causeLine(cause, previous: previous))
        let unread = readings.filter { $0.failure != nil && !$0.isGone }
        let stuck = queueEntries.filter { $0.finding != nil }
        missing += unread.count + stuck.count
        lines.append(
            verdict(cause, found, unread: unread, stuck: stuck, objects: objects.count))
        if found.isStuck { lines += stuckLines(found) }
        lines.append(processLine(facts))
        lines += queueLines(queueEntries, listing)
        if isRoomy {
            lines +=
                TaskSurvey(agent: agent, deadline: .now.advanced(by: Self.taskPatience))
                .dumpLines
        } else {
            lines.append("MEMORY none is left: stacks, tasks and operations were not looked at")
            missing += 1
        }
        if let operations { lines += operations.finish(until: deadline).dumpLines }
        lines += objectLines(readings)
        lines += threads.dumpLines
        lines += agentLines()
        let took = Text.seconds(MonotonicTime.now.since(began))
        let total = lines.count + 1
        lines.append("END lines=\(total) took=\(took) missing=\(missing)")
        let prefix = "telltale[\(facts.pid)] d\(id) "
        let answer = DumpAnswer(
            id: id, time: time, lines: lines.map { prefix + $0.terminalSafe }, missing: missing,
            file: nil)
        agent.dumps.keep(answer)
        return answer
    }

    // MARK: Head

    private func causeLine(_ cause: Cause, previous: (id: Int, age: Duration)?) -> String {
        var line: String
        switch cause {
        case .signal(let delivery, let merged):
            let sender =
                delivery.code == SignalTrap.unknownSender
                ? "an unknown sender (a dispatch source doesn't tell)"
                : ProcessFacts.spelled(pid: delivery.senderPID, uid: delivery.senderUID)
            line = "by \(SignalNumber.name(delivery.signal)) from \(sender); merged=\(merged)"
        case .hang(let owners, let seconds):
            line =
                "by the hang watch: \(owners.count) "
                + "\(owners.count == 1 ? "owner" : "owners") without progress for "
                + "\(Text.fixed(seconds, 1)) s"
        case .client(let peer):
            line =
                "by client pid=\(peer.pid)(\(Text.oneLine(peer.program ?? "?"))) uid=\(peer.uid)"
        }
        if let previous {
            line += "; previous d\(previous.id) \(Text.seconds(previous.age)) ago"
        }
        return line
    }

    /// How long owners may take. Those of whom the hang watch knows that they hang are not waited for
    /// once more.
    private static func ownerTime(_ cause: Cause, _ agent: Agent) -> Duration {
        let usual = agent.configuration.ownerDeadline
        if case .hang = cause { return min(usual, .milliseconds(250)) }
        return usual
    }

    /// How long the looks may take.
    private var lookTime: Duration {
        min(agent.configuration.commandDeadline, agent.configuration.dumpDeadline / 2)
    }

    // The screen of `stuck`.
    private func stuckLines(_ answer: StuckAnswer) -> [String] {
        answer.lines(TextStyle(color: false, width: nil)).filter { !$0.isEmpty }.map {
            " \($0)"
        }
    }

    private func verdict(
        _ cause: Cause, _ found: StuckAnswer, unread: [Reading], stuck: [QueuesAnswer.Entry],
        objects: Int
    ) -> String {
        var words = ""
        if case .hang(let owners, let seconds) = cause {
            words =
                "\(owners.prefix(8).map { Text.oneLine($0) }.joined(separator: ", ")) made no "
                + "progress for \(Text.fixed(seconds, 1)) s; "
        }
        guard found.isStuck else {
            return "VERDICT " + words + answers(unread: unread, stuck: stuck, objects: objects)
        }
        return "VERDICT " + words + Text.oneLine(found.summary)
    }

    private func answers(
        unread: [Reading], stuck: [QueuesAnswer.Entry], objects: Int
    ) -> String {
        if unread.isEmpty, stuck.isEmpty {
            return "no owner failed to answer; "
                + (objects == 1 ? "1 object" : "\(objects) objects") + " looked at"
        }
        var findings = stuck.map { "queue \(Text.oneLine($0.label)) did not answer" }
        let named = Set(stuck.map(\.label))
        for reading in unread {
            // A queue that is named already needs no second mention for each of its objects.
            if case .queue(let queue) = reading.entry.owner, named.contains(queue.label) {
                continue
            }
            findings.append("\(reading.entry.name) was not read")
        }
        return findings.joined(separator: "; ")
    }

    private func processLine(_ facts: ProcessFacts) -> String {
        let share = facts.uptimeSeconds > 0 ? facts.cpuSeconds / facts.uptimeSeconds * 100 : 0
        let descriptors =
            facts.descriptors.map { "\($0)/\(facts.descriptorLimit ?? "?")" } ?? "unknown"
        return "PROCESS rss=\(Text.bytes(facts.residentBytes)) cpu=\(Text.fixed(share, 1))% "
            + "threads=\(facts.threads) fds=\(descriptors) "
            + "debugger=\(ProcessFacts.spelled(ProcessFacts.tracer)) "
            + "stopped=\(Text.seconds(agent.stoppedTime))"
    }

    // MARK: Sections

    /// How long the look at queues may take; half a gigabyte of memory takes 0.1 s.
    private static let lookDeadline = Duration.milliseconds(500)
    /// How many waiting items are named of a queue that doesn't answer.
    private static let items = 3

    /// How many queues are shown that nobody registered and that are not idle.
    private static let unregistered = 20

    private func queueLines(
        _ asked: [QueuesAnswer.Entry], _ listing: QueueListing
    ) -> [String] {
        let (entries, hidden, omitted) = listing.entries(asked: asked, isAll: false)
        let all = QueuesAnswer(queues: entries, hidden: hidden)
        var lines = [all.summary]
        let facts = listing.facts
        var idle = 0
        var busy = 0
        for entry in entries {
            if entry.isObserved != true, entry.kind != "main" {
                guard entry.state != "idle" || (entry.waiting ?? 0) > 0 else {
                    idle += 1
                    continue
                }
                busy += 1
                // Hundreds of them must not push the objects out of a log that takes 200 lines.
                guard busy <= Self.unregistered else { continue }
            }
            lines.append(
                " \(entry.finding == nil ? " " : "!")\(Text.oneLine(entry.label)) "
                    + Self.words(entry))
            guard entry.finding != nil,
                let address = entry.address.flatMap({ UInt($0.dropFirst(2), radix: 16) }),
                let known = facts[address]
            else { continue }
            lines += itemLines(Array(known.items.prefix(Self.items)), listing)
        }
        if busy > Self.unregistered {
            lines.append(
                "   … \(busy - Self.unregistered) more, busy and not registered (`queues` lists them)"
            )
        }
        if idle + omitted > 0 {
            lines.append("   … \(idle + omitted) more, idle and not registered")
        }
        lines += listing.table.notes.map { "   \(Text.oneLine($0))" }
        return lines
    }

    private static func words(_ entry: QueuesAnswer.Entry) -> String {
        var words = [entry.kind]
        if let state = entry.stateText { words.append(state) }
        if let thread = entry.thread { words.append("T\(thread)") }
        if let waiting = entry.waitingText { words.append("waiting=\(waiting)") }
        if let oldest = entry.oldestText { words.append("oldest\(oldest)") }
        if let used = entry.widthInUse, used > 1 { words.append("in-use=\(used)") }
        words.append("qos=\(entry.qos)")
        if let finding = entry.finding {
            words.append(finding)
        } else if let latency = entry.latencyMicroseconds {
            words.append("latency=\(Text.seconds(.microseconds(latency)))")
        }
        return words.joined(separator: " ")
    }

    private func itemLines(_ items: [PendingItem], _ listing: QueueListing) -> [String] {
        let describer = ItemDescriber(
            agent: agent, listing: listing,
            deadline: MonotonicTime.now.advanced(by: Self.lookDeadline))
        return describer.items(items).map { item in
            let place =
                item.file.map { file in
                    " \(file.split(separator: "/").last.map(String.init) ?? file)"
                        + (item.line.map { ":\($0)" } ?? "")
                } ?? ""
            let waiter = item.waiter.map { " by T\($0)" } ?? ""
            let marks =
                (item.isBarrier ? " barrier" : "") + (item.isCancelled ? " cancelled" : "")
            return "    [\(item.index)] \(item.kind)\(waiter)\(marks) "
                + Text.oneLine(item.function ?? item.object ?? "") + place
        }
    }

    /// Objects that are being read.
    private struct StartedReading {
        var reading: ObjectReading
        var calls: [(entry: RegistryEntry, call: HostCall<ObjectReading.Turn>)]
        var time: OwnerTime
    }

    /// One object and what came of reading it.
    struct Reading {
        var entry: RegistryEntry
        var node: ValueNode?
        var how = ""
        var failure: CommandFailure?
        var isGone: Bool { failure?.code == .gone }
    }

    // All are begun before the first is waited for, so that owners that do not answer cost one
    // deadline together. Each of their objects holds a worker until its owner comes back.
    private func startReading(
        _ entries: [RegistryEntry], limits: ReadLimits, _ ownerTime: Duration
    ) -> StartedReading {
        let reading = ObjectReading(agent: agent)
        let time = OwnerTime(ownerTime)
        let calls = entries.map { entry in
            (entry: entry, call: reading.start(entry, path: [], limits: limits, within: time))
        }
        return StartedReading(reading: reading, calls: calls, time: time)
    }

    private func finish(_ started: StartedReading, limits: ReadLimits) -> [Reading] {
        let (reading, calls, time) = (started.reading, started.calls, started.time)
        // Those without an owner first: they wait for nobody, and a frozen copy of one must not be
        // left with the time that a hung owner has used up.
        var results: [UInt64: ObjectReading.Result] = [:]
        for (entry, call) in calls.filter({ $0.entry.owner.isNone })
            + calls.filter({ !$0.entry.owner.isNone })
        {
            results[entry.identifier] = reading.finish(
                call, entry: entry, path: [], limits: limits, within: time)
        }
        return calls.map(\.entry).compactMap { entry in
            switch results[entry.identifier] {
            case .read(let node, let how): Reading(entry: entry, node: node, how: how)
            case .failed(let failure): Reading(entry: entry, failure: failure)
            case nil: nil
            }
        }
    }

    private func objectLines(_ readings: [Reading]) -> [String] {
        let read = readings.filter { $0.node != nil }.count
        let gone = readings.filter(\.isGone).count
        let rest = readings.count - read - gone
        var lines = [
            "OBJECTS \(readings.count): \(read) read, \(gone) gone, \(rest) unanswered"
        ]
        for reading in readings {
            let entry = reading.entry
            guard let node = reading.node else {
                let mark = reading.isGone ? "gone" : "UNANSWERED"
                lines.append(
                    " \(entry.name) \(entry.typeName) on \(entry.owner.shortName): \(mark): "
                        + (reading.failure?.message ?? ""))
                continue
            }
            let answer = Answer.value(
                ValueAnswer(
                    path: entry.name, value: node, owner: entry.owner.description,
                    read: reading.how))
            let text = answer.rendered(TextStyle(color: false, width: nil))
            lines += text.split(separator: "\n", omittingEmptySubsequences: true).map {
                " \($0)"
            }
        }
        return lines
    }

    private func agentLines() -> [String] {
        let notes = agent.problems
        guard !notes.isEmpty else { return [] }
        return ["AGENT \(notes.count) to be known"] + notes.map { "  \(Text.oneLine($0))" }
    }
}
#endif
