#if TELLTALE_COMPILED
extension HelloAnswer {
    func line(_ style: TextStyle) -> String {
        let facts = [
            "\(name)(\(pid))", "up \(Quantity.uptime(uptimeSeconds))", mode,
            Quantity.bytes(residentBytes), "uid \(uid)",
            "build \(buildID.isEmpty ? "-" : buildID)",
            "agent \(agent)", "protocol \(protocolVersion)",
        ]
        return facts.map(\.terminalSafe).joined(separator: ", ")
    }
}

extension StatusAnswer {
    /// One line of `key=value`, like the dump's, so that grep finds it in a shared log.
    func line(_ style: TextStyle) -> String {
        var facts = [
            "\(name)(\(pid))", state, "up=\(Quantity.uptime(uptimeSeconds))",
            "threads=\(threads)",
            "rss=\(Quantity.bytes(residentBytes))", "cpu=\(Quantity.seconds(cpuSeconds))",
        ]
        if let slowestQueue {
            let latency =
                slowestMicroseconds.map(Quantity.duration(microseconds:)) ?? "no answer"
            facts.append("slowest=\(slowestQueue) (\(latency))")
        }
        let silent = unanswered.isEmpty ? "none" : unanswered.joined(separator: ",")
        // Nothing is said of nothing: an older agent does not know it, and the line is long.
        let isStuck = stuck.map { $0 != "-" } ?? false
        if isStuck, let stuck { facts.append("stuck=\(stuck)") }
        if let oldestSeconds, oldestSeconds > 0 {
            facts.append("oldest=\(Quantity.seconds(oldestSeconds))")
        }
        facts += [
            "unanswered=\(silent)", "stopped=\(Quantity.seconds(stoppedSeconds))",
            "mode=\(mode)",
        ]
        if let lateWakeUps { facts.insert("late=\(lateWakeUps)", at: facts.count - 1) }
        if !problems.isEmpty { facts.append("problems: " + problems.joined(separator: "; ")) }
        let line = facts.map(\.terminalSafe).joined(separator: " ")
        let isWell = unanswered.isEmpty && problems.isEmpty && !isStuck
        // What is wrong stands at the end, so that a line that tells of it is never cut.
        guard isWell else { return style.painted(line, .red) }
        return style.width.map { line.clipped(to: $0) } ?? line
    }
}

extension InfoAnswer {
    func lines(_ style: TextStyle) -> [String] {
        // One column for all sections, so that the values stand under each other.
        let keys = sections.flatMap(\.rows).map { $0.key.terminalSafe.columns }.max() ?? 0
        var lines: [String] = []
        for section in sections {
            if !lines.isEmpty { lines.append("") }
            lines.append(style.painted(section.name.terminalSafe.uppercased(), .bold))
            for row in section.rows {
                let key = row.key.terminalSafe
                let padding = String(repeating: " ", count: max(0, keys - key.columns))
                lines.append("  \(key)\(padding)  \(row.value.terminalSafe)")
            }
        }
        return lines
    }
}
#endif
