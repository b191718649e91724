#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The environment variables that override the configuration, and how each is applied. `ServiceVariable` has
/// what each takes and does; a test compares the two tables and the page.
enum EnvironmentTable {
    struct Row: Sendable {
        let name: String
        /// Applies a value; returns false if it is not valid.
        let apply: @Sendable (String, inout AgentConfiguration) -> Bool
    }

    /// The result of applying the table.
    struct Outcome: Sendable {
        var isSwitchedOff = false
        var problems: [String] = []
    }

    static let rows: [Row] = [
        Row(name: "TELLTALE") { value, _ in ["0", "1"].contains(value) },
        Row(name: "TELLTALE_NAME") { value, configuration in
            configuration.name = value
            return !value.isEmpty
        },
        Row(name: "TELLTALE_DIRECTORY") { value, configuration in
            configuration.directory = value
            return value.hasPrefix("/")
        },
        Row(name: "TELLTALE_MODE") { value, configuration in
            let mode = AgentConfiguration.Mode(rawValue: value)
            let fits = mode == .readWrite || mode == .readOnly
            // The author of an invalid mode wanted to restrict something.
            configuration.mode = fits ? mode : .readOnly
            return fits
        },
        Row(name: "TELLTALE_DENY") { value, configuration in
            let rules = value.split(separator: ",").map { $0.trimmingSpaces() }
            configuration.denied += rules
            let fits = rules.allSatisfy(AccessRules.isRule)
            // The author of an invalid rule wanted to restrict something.
            if !fits { configuration.mode = .readOnly }
            return fits
        },
        Row(name: "TELLTALE_OUTPUT") { value, configuration in
            configuration.dumpOutput =
                value == "stderr" ? .standardError : .file(template: value)
            return value == "stderr" || value.hasPrefix("/")
        },
        Row(name: "TELLTALE_AUDIT") { value, configuration in
            configuration.auditLog = value == "stderr" ? nil : value
            return value == "stderr" || value == "off" || value.hasPrefix("/")
        },
        Row(name: "TELLTALE_DUMP_SIGNAL") {
            signal($0, \.dumpSignal, &$1)
        },
        Row(name: "TELLTALE_STATUS_SIGNAL") {
            signal($0, \.statusSignal, &$1)
        },
        Row(name: "TELLTALE_PAUSES") { value, configuration in
            configuration.reportsPauses = value != "0"
            return ["0", "1"].contains(value)
        },
        Row(name: "TELLTALE_HEARTBEAT") { value, configuration in
            configuration.heartbeat = milliseconds(value, 10...10_000)
            return configuration.heartbeat != nil || Int(value) == 0
        },
        Row(name: "TELLTALE_HANG_WATCH") { value, configuration in
            configuration.hangWatch = milliseconds(value, 100...86_400_000)
            return configuration.hangWatch != nil || Int(value) == 0
        },
        Row(name: "TELLTALE_HISTORY") { value, configuration in
            configuration.historyInterval = milliseconds(value, 100...3_600_000)
            return configuration.historyInterval != nil || Int(value) == 0
        },
        Row(name: "TELLTALE_STUCK_AFTER") { value, configuration in
            let numbers = value.split(separator: ",").compactMap { Int64($0) }
            guard [1, 3].contains(numbers.count), numbers.allSatisfy({ 0...86_400_000 ~= $0 }),
                value.split(separator: ",", omittingEmptySubsequences: false).count == numbers.count
            else { return false }
            configuration.stuckAfter = .milliseconds(numbers[0])
            configuration.stuckAfterInput = .milliseconds(numbers[numbers.count / 2])
            configuration.stuckAfterRequest = .milliseconds(numbers[numbers.count - 1])
            return true
        },
        Row(name: "TELLTALE_SIGNAL_DELIVERY") { value, configuration in
            configuration.signalDelivery = SignalDelivery(rawValue: value)
            return [.handler, .dispatchSource].contains(configuration.signalDelivery)
        },
        Row(name: "TELLTALE_OWNER_DEADLINE") { value, configuration in
            let length = milliseconds(value, 10...60_000)
            configuration.ownerDeadline = length ?? configuration.ownerDeadline
            return length != nil
        },
        Row(name: "TELLTALE_START_LINE") { value, configuration in
            configuration.announcesStart = value != "0"
            return ["0", "1"].contains(value)
        },
        Row(name: "TELLTALE_MASK") { value, configuration in
            configuration.maskedNames += value.split(separator: ",").map { $0.trimmingSpaces() }
            return true
        },
    ]

    /// Applies the variables of `environment`, and clamps every limit to its range.
    static func apply(
        to configuration: inout AgentConfiguration, environment: (String) -> String?
    ) -> Outcome {
        var outcome = Outcome()
        for row in rows {
            guard let value = environment(row.name) else { continue }
            var changed = configuration
            let fits = row.apply(value, &changed)
            // An invalid restriction still restricts; any other invalid value leaves the setting as it was.
            if fits || ["TELLTALE_MODE", "TELLTALE_DENY"].contains(row.name) {
                configuration = changed
            }
            if !fits {
                outcome.problems.append(
                    "\(row.name)=\(value.escaped(limit: 100)) is not understood; it takes "
                        + (ServiceVariable.named(row.name)?.values ?? "another value"))
            }
        }
        outcome.isSwitchedOff = environment("TELLTALE") == "0"
        outcome.problems += bound(&configuration)
        return outcome
    }

    /// A message for a program that has more privileges than the user who set its environment: the names of
    /// the variables that are set and ignored. nil if none is set.
    static func ignored(in variable: (String) -> String?) -> String? {
        let names = (rows.map(\.name) + ["XDG_RUNTIME_DIR"]).filter { variable($0) != nil }
        guard !names.isEmpty else { return nil }
        return "\(names.joined(separator: ", ")) in the environment "
            + "\(names.count == 1 ? "is" : "are") not heeded: the program is setuid or setgid, or its "
            + "file has capabilities (AT_SECURE)"
    }

    private static func milliseconds(_ value: String, _ range: ClosedRange<Int>) -> Duration? {
        Int(value).flatMap { range.contains($0) ? .milliseconds($0) : nil }
    }

    private static func signal(
        _ value: String, _ property: WritableKeyPath<AgentConfiguration, SignalName?>,
        _ configuration: inout AgentConfiguration
    ) -> Bool {
        if value == "none" {
            configuration[keyPath: property] = nil
            return true
        }
        guard let number = SignalNumber.number(named: value) else { return false }
        configuration[keyPath: property] = SignalName(rawValue: number)
        return true
    }

    // Clamps each limit to its range, and returns a message for each that was outside of it.
    private static func bound(_ configuration: inout AgentConfiguration) -> [String] {
        var problems: [String] = []
        func clamp(
            _ property: WritableKeyPath<AgentConfiguration, Int>, _ range: ClosedRange<Int>,
            _ name: String
        ) {
            let value = configuration[keyPath: property]
            let bounded = min(max(value, range.lowerBound), range.upperBound)
            guard bounded != value else { return }
            configuration[keyPath: property] = bounded
            problems.append("\(name)=\(value) is out of its range; \(bounded) is used")
        }
        func lengthen(_ length: inout Duration, _ least: Duration, _ name: String) {
            guard length < least else { return }
            length = least
            problems.append("\(name) is too short; \(Quantity.time(least)) is used")
        }
        clamp(\.standardErrorLines, 20...100_000, "standardErrorLines")
        clamp(\.keptDumps, 0...64, "keptDumps")
        clamp(\.keptBytes, 65_536...(1 << 30), "keptBytes")
        clamp(\.keptFiles, 1...10_000, "keptFiles")
        clamp(\.keptFileBytes, 1...(1 << 40), "keptFileBytes")
        clamp(\.maximumConnections, 2...256, "maximumConnections")
        clamp(\.maximumRequestBytes, 4096...(64 << 20), "maximumRequestBytes")
        clamp(\.maximumReplyBytes, 65_536...(1 << 30), "maximumReplyBytes")
        clamp(\.depth, 1...64, "depth")
        clamp(\.elements, 1...1_000_000, "elements")
        clamp(\.maximumWorkers, 2...256, "maximumWorkers")
        clamp(\.keptChanges, 1...100_000, "keptChanges")
        lengthen(&configuration.ownerDeadline, .milliseconds(10), "ownerDeadline")
        lengthen(&configuration.commandDeadline, .milliseconds(100), "commandDeadline")
        lengthen(&configuration.dumpDeadline, .milliseconds(100), "dumpDeadline")
        if var length = configuration.hangWatch {
            lengthen(&length, AgentConfiguration.shortestHang, "hangWatch")
            configuration.hangWatch = length
        }
        if var length = configuration.heartbeat {
            lengthen(&length, .milliseconds(10), "heartbeat")
            configuration.heartbeat = length
        }
        if var length = configuration.historyInterval {
            lengthen(&length, .milliseconds(100), "historyInterval")
            configuration.historyInterval = length
        }
        return problems
    }
}

extension AgentConfiguration {
    /// The shortest time in which the hang watch can tell a hung owner from a busy one.
    static var shortestHang: Duration { .milliseconds(100) }
}

extension Substring {
    fileprivate func trimmingSpaces() -> String {
        let kept = drop { $0 == " " }
        return String(kept.reversed().drop { $0 == " " }.reversed())
    }
}
#endif
