import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A verdict is reported in four places: by `stuck`, in a dump, in the listing and by the status
/// line. They must not contradict each other.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ShapeAgreementTests {
    private static let faults = [
        "ab-ba-sync", "sync-on-self", "main-waits", "barrier-behind-reader", "suspended-queue",
        "group-never-left", "semaphore-never-signalled", "pool-exhausted", "nslock-ab-ba",
        "mutex-ab-ba", "queue-lock-queue", "actor-continuation", "tasks-await-each-other",
        "operation-dependency", "operation-in-own-queue",
    ]
    private static let shapes = [
        "main-blocked-with-work-queued", "swift-pool-blocked", "lock-taken-twice",
        "lost-continuation-with-others-waiting", "registered-owner-hangs",
        "bridge-to-lost-continuation", "suspended-queue-with-items",
        // These are well.
        "idle-signal-continuation", "accept-server-idle", "poll-loop-idle",
    ]

    // Three at a time: each waits far more than it computes.
    @Test("each fault of the gallery is told alike by all four")
    func gallery() {
        let complaints = complaintsSideBySide(of: Self.faults, atOnce: 3) { fault in
            // Its own queues hang in most of these: the wait for them has to be just long enough to see
            // that.
            let service = try PhotoService(
                photos: 1, environment: ["TELLTALE_OWNER_DEADLINE": "500"], fault: fault)
            return try judge { arguments in
                let outcome = try service.shell("telltale \(arguments.joined(separator: " "))")
                return ShapeHost.Outcome(status: outcome.status, text: outcome.text)
            } target: {
                "\(service.process.pid)"
            }
        }
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    }

    @Test("a shape is told alike by all four")
    func shape() {
        let complaints = complaintsSideBySide(of: Self.shapes, atOnce: 3) { name in
            let host = try ShapeHost(name)
            return try judge {
                try host.telltale($0, [])
            } target: {
                "\(host.process.pid)"
            }
        }
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    }

    private func judge(
        _ ask: ([String]) throws -> ShapeHost.Outcome, target: () -> String
    ) throws -> [String] {
        // Old enough for every threshold of a second; no command was run yet.
        Thread.sleep(forTimeInterval: 1.5)
        var complaints: [String] = []
        // A search that was cut, as on a busy machine, knows less and says so. Only a contradiction
        // in three tries counts.
        for _ in 0..<3 {
            complaints = try self.complaints(ask, target())
            if complaints.isEmpty { break }
        }
        return try complaints
            + ShapeWords.missing { options in
                try ask(options + ["--timeout", "30s", target(), "stuck"])
            }
    }

    private func complaints(
        _ ask: ([String]) throws -> ShapeHost.Outcome, _ target: String
    ) throws -> [String] {
        let early = Soak.isOn ? Surface.allCases : [.dump]
        let before = try early.map { ($0, try $0.text(ask, target)) }
        let verdict = try stuck(ask, target)
        let late = Soak.isOn ? Surface.allCases : [.listing, .status]
        let after = try late.map { ($0, try $0.text(ask, target)) }
        return (before.map { ("before", $0) } + after.map { ("after", $0) })
            .compactMap { moment, told in
                verdict.complaint(told.1, isWhole: told.0 == .dump).map {
                    "\(moment) `stuck` was asked: \($0)"
                }
            }
    }

    private func stuck(
        _ ask: ([String]) throws -> ShapeHost.Outcome, _ target: String
    ) throws -> ToldVerdict {
        let line = ["--timeout", "30s", target, "stuck"]
        var text = try ask(line)
        // A fault that has only just been staged, on a machine without a processor for it.
        let deadline = MonotonicTime.now.advanced(by: .seconds(10))
        while text.status == 5, .now < deadline { text = try ask(line) }
        let answer = ShapeAnswer(try ask(["--json"] + line), seconds: 0)
        return ToldVerdict(text, answer)
    }
}

/// The places of a verdict besides `stuck`.
enum Surface: CaseIterable {
    case dump, listing, status

    func text(
        _ ask: ([String]) throws -> ShapeHost.Outcome, _ target: String
    ) throws -> String {
        switch self {
        case .dump:
            let dump = try ask(["--timeout", "30s", target, "dump"]).text
            return dump.split(separator: "\n").first { $0.contains(" VERDICT ") }.map {
                String($0[($0.firstRange(of: " VERDICT ")?.upperBound ?? $0.startIndex)...])
            } ?? "no verdict in \(dump.prefix(200))"
        case .listing:
            let text = try ask(["--json"]).text
            let document =
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let processes = document?["processes"] as? [[String: Any]] ?? []
            let own = processes.first { ($0["pid"] as? Int).map(String.init) == target }
            return own?["stuck"] as? String ?? "nothing"
        case .status: return try ask([target, "status"]).text
        }
    }
}

/// The verdict of `stuck`, to be compared with another report.
struct ToldVerdict {
    /// `DEADLOCK`, `STUCK`, or `nil` if no party is accused.
    var grade: String?
    /// The parties, one of which has to be named.
    var names: Set<String>
    var text: String

    init(_ outcome: ShapeHost.Outcome, _ answer: ShapeAnswer) {
        text = outcome.text.split(separator: "\n").first.map(String.init) ?? ""
        grade =
            outcome.status == 7
            ? text.split(separator: " ").first.map(String.init) ?? "nothing" : nil
        names = Set(answer.named.flatMap { [$0, Self.short($0)] })
    }

    /// Returns the problem of another report; `nil` if it agrees.
    ///
    /// - Parameters:
    ///   - told: The other report.
    ///   - isWhole: Indicates that the whole title fits.
    /// - Returns: A sentence.
    func complaint(_ told: String, isWhole: Bool) -> String? {
        guard let grade else {
            let isAccusing = ["STUCK ", "DEADLOCK "].contains { told.contains($0) }
            return isAccusing ? "'\(told)', but '\(text)'" : nil
        }
        guard told.contains(grade + " ") else { return "'\(told)' says no \(grade)" }
        if isWhole, !Self.withoutNumbers(told).contains(Self.withoutNumbers(title)) {
            return "'\(told)' has not the title '\(title)'"
        }
        return names.contains { told.contains($0) } ? nil : "'\(told)' names none of \(names)"
    }

    // The finding without its time and duration.
    private var title: String {
        text.firstRange(of: ": ").map { String(text[$0.upperBound...]) } ?? text
    }

    // Another one of many equal waits may be named.
    private static func withoutNumbers(_ text: String) -> String {
        text.replacing(/[0-9]+/, with: "…")
    }

    // A line has no room for `com.apple.root.default-qos.overcommit`.
    private static func short(_ name: String) -> String {
        name.hasPrefix("com.apple.root.") ? String(name.dropFirst(15)) : name
    }
}
