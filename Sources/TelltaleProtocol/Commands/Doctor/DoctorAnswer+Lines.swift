#if TELLTALE_COMPILED
extension DoctorAnswer {
    /// The columns of the first word of a finding: `DESCRIPTORS` and two spaces.
    private static let keyWidth = 13

    /// The process in one line, its findings, what was judged and is well, and the next commands.
    package func lines(_ style: TextStyle) -> [String] {
        var lines = style.wrapped([process.line.escaped], indent: 2)
        lines.append("")
        let faults = findings.filter { $0.grade == .fault || $0.grade == .suspicion }
        lines += Self.lines(of: faults, style)
        if isIncomplete == true {
            let words = faults.isEmpty ? Self.unseen : Self.partly
            lines += Self.entry("NOT KNOWN", .yellow, [words], style)
        } else if faults.isEmpty {
            let isAllJudged = !findings.contains(where: \.isUnjudged)
            let words = isAllJudged ? "nothing is wrong" : Self.unjudged
            lines += Self.entry("HEALTHY", .bold, [words], style)
        }
        for finding in findings where finding.grade == .notice {
            lines += Self.entry(finding.word, .bold, finding.sentences, style)
        }
        let sound = soundLine
        if !sound.isEmpty { lines += Self.entry("OK", .bold, [sound], style) }
        if !next.isEmpty {
            lines += Self.entry("NEXT", .bold, [style.next(next)], style)
        }
        return lines + StackText.notes(notes, style)
    }

    private static let unseen =
        "not all could be captured (see the notes); nothing is wrong with the rest"
    private static let unjudged =
        "nothing is known to be wrong; a long wait below may be right or not"
    private static let partly = "not all could be captured (see the notes)"

    /// Findings, worst first, each with its sentences.
    static func lines(of findings: [Finding], _ style: TextStyle) -> [String] {
        findings.flatMap { finding in
            entry(finding.word, finding.grade == .fault ? .red : .yellow, finding.sentences, style)
        }
    }

    /// A key and its sentences, each in as many lines as the width needs.
    private static func entry(
        _ key: String, _ paint: TextStyle.Paint, _ sentences: [String], _ style: TextStyle
    ) -> [String] {
        let space = String(repeating: " ", count: keyWidth)
        return sentences.enumerated().flatMap { index, sentence in
            let padding = String(repeating: " ", count: max(1, keyWidth - key.count))
            let start = index == 0 ? style.painted(key, paint) + padding : space
            return style.wrapped([start + sentence.escaped], indent: keyWidth)
        }
    }

    private var soundLine: String {
        var parts = sound
        let open = listening.filter { listener in
            !findings.contains { if case .deaf(listener) = $0.evidence { true } else { false } }
        }
        parts += open.prefix(4).map { listener in
            "listening on \(listener.name)"
                + (listener.waiting.map { " (\(Quantity.count($0)) in backlog)" } ?? "")
        }
        if open.count > 4 { parts.append("and \(open.count - 4) more") }
        return parts.joined(separator: ", ")
    }
}

extension DoctorAnswer.Finding {
    /// A long wait of which it isn't known whether it will end.
    fileprivate var isUnjudged: Bool {
        switch evidence {
        case .stuck: grade == .notice
        // A request may well take some seconds.
        case .tasksWait: grade == .notice && (seconds ?? 0) >= 10
        default: false
        }
    }

    /// The finding in one line, for the head of a dump.
    var summary: String { (word + " " + (sentences.first ?? "")).escaped }
}

extension DoctorAnswer.Process {
    /// `photo-manager (pid 4242), up 3h12m, 84 MB, 1.0 of 2 cores, 19 threads, 412 tasks`.
    fileprivate var line: String {
        var facts = ["\(name) (pid \(pid))", "up \(Quantity.uptime(uptimeSeconds))"]
        if let residentBytes { facts.append(Quantity.bytes(residentBytes)) }
        if let usedCores {
            facts.append(
                "\(Quantity.decimal(usedCores, places: 1)) of "
                    + Quantity.count(cores, "core", "cores"))
        }
        facts.append(Quantity.count(threads, "thread", "threads"))
        if let tasks { facts.append(Quantity.count(tasks, "task", "tasks")) }
        return facts.joined(separator: ", ")
    }
}
#endif
