import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Queues, groups, timers and tasks that come and go while two clients look at them with every command.
@Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 20 : 5)))
struct TurmoilTests {
    private static let requests: [(String, String)] = [
        ("threads", "{}"), ("stack", "{}"), ("stack", #"{"all":true,"full":true}"#),
        ("queues", "{}"), ("queues", #"{"all":true}"#),
        ("queue", #"{"name":"turmoil.lasting","limit":100}"#),
        ("suspend", #"{"queue":"turmoil.lasting"}"#), ("groups", #"{"all":true}"#),
        ("resume", #"{"queue":"turmoil.lasting"}"#), ("semaphores", #"{"all":true}"#),
        ("show", #"{"path":"race"}"#), ("show", #"{"path":"loose"}"#),
        ("show", #"{"path":"race","snapshot":true}"#),
        ("timers", #"{"all":true}"#), ("operations", "{}"), ("tasks", "{}"),
        ("tasks", #"{"full":true}"#), ("actors", #"{"all":true}"#), ("stuck", "{}"), ("dump", "{}"),
    ]

    /// Refusals that are no fault of the agent's: nothing else may be refused.
    private static func wrong(_ method: String, _ result: [String: Any]) -> String? {
        guard method == "queues", let queues = result["queues"] as? [[String: Any]] else {
            return nil
        }
        for queue in queues {
            let label = queue["label"] as? String ?? ""
            guard label.hasPrefix("turmoil."), label != "turmoil.lasting" else { continue }
            // At most as many as one round puts into a queue.
            if let waiting = queue["waiting"] as? Int, waiting > 30 {
                return "\(label) has \(waiting) waiting"
            }
            if let count = queue["suspendCount"] as? Int, count > 1 {
                return "\(label) is suspended ×\(count)"
            }
        }
        return nil
    }

    private func rounds(_ host: TestHost) throws -> Int {
        let words = try host.perform("turmoil").split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    /// The number of results called `key` for which `holds`.
    private func count(
        _ host: TestHost, _ arguments: [String], _ key: String,
        _ holds: ([String: Any]) -> Bool
    ) throws -> Int {
        let outcome = try host.telltale(["--json", "\(host.pid)"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let root = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let list = (root as? [String: Any])?[key] as? [[String: Any]] ?? []
        return list.count(where: holds)
    }

    private func look(_ host: TestHost, seconds: Int) throws -> [LookerThread.Report] {
        let path = try host.socketPath()
        try host.perform("turmoil start")
        // The other one begins elsewhere, with a `resume` after its `suspend` all the same.
        let start = 3
        let lookers = [
            LookerThread(path, Self.requests, check: Self.wrong),
            LookerThread(
                path, Array(Self.requests[start...] + Self.requests[..<start]), check: Self.wrong),
        ]
        let began = MonotonicTime.now
        var before = try rounds(host)
        // Each has asked for everything, however slow the machine is.
        while MonotonicTime.now.since(began) < .seconds(seconds)
            || !lookers.allSatisfy({ $0.count >= Self.requests.count })
        {
            usleep(1_000_000)
            try waitUntil("the host goes on with its work") { try rounds(host) > before }
            before = try rounds(host)
            if MonotonicTime.now.since(began) > .seconds(max(seconds, 110)) { break }
        }
        let reports = lookers.map { $0.end() }
        try host.perform("turmoil stop")
        try waitUntil("the turmoil has ended") {
            (try? host.perform("turmoil").hasSuffix("running 0 tasks 0")) == true
        }
        return reports
    }

    @Test("eight threads make and free queues, groups, timers and tasks under every command")
    func turmoil() throws {
        let host = try TestHost()
        _ = try look(host, seconds: 5)
        let before = try host.footprintAtRest()
        let began = try rounds(host)
        let reports = try look(host, seconds: Soak.isOn ? 600 : 10)
        for report in reports {
            #expect(report.answers >= Self.requests.count, "\(report)")
            #expect(report.failures.isEmpty, "\(report.failures)")
            let slowest = report.slowest.max { $0.value < $1.value }
            #expect((slowest?.value ?? 0) < 25, "\(report.slowest)")
        }
        // The memory that the allocator keeps for eight threads' arenas goes up and down by some
        // MiB, and a sanitizer keeps freed memory for a while.
        try Attack.expectRecovery(
            of: host, to: before, memoryBound: BuiltProgram.isOtherHost ? 512 << 20 : 24 << 20)
        let after = HostFootprint(of: host.pid)
        print(
            "turmoil: \(try rounds(host) - began) rounds, \(reports.map(\.answers)) answers, from",
            before, "to", after.map(String.init(describing:)) ?? "gone", "slowest",
            reports.flatMap(\.slowest).sorted { $0.value > $1.value }.prefix(4))
        try expectExactCounts(host)
    }

    private func expectExactCounts(_ host: TestHost) throws {
        // Dispatch releases a cancelled source a moment later.
        try waitUntil("no queue of the turmoil is left") {
            (try? count(host, ["queues"], "queues") {
                ($0["label"] as? String)?.hasPrefix("turmoil.") == true
            }) == 1
        }
        #expect(try host.perform("turmoil quiet") == "quiet")
        // The thread sanitizer puts functions of its own around items, and the agent then says so.
        let notes = try host.telltale(["\(host.pid)", "queues"]).output
        let hasItems = !notes.contains("not available: items")
        #expect(hasItems || BuiltProgram.isOtherHost, "\(notes)")
        try expect(100, host, "queues") { ($0["label"] as? String)?.hasPrefix("quiet.") == true }
        try expect(50, host, "queues") {
            guard let label = $0["label"] as? String, label.hasPrefix("quiet.held."),
                let number = Int(label.dropFirst(11))
            else { return false }
            let waiting = hasItems ? number + 1 : nil
            return $0["waiting"] as? Int == waiting && $0["suspendCount"] as? Int == 1
        }
        try expect(50, host, "groups") { $0["outstanding"] as? Int == 1234 }
        try expect(hasItems ? 50 : 0, host, "timers") { $0["intervalSeconds"] as? Double == 777 }
        try expect(50, host, "tasks") {
            $0["name"] as? String == "quiet task" && $0["state"] as? String != "running"
        }
        try expect(0, host, "tasks") { ($0["name"] as? String)?.hasPrefix("turmoil") == true }
    }

    // Dispatch and the pool take their items a moment later.
    private func expect(
        _ wanted: Int, _ host: TestHost, _ command: String, _ holds: ([String: Any]) -> Bool
    ) throws {
        var last = -1
        try waitUntil("\(wanted) of the \(command) are as they were made, not \(last)") {
            last = try count(host, [command], command, holds)
            return last == wanted
        }
    }
}
