#if TELLTALE_COMPILED
extension QueuesAnswer {
    /// A table with a row for each queue; a column of which nothing is known is left out.
    package func lines(_ style: TextStyle) -> [String] {
        let loops = eventLoopLines(style)
        return queueLines(style) + (loops.isEmpty ? [] : [""]) + loops
            + StackText.notes(notes ?? [], style)
    }

    /// The queues alone, without the notes on missing parts.
    package func queueLines(_ style: TextStyle) -> [String] {
        guard !queues.isEmpty else { return ["no queues are observed"] }
        // The columns from dispatch's memory stand in the middle. Without that memory the table is
        // the one of the probes alone.
        let optional: [(TextTable.Column, (Entry) -> String?)] = [
            (.init("state"), \.stateText), (.init("waiting", isNumber: true), \.waitingText),
            (.init("oldest", isNumber: true), \.oldestText),
            (.init("thread", isNumber: true), \.threadText),
            (.init("in use", isNumber: true, isExtra: true), \.inUseText),
            (.init("target", isExtra: true, keepsEnd: true), \.targetText),
        ].filter { column in queues.contains { column.1($0) != nil } }
        var table = TextTable(
            [.init("queue", keepsEnd: true), .init("kind")] + optional.map(\.0)
                + [
                    .init("qos", isExtra: true),
                    .init("latency", isNumber: true),
                    .init("objects", isExtra: !optional.isEmpty),
                    .init("finding", goesBelow: true, isTitledBelow: false),
                ])
        for queue in queues {
            let latency = queue.latencyMicroseconds.map { Quantity.time(microseconds: $0) }
            table.add(
                [DispatchText.short(label: queue.label), queue.kind]
                    + optional.map { $0.1(queue) ?? "" }
                    + [
                        queue.qos, latency ?? "", queue.objects.joined(separator: ", "),
                        queue.finding ?? "",
                    ], paint: queue.finding == nil ? nil : .red)
        }
        var lines = table.rendered(style)
        if let hidden, hidden > 0 {
            lines.append(
                "… and "
                    + Quantity.count(
                        hidden, "global or system queue", "global and system queues")
                    + " (`queues --all`)")
        }
        return lines
    }
}

extension QueuesAnswer {
    /// The dump's line about all of them: `QUEUES 7: 1 without an answer, 1 suspended, 5 idle`.
    package var summary: String {
        let silent = queues.filter { $0.finding != nil }.count
        let rest = queues.filter { $0.finding == nil }
        let suspended = rest.filter { $0.state == "suspended" }.count
        let busy = rest.filter { $0.state != "suspended" && $0.isBusy }.count
        let counts = [
            (silent, "without an answer"), (suspended, "suspended"), (busy, "busy"),
            (rest.count - suspended - busy, "idle"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "QUEUES \(queues.count)"
            + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
    }
}

extension QueuesAnswer.Entry {
    /// `barrier`, `suspended ×2`.
    package var stateText: String? {
        guard let state else { return nil }
        guard let suspendCount, suspendCount > 1 else { return state }
        return "\(state) ×\(suspendCount)"
    }

    /// `31`, `10,000+` for a lower bound, `moving` for a list that never stood still.
    package var waitingText: String? {
        if isMoving == true { return "moving" }
        return waiting.map { Quantity.count($0) + (isCut == true ? "+" : "") }
    }

    /// `≥12.3s`: dispatch keeps no such time, so it is counted from when it was first seen.
    package var oldestText: String? {
        oldestSeconds.map { "≥" + Quantity.time(seconds: $0, .field) }
    }

    fileprivate var threadText: String? { thread.map { "\($0)" + AgentMark.of(isAgent) } }

    fileprivate var inUseText: String? {
        guard let widthInUse else { return nil }
        // Dispatch gives a concurrent queue 4,094, a bound that is never met.
        guard let width, width < 4_000 else { return "\(widthInUse)" }
        return "\(widthInUse)/\(width)"
    }

    fileprivate var targetText: String? {
        target.map(DispatchText.short(label:))
    }

    /// Indicates that the queue is known to be working, or to have work.
    fileprivate var isBusy: Bool { thread != nil || (waiting ?? 0) > 0 || isMoving == true }
}
#endif
