#if TELLTALE_COMPILED
extension GroupsAnswer {
    /// A table with a row for each group.
    ///
    /// - Parameter style: The colour and width to use.
    /// - Returns: The lines.
    package func lines(_ style: TextStyle = TextStyle()) -> [String] {
        var table = TextTable([
            .init("group"), .init("outstanding", isNumber: true), .init("waits for it"),
            .init("then"), .init("note"),
        ])
        for group in groups {
            let threads = DispatchText.threads(group.waiters)
            table.add([
                group.name ?? group.address, Quantity.count(group.outstanding),
                threads.isEmpty && group.hasWaiters ? "yes" : threads,
                group.notify ?? (group.hasNotify ? "yes" : ""), group.note ?? "",
            ])
        }
        return DispatchText.lines(
            table, groups.count, hidden, of: "groups", "idle", notes, style)
    }
}

extension SemaphoresAnswer {
    /// A table with a row for each semaphore.
    ///
    /// - Parameter style: The colour and width to use.
    /// - Returns: The lines.
    package func lines(_ style: TextStyle = TextStyle()) -> [String] {
        var table = TextTable([
            .init("semaphore"), .init("value", isNumber: true),
            .init("made with", isNumber: true), .init("waits for it"), .init("note"),
        ])
        for semaphore in semaphores {
            let threads = DispatchText.threads(semaphore.waiters)
            let count =
                semaphore.value < 0
                ? Quantity.count(0 &- semaphore.value, "thread", "threads") : ""
            table.add([
                semaphore.name ?? semaphore.address, "\(semaphore.value)",
                "\(semaphore.original)", threads.isEmpty ? count : threads,
                semaphore.note ?? "",
            ])
        }
        return DispatchText.lines(
            table, semaphores.count, hidden, of: "semaphores", "without a waiter", notes, style)
    }
}

extension TimersAnswer {
    /// A table with a row for each timer.
    ///
    /// - Parameter style: The colour and width to use.
    /// - Returns: The lines.
    package func lines(_ style: TextStyle = TextStyle()) -> [String] {
        var table = TextTable([
            .init("timer"), .init("fires", isNumber: true), .init("every", isNumber: true),
            .init("queue", keepsEnd: true), .init("handler"), .init("place", isExtra: true),
            .init("is"),
        ])
        for timer in timers {
            var marks: [String] = []
            if timer.isCancelled { marks.append("cancelled") }
            if timer.suspendCount > 0 { marks.append("suspended") }
            table.add([
                timer.kind == "timer" ? timer.address : timer.kind,
                timer.firesInSeconds.map(DispatchText.fires) ?? "",
                timer.intervalSeconds.map(DispatchText.time) ?? "", timer.queue ?? "",
                timer.handler ?? "", StackText.place(timer.file, timer.line) ?? "",
                marks.joined(separator: ", "),
            ])
        }
        return DispatchText.lines(table, timers.count, nil, of: "timers", "", notes, style)
    }
}

extension ControlAnswer {
    /// `com.telltale.photos: suspended (1)`, and what else is to be known.
    ///
    /// - Parameter style: The colour to use.
    /// - Returns: The line, or two.
    package func lines(_ style: TextStyle = TextStyle()) -> [String] {
        let number = change.map { "      (change \($0))" } ?? ""
        let line =
            style.painted(target.terminalSafe, .bold) + ": " + result.terminalSafe + number
        return [line] + (note.map { ["  note: \($0.terminalSafe)"] } ?? [])
    }
}

/// What the tables of dispatch's objects have in common.
enum DispatchText {
    static func threads(_ ids: [Int32]) -> String {
        guard let first = ids.first else { return "" }
        if ids.count == 1 { return "thread \(first)" }
        let more = ids.count > 8 ? " … \(Quantity.count(ids.count - 8)) more" : ""
        return "threads " + ids.prefix(8).map { "\($0)" }.joined(separator: " ") + more
    }

    static func lines(
        _ table: TextTable, _ count: Int, _ hidden: Int?, of what: String, _ kind: String,
        _ notes: [String], _ style: TextStyle
    ) -> [String] {
        let hidden = hidden ?? 0
        var lines = count > 0 ? table.rendered(style) : []
        if hidden > 0 {
            lines.append("… and \(Quantity.count(hidden)) \(kind) (`\(what) --all`)")
        } else if count == 0 {
            lines.append("no \(what) were found")
        }
        return lines + StackText.notes(notes, style)
    }

    /// `in 2.4s`, `overdue 3s`.
    static func fires(_ seconds: Double) -> String {
        seconds < 0 ? "overdue \(time(-seconds))" : "in \(time(seconds))"
    }

    /// A time of any length, two units at most.
    static func time(_ seconds: Double) -> String {
        if seconds < 0.0995, seconds > 0 {
            return Quantity.duration(microseconds: Int(seconds * 1e6))
        }
        return seconds < 60 ? Quantity.seconds(seconds) : Quantity.uptime(seconds)
    }
}
#endif
