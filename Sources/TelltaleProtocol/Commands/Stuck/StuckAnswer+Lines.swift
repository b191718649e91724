#if TELLTALE_COMPILED
extension StuckAnswer {
    /// The number of frames shown of each party; `stack` has all.
    private static let shownFrames = 10

    /// The screen for a bad night: the stuck party, the party that holds it, the blocked work, the
    /// next steps, and then the stacks. A healthy host gets one line.
    package func lines(_ style: TextStyle) -> [String] {
        guard isStuck || !findings.isEmpty else { return style.wrapped([healthy], indent: 2) }
        var shown: [String] = []
        for finding in findings {
            if !shown.isEmpty { shown.append("") }
            shown += finding.lines(style)
        }
        if !shown.isEmpty { shown.append("") }
        var stacks: [String] = []
        for finding in findings {
            let lines = finding.stackLines(style, shownFrames: Self.shownFrames)
            if !lines.isEmpty { stacks += [""] + lines }
        }
        return shown + style.wrapped(rest(style), indent: 15) + StackText.notes(notes, style)
            + stacks
    }

    /// The lines below the findings.
    private func rest(_ style: TextStyle) -> [String] {
        var lines: [String] = []
        if verdict == .waiting || verdict == .unknown {
            lines.append(healthy)
        } else {
            let consequences = blocked?.consequences ?? ["nothing else"]
            for (index, line) in consequences.enumerated() {
                let key = index == 0 ? style.painted("BLOCKED BY IT", .bold) : "             "
                lines.append("\(key)  \(line.escaped)")
            }
            if let busyWords {
                lines.append(style.painted("BUSY", .bold) + "           " + busyWords.escaped)
            }
        }
        for (index, remark) in notIt.enumerated() {
            let key = index == 0 ? style.painted("NOT IT", .bold) + "       " : "             "
            lines.append("\(key)  \(remark.sentence.escaped)")
        }
        if !next.isEmpty {
            lines.append(
                style.painted("NEXT", .bold) + "           " + style.next(next).escaped)
        }
        return lines
    }

    /// Exactly one line, which has none of the words that a search for trouble looks for.
    private var healthy: String {
        var seen = [String]()
        if let queues { seen.append(Quantity.count(queues, "queue", "queues")) }
        if let threads { seen.append(Quantity.count(threads, "thread", "threads")) }
        if let tasks { seen.append(Quantity.count(tasks, "task", "tasks")) }
        let what = seen.isEmpty ? "" : ": \(seen.joined(separator: ", "))"
        let isOne = [queues, threads, tasks].compactMap(\.self) == [1]
        let unseen = notes.isEmpty ? "" : "; not captured: \(notes.joined(separator: "; "))"
        let verdict =
            switch self.verdict {
            case .unknown: "unknown, since the capture is incomplete" + what
            case .waiting: "healthy, except for long waits that may still end" + what
            case _ where unjudged != nil: "nothing is known to be wrong" + what
            default:
                seen.isEmpty
                    ? "healthy: nothing is stuck"
                    : "healthy\(what) \(isOne ? "is" : "are") idle or making progress"
            }
        let longest =
            unjudged.map { "; \($0.words)" }
            ?? self.longest.map { "; longest wait: \($0.brief)" } ?? ""
        return
            ("\(age ?? "")\(verdict); "
            + "\(Quantity.count(captures, "capture", "captures")) in \(Quantity.time(.milliseconds(milliseconds)))"
            + longest + (busyWords.map { "; busy: \($0)" } ?? "") + unseen).escaped
    }

    /// `as of 2.8 s ago: `.
    private var age: String? {
        ageSeconds.map { "as of \(Quantity.time(seconds: $0)) ago: " }
    }

    /// `thread 12 in hash(_:) Photos.swift:12 (98% of a core)`.
    private var busyWords: String? {
        guard let busy, !busy.isEmpty else { return nil }
        let words = busy.map { busy in
            let place = StackText.place(busy.party.file, busy.party.line).map { " " + $0 } ?? ""
            let function = busy.party.function.map { " in \($0)\(place)" } ?? ""
            return busy.party.subject.name + function
                + " (\(Quantity.percent(busy.share, places: 0)) of a core)"
        }
        return words.joined(separator: ", ") + (busyOmitted.map { " and \($0) more" } ?? "")
    }

    /// The verdict in one line, for the head of a dump and the status:
    /// `DEADLOCK photos -> downloads -> photos; 31 items wait`.
    package var summary: String { trouble ?? healthy }

    /// The same for stuck parties; `nil` if all make progress.
    package var trouble: String? {
        guard isStuck || !findings.isEmpty else { return nil }
        let title = findings.first.map { " \($0.title)" } ?? ""
        let others = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
        let items = blocked?.words ?? []
        let verb = blocked?.isOne == true ? "waits" : "wait"
        let waiting = items.isEmpty ? "" : "; \(items.joined(separator: ", ")) \(verb)"
        let word = findings.first.map { $0.word + $0.times } ?? "STUCK"
        return (word + title + others + waiting).escaped
    }
}

extension StuckAnswer.Finding {
    /// The grade, as the first word of the finding.
    fileprivate var word: String {
        switch grade {
        case .deadlock: "DEADLOCK"
        case .waits: "WAITS LONG"
        case .stuck, nil: "STUCK"
        }
    }

    /// ` ×50` if it represents so many; nothing for one.
    fileprivate var times: String {
        count.map { $0 > 1 ? " ×\(Quantity.count($0))" : "" } ?? ""
    }

    /// `thread 12 waits for input or output in read since 03:12:32Z (12.3 s), in load(_:) Photos.swift:12`.
    fileprivate var brief: String {
        var text = title
        if let since { text += " since \(Self.clock(since))" }
        if let seconds { text += " (at least \(Quantity.time(seconds: seconds)))" }
        if let party = parties.first, let function = party.function {
            text += ", in \(function)"
            text += StackText.place(party.file, party.line).map { " " + $0 } ?? ""
        }
        if let note { text += ", \(note)" }
        return text
    }

    /// `DEADLOCK since 03:12:32Z (12.3 s): photos -> downloads -> photos`, and the parties in columns.
    fileprivate func lines(_ style: TextStyle) -> [String] {
        style.wrapped([heading(style)], indent: 2) + partyLines(style)
            + style.wrapped(callersLines.map { "  " + $0.escaped }, indent: 9)
            + (note.map { ["  " + $0.escaped] } ?? [])
    }

    /// The stack of each party, the system's frames between two of the service's own left out;
    /// `stack` has those of parties that only wait.
    fileprivate func stackLines(_ style: TextStyle, shownFrames: Int) -> [String] {
        if grade == .waits { return [] }
        var lines: [String] = []
        for party in parties where !party.frames.isEmpty || party.gap != nil {
            lines.append(style.painted(party.name.escaped, .bold))
            lines += StackText.lines(
                of: party.frames, gap: party.gap, limit: shownFrames, isBrief: true, style: style)
        }
        return lines
    }

    /// The parties below each other: who waits for what, at which location, in which function. If
    /// that is too wide, locations get lines of their own, and a function takes as many lines as it
    /// needs.
    private func partyLines(_ style: TextStyle) -> [String] {
        let rows = parties.map(\.cells)
        let widths = (0..<4).map { column in
            rows.reduce(0) { max($0, min($1[column].columns, 200)) }
        }
        let place = widths[0..<3].reduce(2) { $0 + ($1 > 0 ? $1 + 2 : 0) }
        let isNarrow = style.width.map { $0 < place - 2 } ?? false
        let lines = rows.flatMap { row -> [String] in
            let parts = isNarrow ? [row[0..<2], row[2..<4]] : [row[0..<4]]
            return parts.enumerated().compactMap { number, cells -> String? in
                var line = number == 0 ? "  " : "    at "
                for index in cells.indices where widths[index] > 0 {
                    line += cells[index]
                    // Only the first part is aligned into columns.
                    let isAligned = number == 0 && index < 3
                    let padding = isAligned ? max(0, widths[index] - cells[index].columns) : 0
                    line += String(repeating: " ", count: padding + 2)
                }
                while line.hasSuffix(" ") { line.removeLast() }
                if cells.allSatisfy(\.isEmpty) { return nil }
                return line
            }
        }
        return style.wrapped(lines, indent: 9)
    }

    private func heading(_ style: TextStyle) -> String {
        var line = style.painted(word + times, grade == .waits ? .yellow : .red)
        if let since { line += " since \(Self.clock(since).escaped)" }
        if let seconds { line += " (at least \(Quantity.time(seconds: seconds)))" }
        return line + ": " + title.escaped
    }

    /// The time of day without the date: a reader who was just paged knows the day.
    private static func clock(_ time: String) -> String {
        guard let separator = time.firstIndex(of: "T"), time.hasSuffix("Z") else { return time }
        let clock = time[time.index(after: separator)...].dropLast()
        let whole = clock.firstIndex(of: ".").map { clock[..<$0] } ?? clock
        return whole + "Z"
    }
}

extension StuckAnswer.Blocked {
    /// `thread 4260 on com.telltale.items in PhotoStore.add(_:) PhotoStore.swift:30`, some of those
    /// that wait, and then how many more: `31 items, 2 more threads`.
    fileprivate var consequences: [String] {
        var lines = (first ?? []).map(\.blockedWords)
        func more(_ count: Int, _ kinds: Set<StuckAnswer.Subject.Kind>, _ one: String)
            -> String?
        {
            let named = (first ?? []).filter { kinds.contains($0.subject.kind) }
                .reduce(0) { $0 + ($1.count ?? 1) }
            guard count > named else { return nil }
            let words = named > 0 ? ("more " + one, "more " + one + "s") : (one, one + "s")
            return Quantity.count(count - named, words.0, words.1)
        }
        let rest = [
            more(threads, [.thread], "thread"), more(tasks, [.task], "task"),
            more(operations, [.operation], "operation"), more(items, [], "item"),
        ].compactMap(\.self)
        if !rest.isEmpty { lines.append(rest.joined(separator: ", ")) }
        if isMain, first?.contains(where: { $0.subject.name.hasSuffix("(main)") }) != true {
            lines.append("the main thread is blocked")
        }
        return lines.isEmpty ? ["nothing else"] : lines
    }

    /// Indicates that exactly one party waits.
    fileprivate var isOne: Bool { [items, threads, tasks, operations].reduce(0, &+) == 1 }

    /// `1 item`, `31 items`; nothing for zero.
    fileprivate var words: [String] {
        [
            (items, "item", "items"), (threads, "thread", "threads"), (tasks, "task", "tasks"),
            (operations, "operation", "operations"),
        ].filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1, $0.2) }
    }
}

extension StuckAnswer.Party {
    /// `thread 4260 on com.telltale.items in PhotoStore.add(_:) PhotoStore.swift:30`.
    fileprivate var blockedWords: String {
        let place = StackText.place(file, line).map { " " + $0 } ?? ""
        return name + (on.map { " on \($0.name)" } ?? "")
            + (function.map { " in \($0)\(place)" } ?? "")
    }

    /// The cells of a party: its name, what it waits for, the location and the function, which may
    /// be cut.
    fileprivate var cells: [String] {
        [
            name + (on.map { " on \($0.name)" } ?? ""), relation ?? "",
            StackText.place(file, line) ?? "", shownFunction,
        ].map(\.escaped)
    }

    private var shownFunction: String {
        let foreign = isForeign == true ? "library code only" : nil
        guard let function else { return foreign ?? "" }
        return function + (foreign.map { " (\($0))" } ?? "")
    }
}
#endif
