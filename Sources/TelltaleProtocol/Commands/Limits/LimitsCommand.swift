#if TELLTALE_COMPILED
/// `limits`: the process's limits, and its usage of each.
package enum LimitsCommand: Command {
    package typealias Answer = LimitsAnswer

    package static let description = CommandDescription(
        "limits", "process limits and current usage",
        detail: """
            Descriptors, threads, memory, core size, locked memory: what the kernel and the
            control group (a container's) allow, and what is used of it. The process may raise a
            soft limit as far as the hard one. What is at 90 % or more stands out.
            """)
}

/// The answer to `limits`.
public struct LimitsAnswer: CommandAnswer {
    package static let kind = "limits"

    /// A limit.
    public struct Entry: Codable, Sendable, Equatable {
        /// The limited resource: `descriptors`, `address space`.
        public var name: String
        /// The mechanism of the limit: `RLIMIT_NOFILE`, `cgroup memory`.
        public var by: String
        /// `count` or `bytes`.
        public var unit: String
        /// The limit in force; `nil` if there is none, or if `gap` says why it isn't known.
        public var soft: UInt64?
        /// The limit up to which the process may raise it; `nil` as for `soft`.
        public var hard: UInt64?
        /// The current usage; `nil` if nothing is consumed, or if `gap` says why it isn't known.
        public var used: UInt64?
        /// The usage in percent of `soft`, to a tenth.
        public var percent: Double?
        /// The reason that a part is not available.
        public var gap: String?
        /// A remark about this entry.
        public var note: String?

        package init(
            _ name: String, by: String, unit: String = "bytes", soft: UInt64? = nil,
            hard: UInt64? = nil, used: UInt64? = nil, gap: String? = nil, note: String? = nil
        ) {
            self.name = name
            self.by = by
            self.unit = unit
            self.soft = soft
            self.hard = hard
            self.used = used
            self.gap = gap
            self.note = note
            if let soft, let used, soft > 0 {
                percent = (Double(used) / Double(soft) * 1_000).rounded() / 10
            }
        }
    }

    /// The gap of a control group's limit if no group has one, as far as can be seen.
    package static let noGroup = "no cgroup limit"

    /// The limits: descriptors, threads, memory, and rarely met ones.
    public var limits: [Entry]

    package init(limits: [Entry]) { self.limits = limits }

    /// The usage in percent from which a limit is highlighted.
    private static let near = 90.0

    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([
            .init("limit"), .init("used", isNumber: true), .init("soft", isNumber: true),
            .init("hard", isNumber: true), .init("percent", isNumber: true),
            .init("by", isExtra: true),
            .init("note", goesBelow: true),
        ])
        for entry in limits where entry.saysSomething {
            let remarks = [
                entry.gap.map { $0 == Self.noGroup ? $0 : "not available: \($0)" }, entry.note,
            ]
            table.add(
                [
                    entry.name, entry.used.map(entry.quantity) ?? "", entry.bound(entry.soft),
                    entry.bound(entry.hard), entry.percent.map { Quantity.percent($0 / 100) } ?? "",
                    entry.by,
                    remarks.compactMap(\.self).joined(separator: "; "),
                ], paint: (entry.percent ?? 0) >= Self.near ? .red : nil)
        }
        return table.rendered(style)
    }
}

extension LimitsAnswer.Entry {
    /// False for a control group's limit that does not exist and of which nothing else is known.
    fileprivate var saysSomething: Bool {
        gap != LimitsAnswer.noGroup || note != nil || used != nil
    }

    fileprivate func quantity(_ value: UInt64) -> String {
        unit == "bytes" ? Quantity.bytes(value, .field) : Quantity.count(value)
    }

    /// Empty if a gap says that it isn't known.
    fileprivate func bound(_ value: UInt64?) -> String {
        value.map(quantity) ?? (soft == nil && hard == nil && gap != nil ? "" : "unlimited")
    }
}
#endif
