#if TELLTALE_COMPILED
extension StuckAnswer {
    /// Long waits that may be right: something alive could end them, and whether it will isn't known.
    public struct Unjudged: Codable, Sendable, Equatable {
        /// The minimum age of each wait, in seconds.
        public var fromSeconds: Double
        /// The number of threads and tasks that wait so.
        public var count: Int
        /// Some of the waits, the longest first; those at one place are one.
        public var first: [Finding]

        package init(fromSeconds: Double, count: Int, first: [Finding]) {
            self.fromSeconds = fromSeconds
            self.count = count
            self.first = first
        }
    }

    /// Tasks of a finding that came to its function by the same calls.
    public struct Callers: Codable, Sendable, Equatable {
        /// The number of tasks.
        public var count: Int
        /// The service's functions that called it, with their lines, the innermost first.
        public var calls: [String]
        /// A call of the same function that these tasks have made before, and in which other tasks of the finding
        /// wait: `writeAudit(_:) Audit.swift:30`; `nil` if none is known.
        public var passed: String?
        /// The number of tasks that wait in that call.
        public var waitingThere: Int?

        package init(
            count: Int, calls: [String], passed: String? = nil, waitingThere: Int? = nil
        ) {
            self.count = count
            self.calls = calls
            self.passed = passed
            self.waitingThere = waitingThere
        }
    }
}

extension StuckAnswer.Unjudged {
    /// `2 waits over 10 s can't be judged: thread 9 is in flock, in lock() Build.swift:12 (at least 41 s)`.
    var words: String {
        let named = first.reduce(0) { $0 &+ ($1.parties.first?.count ?? 1) }
        let more = count > named ? "; \(Quantity.count(count - named)) more" : ""
        return Quantity.count(count, "wait", "waits")
            + " over \(Quantity.time(seconds: fromSeconds)) can't be judged: "
            + first.map(\.placedBrief).joined(separator: "; ") + more
    }
}

extension StuckAnswer.Finding {
    /// `task #3 waits for a continuation, in shutdown() Server.swift:12 (at least 12.3 s), …`.
    fileprivate var placedBrief: String {
        let party = parties.first
        var text = title
        if let function = party?.function {
            text +=
                ", in \(function)"
                + (StackText.place(party?.file, party?.line).map { " " + $0 } ?? "")
        }
        if let seconds { text += " (at least \(Quantity.time(seconds: seconds)))" }
        if let hope, hope != .itself { text += ", which \(hope.words) could end" }
        return text
    }

    /// The calls that led the tasks there, a line each.
    var callersLines: [String] {
        (callers ?? []).map { callers in
            let passed = callers.passed.map { place in
                ": past \(place), where \(Quantity.count(callers.waitingThere ?? 0, "other waits", "others wait"))"
            }
            return "\(Quantity.count(callers.count)) of them called by "
                + callers.calls.joined(separator: ", ") + (passed ?? "")
        }
    }
}
#endif
