#if TELLTALE_COMPILED
/// Cells that the tables of dispatch's objects share.
enum DispatchText {
    static func threads(_ ids: [Int32], _ agents: [Int32]? = nil) -> String {
        let words = ids.map { "\($0)" + AgentMark.of(agents?.contains($0)) }
        guard let first = words.first else { return "" }
        if ids.count == 1 { return "thread \(first)" }
        let more = ids.count > 8 ? " … \(Quantity.count(ids.count - 8)) more" : ""
        return "threads " + words.prefix(8).joined(separator: " ") + more
    }

    /// A queue's label in a table: `default-qos.overcommit` for a global queue of Dispatch's, whose
    /// common start would leave no room for the end. Commands take this form too.
    static func short(label: String) -> String {
        let root = "com.apple.root."
        return label.hasPrefix(root) ? String(label.dropFirst(root.count)) : label
    }

    /// The names of Dispatch's workers are the last 15 bytes of a label.
    private static let workerNames: Set<String> = {
        let classes = [
            "maintenance", "background", "utility", "default", "user-initiated", "user-interactive",
        ]
        let labels = classes.flatMap {
            ["com.apple.root.\($0)-qos", "com.apple.root.\($0)-qos.overcommit"]
        }
        return Set(labels.map { String($0.suffix(15)) })
    }()

    /// A thread's name in a table: `…oot.default-qos` for a worker of Dispatch's.
    static func shown(threadName name: String) -> String {
        workerNames.contains(name) ? "…" + name : name
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
        seconds < 0
            ? "overdue \(Quantity.time(seconds: -seconds, .field))"
            : "in \(Quantity.time(seconds: seconds, .field))"
    }
}

/// The suffix of Telltale's own threads and items, wherever one is named.
package enum AgentMark {
    /// ` (the agent's)`, or nothing.
    package static func of(_ isAgents: Bool?) -> String { isAgents == true ? " (the agent's)" : "" }
}
#endif
