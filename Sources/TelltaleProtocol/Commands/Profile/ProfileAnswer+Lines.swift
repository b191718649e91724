#if TELLTALE_COMPILED
extension ProfileAnswer {
    /// A function as the table has it.
    private struct Row {
        var frame: Frame
        var total = 0
        var own = 0
        var lines: [Int: Int] = [:]
        var origins: Set<String> = []
    }

    private struct Function: Hashable {
        var name: String
        var module: String?
    }

    private static let mostRows = 12
    private static let mostWaits = 8

    package func lines(_ style: TextStyle) -> [String] {
        let cpu = stacks.reduce(0) { $0 &+ $1.cpu }
        let samples = stacks.reduce(0) { $0 &+ $1.samples }
        let used = seconds > 0 ? cpuSeconds / seconds : 0
        var lines = [
            "\(Quantity.time(seconds: seconds)), \(Quantity.count(samples, "sample", "samples")) of "
                + "\(Quantity.count(threads, "thread", "threads")), "
                + "\(Quantity.decimal(used, places: 2)) of \(Quantity.count(cores, "core", "cores"))"
        ]
        let unseen = cpuSeconds - Double(cpu) / 1e9
        if unseen > max(cpuSeconds / 50, seconds / 100) {
            lines.append("cpu that was not seen: \(Quantity.time(seconds: unseen))")
        }
        if let droppedSeconds, droppedSeconds > 0 {
            lines.append(
                "beyond the bound of stacks: \(Quantity.time(seconds: droppedSeconds)), shown nowhere"
            )
        }
        lines += table(of: cpu, style)
        lines += waits(style)
        if let endedCalls, endedCalls > 0 {
            lines.append("calls that ended with EINTR: \(Quantity.count(endedCalls))")
        }
        if let file { lines.append("FLAME GRAPH  \(file.escaped)") }
        return lines + StackText.notes(notes, style)
    }

    private func table(of cpu: Int, _ style: TextStyle) -> [String] {
        guard cpu > 0 else { return ["no thread was seen on a core"] }
        var table = TextTable([
            .init("cpu", isNumber: true), .init("self", isNumber: true),
            .init("function", goesBelow: true), .init("place", goesBelow: true),
            .init("on", isExtra: true),
        ])
        let rows = rows(cpu)
        for row in rows.prefix(Self.mostRows) {
            let line = row.lines.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            table.add([
                Quantity.percent(Double(row.total) / Double(cpu)),
                Quantity.percent(Double(row.own) / Double(cpu)), row.frame.function,
                StackText.place(row.frame.file, line) ?? row.frame.module.map { "in \($0)" } ?? "",
                row.origins.count == 1 ? row.origins.first ?? "" : "",
            ])
        }
        let more = rows.count - Self.mostRows
        return table.rendered(style) + (more > 0 ? [Quantity.more(more, by: "--json")] : [])
    }

    /// The functions with time of their own, and the service's in which the time divides; those whose time is
    /// that of one callee, which has no more, only lead there.
    private func rows(_ cpu: Int) -> [Row] {
        var rows: [Function: Row] = [:]
        var callees: [Function: [Function: Int]] = [:]
        for stack in stacks where stack.cpu > 0 {
            var seen: Set<Function> = []
            var inner: Function?
            for (depth, frame) in frames(of: stack).enumerated() {
                let function = Function(name: frame.function, module: frame.module)
                var row = rows[function] ?? Row(frame: frame)
                if depth == 0 { row.own &+= stack.cpu }
                if seen.insert(function).inserted {
                    row.total &+= stack.cpu
                    row.origins.insert(stack.origin)
                    if let inner, inner != function, frame.isHosts {
                        callees[function, default: [:]][inner, default: 0] &+= stack.cpu
                    }
                }
                if let line = frame.line { row.lines[line, default: 0] &+= stack.cpu }
                rows[function] = row
                if frame.isHosts { inner = function }
            }
        }
        let part = cpu / 20
        let shown = rows.filter { function, row in
            if row.own >= cpu / 100 { return true }
            guard row.frame.isHosts, row.total >= part else { return false }
            guard let led = callees[function]?.max(by: { $0.value < $1.value }),
                let callee = rows[led.key]
            else { return true }
            return row.total &- led.value >= part || callee.total &- row.total >= part
        }.values.sorted {
            ($0.total, $0.own, $1.frame.function) > ($1.total, $1.own, $0.frame.function)
        }
        return shown
    }

    /// The waits in the service's own functions, longest first.
    private func waits(_ style: TextStyle) -> [String] {
        struct Place: Hashable {
            var wait: String
            var frame: Frame
        }
        var times: [Place: Int] = [:]
        for stack in stacks where stack.offCore > 0 && stack.isIdle != true {
            guard let wait = stack.wait,
                let frame = frames(of: stack).first(where: { $0.isHosts && $0.function != "_start" }
                )
            else { continue }
            times[Place(wait: wait, frame: frame), default: 0] &+= stack.offCore
        }
        guard !times.isEmpty else { return [] }
        var table = TextTable([
            .init("time", isNumber: true), .init("wait"), .init("function", goesBelow: true),
            .init("place", goesBelow: true),
        ])
        let sorted = times.sorted {
            ($0.value, $1.key.frame.function) > ($1.value, $0.key.frame.function)
        }
        for (place, time) in sorted.prefix(Self.mostWaits) {
            table.add([
                Quantity.time(seconds: Double(time) / 1e9, .field), place.wait,
                place.frame.function, StackText.place(place.frame.file, place.frame.line) ?? "",
            ])
        }
        let more = sorted.count - Self.mostWaits
        return ["OFF CORE, in the service's own functions"] + table.rendered(style)
            + (more > 0 ? [Quantity.more(more, by: "--json")] : [])
    }
}
#endif
