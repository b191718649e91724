#if TELLTALE_COMPILED
/// `timers`: dispatch timers and `asyncAfter`, the next to fire first.
package enum TimersCommand: Command {
    package typealias Parameters = AllParameters
    package typealias Answer = TimersAnswer

    package static let description = CommandDescription(
        "timers [--all]", "dispatch timers and `asyncAfter`: next fire, handler",
        detail: """
            Found in memory, so none has to be registered. A `Timer` of Foundation is none of Dispatch's:
            `instances Timer` lists those.
            --all    also cancelled ones
            """)
}

/// The answer to `timers`.
public struct TimersAnswer: CommandAnswer {
    package static let kind = "timers"

    /// A timer: a dispatch source, an `asyncAfter`.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// `timer` or `asyncAfter`.
        public var kind: String
        /// The label of the queue that its handler runs on.
        public var queue: String?
        /// Seconds until it fires; negative if it is overdue; `nil` if it is not armed.
        public var firesInSeconds: Double?
        /// Seconds between two firings; `nil` if it fires once.
        public var intervalSeconds: Double?
        /// The function that it runs.
        public var handler: String?
        /// The source file of the function.
        public var file: String?
        /// The line of it.
        public var line: Int?
        /// It was cancelled.
        public var isCancelled = false
        /// The suspension count; a new timer is suspended until `resume`.
        public var suspendCount = 0

        package init(address: String, kind: String) {
            self.address = address
            self.kind = kind
        }
    }

    /// The timers; the next to fire first.
    public var timers: [Entry]
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(timers: [Entry], notes: [String] = []) {
        self.timers = timers
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([
            .init("timer"), .init("fires", isNumber: true), .init("every", isNumber: true),
            .init("queue", keepsEnd: true), .init("handler", goesBelow: true),
            .init("place", isExtra: true),
            .init("is"),
        ])
        for timer in timers {
            var marks: [String] = []
            if timer.isCancelled { marks.append("cancelled") }
            if timer.suspendCount > 0 { marks.append("suspended") }
            table.add([
                timer.kind == "timer" ? timer.address : "\(timer.kind) \(timer.address)",
                timer.firesInSeconds.map(DispatchText.fires) ?? "",
                timer.intervalSeconds.map { Quantity.time(seconds: $0, .field) } ?? "",
                timer.queue.map(DispatchText.short(label:)) ?? "",
                timer.handler ?? "", StackText.place(timer.file, timer.line) ?? "",
                marks.joined(separator: ", "),
            ])
        }
        return DispatchText.lines(table, timers.count, nil, of: "timers", "", notes, style)
    }
}
#endif
