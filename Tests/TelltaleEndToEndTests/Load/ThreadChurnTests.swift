import Foundation
import Synchronization
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Stacks of a host that makes and ends threads, loads and unloads libraries, and forks.
@Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 20 : 5)))
struct ThreadChurnTests {
    /// The counts of stacks whose functions are known.
    private final class Seen: Sendable {
        let right = Atomic(0)
        let cut = Atomic(0)
        let wrong = Atomic(0)
        let parkedRight = Atomic(0)
        let examples = Mutex<[String]>([])
    }

    private static func functions(_ group: [String: Any]) -> [String] {
        (group["frames"] as? [[String: Any]] ?? []).map { $0["function"] as? String ?? "?" }
    }

    /// The host's own functions, each of which calls the one before it, and all the ones that are seen.
    private static let chain = [
        "Rush.rushInner(", "Rush.rushOuter(", "in static Rush.rushThreads(",
    ]

    private static func judge(_ result: [String: Any], parked: Set<Int>, _ seen: Seen) -> String? {
        var parkedSeen: Set<Int> = []
        for group in result["groups"] as? [[String: Any]] ?? [] {
            let functions = functions(group)
            let threads = group["threads"] as? [[String: Any]] ?? []
            let ids = threads.compactMap { $0["id"] as? Int }
            if !parked.isDisjoint(with: ids) {
                let places = ["parkPollInner(", "parkPollMiddle(", "parkPollOuter("].map { name in
                    functions.firstIndex { $0.contains(name) }
                }
                if group["gap"] == nil, places[0] != nil, places.compactMap({ $0 }).count >= 2,
                    places.compactMap({ $0 }) == places.compactMap({ $0 }).sorted()
                {
                    parkedSeen.formUnion(parked.intersection(ids))
                } else {
                    return "a parked thread has \(functions) \(group["gap"] ?? "")"
                }
            }
            guard let first = functions.firstIndex(where: { $0.contains("Rush.rush") }) else {
                continue
            }
            let own = functions[first...].filter { $0.contains("Rush.rush") }
            let index = chain.firstIndex { own[0].contains($0) }
            if own[0].contains("static Rush.rushThreads("), own.count == 1,
                !own[0].contains("closure")
            {
                continue  // the thread that makes the others
            }
            guard !own[0].contains("rushForks"), !own[0].contains("rushLibraries"), let index
            else { continue }
            let expected = chain[index...]
            if own.count >= expected.count, zip(own, expected).allSatisfy({ $0.contains($1) }) {
                seen.right.add(threads.count, ordering: .relaxed)
            } else if group["gap"] != nil {
                seen.cut.add(threads.count, ordering: .relaxed)
            } else {
                seen.wrong.add(threads.count, ordering: .relaxed)
                seen.examples.withLock { if $0.count < 5 { $0.append("\(functions)") } }
            }
        }
        if parkedSeen != parked { return "\(parked.count - parkedSeen.count) are missing" }
        seen.parkedRight.add(parked.count, ordering: .relaxed)
        return nil
    }

    @Test(
        "twice a second stacks are taken of a host whose threads, libraries and children come and go"
    )
    func rush() throws {
        let host = try TestHost()
        let parked = Set(try host.park("poll", count: 10).compactMap(\.thread).map(Int.init))
        let path = try host.socketPath()
        let wanted = (answers: Soak.isOn ? 600 : 10, right: Soak.isOn ? 1000 : 20)
        func isEnough(_ looker: LookerThread, _ seen: Seen) -> Bool {
            looker.count > wanted.answers && seen.right.load(ordering: .relaxed) > wanted.right
        }
        // Until the time is over and, where that is asked for, enough has been seen.
        func round(
            _ seconds: Int, _ seen: Seen, untilEnough: Bool = false
        ) throws -> LookerThread.Report {
            for what in ["threads 1000", "libraries", "forks 20"] {
                try host.perform("rush \(what)")
            }
            let looker = LookerThread(
                path, [("stack", "{}"), ("threads", "{}"), ("stack", #"{"full":true}"#)],
                pause: 500_000
            ) { method, result in
                method == "stack" ? Self.judge(result, parked: parked, seen) : nil
            }
            let end = MonotonicTime.now.advanced(by: .seconds(seconds))
            let last = MonotonicTime.now.advanced(by: .seconds(max(seconds, 120)))
            while .now < end || untilEnough && !isEnough(looker, seen) && .now < last,
                host.isRunning
            { usleep(200_000) }
            let report = looker.end()
            try host.perform("rush stop")
            try waitUntil("the rush has ended") {
                (try? host.perform("rush").hasSuffix("running 0")) == true
            }
            usleep(100_000)
            return report
        }
        _ = try round(5, Seen())
        let before = try host.footprintAtRest()
        let seen = Seen()
        let report = try round(Soak.isOn ? 600 : 10, seen, untilEnough: true)
        #expect(host.isRunning)
        #expect(report.failures.isEmpty, "\(report.failures)")
        #expect(report.answers > wanted.answers)
        // The object file of an unloaded library is closed by the next capture.
        for _ in 0..<2 { _ = try host.telltale(["\(host.pid)", "stack"]) }
        try Attack.expectRecovery(of: host, to: before, memoryBound: 16 << 20)
        let right = seen.right.load(ordering: .relaxed)
        let wrong = seen.wrong.load(ordering: .relaxed)
        print(
            "rush: \(report.answers) answers, right \(right), wrong \(wrong), cut and said so",
            seen.cut.load(ordering: .relaxed), "parked", seen.parkedRight.load(ordering: .relaxed),
            try host.perform("rush"), "slowest", report.slowest, "from", before, "to",
            HostFootprint(of: host.pid).map(String.init(describing:)) ?? "gone")
        #expect(right > wanted.right)
        // The measured rate of wrong stacks is under one in a thousand.
        #expect(wrong <= right / 1000 + 1, "\(seen.examples.withLock { $0 })")
    }
}
