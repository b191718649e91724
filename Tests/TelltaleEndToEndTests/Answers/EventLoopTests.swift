import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `stuck` and `queues` on event loops of a service's own.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct EventLoopTests {
    private static let source = "Tests/TelltaleTestHost/EventLoopModes.swift"

    /// Returns the location of a text: `EventLoopModes.swift:54`.
    private static func place(_ text: String) throws -> String {
        let lines = try RepositoryFile.text(source).split(
            separator: "\n", omittingEmptySubsequences: false)
        let index = try #require(lines.firstIndex { $0.contains(text) }, "no \(text)")
        return "EventLoopModes.swift:\(index + 1)"
    }

    private static func host(_ kind: String) throws -> TestHost {
        let host = try TestHost()
        #expect(try host.perform("loop start \(kind)") == "turned")
        // As a service that has turned for a while: the agent has looked at it by itself.
        try waitUntil("the loop is seen waiting") {
            try host.telltale(["\(host.pid)", "queues"]).output.contains("  waiting  ")
        }
        return host
    }

    /// Asks until the finding appears, with the time it takes: an apparent potential waker delays
    /// it.
    private static func stuck(_ host: TestHost) throws -> TestHost.Outcome {
        let deadline = MonotonicTime.now.advanced(by: .seconds(25))
        var outcome = try host.telltale(["\(host.pid)", "stuck"])
        while outcome.status != 7, .now < deadline {
            outcome = try host.telltale(["\(host.pid)", "stuck"])
        }
        return outcome
    }

    @Test("a loop whose handler blocks is stuck, with the function and line of the handler")
    func blocked() throws {
        let place = try Self.place("a handler that blocks its loop")
        let kinds = ["epoll", "edge", "one-shot", "poll", "select"]
        let complaints = complaintsSideBySide(of: kinds, atOnce: kinds.count) { kind in
            var complaints: [String] = []
            for run in 0..<10 {
                let host = try Self.host(kind)
                let done = try host.perform("loop block")
                if done != "done" { complaints.append("run \(run): \(done)") }
                let outcome = try Self.stuck(host)
                let text = outcome.output
                let parts = [
                    "doesn't turn: thread ", "waits for a semaphore", "2 descriptors are ready",
                    "UserLookup.askBackend(_:)", place,
                ]
                if outcome.status != 7 || !text.hasPrefix("STUCK since ")
                    || !parts.allSatisfy(text.contains)
                {
                    complaints.append("run \(run): status \(outcome.status), \(text)")
                }
            }
            return complaints
        }
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    }

    @Test(
        "a loop that is idle, busy, or turns in long handlers is well",
        arguments: [
            ("epoll", nil), ("poll", nil), ("edge", nil), ("epoll", "busy"), ("edge", "busy"),
            ("one-shot", "busy"), ("poll", "busy"), ("timer", "busy"), ("epoll", "long"),
            ("epoll", "spin"), ("epoll", "sleep"), ("epoll", "block-silently"),
        ] as [(String, String?)])
    func healthy(kind: String, mode: String?) throws {
        let host = try Self.host(kind)
        if let mode { #expect(try host.perform("loop \(mode)") == "done") }
        for run in 0..<20 {
            let outcome = try host.telltale(["\(host.pid)", "stuck"])
            // A capture without a processor in time is cut, and says so; none may find anything.
            #expect([0, 5].contains(outcome.status), "run \(run): \(outcome.output)")
            #expect(!outcome.output.contains("STUCK"), "run \(run): \(outcome.output)")
        }
    }

    @Test("what a queue waits for in a blocked loop is found in the loop")
    func bridge() throws {
        let (handler, bridge) = (
            try Self.place("a handler that blocks its loop"), try Self.place("a bridge to the loop")
        )
        let host = try Self.host("epoll")
        #expect(try host.perform("loop bridge") == "done")
        let outcome = try Self.stuck(host)
        #expect(outcome.status == 7)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first?.contains("doesn't turn") == true, "\(outcome.output)")
        #expect(lines.dropFirst().first?.contains("event loop") == true, "\(outcome.output)")
        #expect(outcome.output.contains(handler), "\(outcome.output)")
        #expect(outcome.output.contains(bridge), "\(outcome.output)")
    }

    @Test("queues and a dump list event loops: who waits, what is ready, since when")
    func listed() throws {
        let host = try Self.host("epoll")
        let idle = try host.telltale(["\(host.pid)", "queues"]).output
        #expect(idle.contains("EVENT LOOP"), "\(idle)")
        #expect(try host.perform("loop block") == "done")
        var text = ""
        try waitUntil("the loop is in its handler for a while") {
            text = try host.telltale(["\(host.pid)", "queues"]).output
            return text.contains("in a handler") && text.contains("≥")
        }
        #expect(text.contains("PromiseLoop.run()"), "\(text)")
        let dump = try host.telltale(["\(host.pid)", "dump"]).output
        #expect(dump.contains(/EVENT LOOPS \d: 0 waiting, 1 in a handler/), "\(dump)")
        let json = try host.telltale(["--json", "\(host.pid)", "queues"]).output
        #expect(json.contains(#""eventLoops":[{"label":"#), "\(json)")
    }

    @Test("what SwiftNIO's loop was given to run is counted while it is in a handler")
    func tasks() throws {
        let host = try ShapeHost("nio-loop-blocked-with-tasks")
        var text = ""
        try waitUntil("the loop is in its handler") {
            text = try host.telltale([], ["queues"]).text
            return text.contains("in a handler")
        }
        #expect(text.contains("TASKS") && text.contains(" 7 +3 later "), "\(text)")
        let json = try host.telltale(["--json"], ["queues"]).text
        #expect(json.contains(#""tasks":7"#) && json.contains(#""scheduled":3"#), "\(json)")
        try waitUntil("it is stuck") {
            text = try host.telltale([], ["stuck", "--after", "1s"]).text
            return text.hasPrefix("STUCK")
        }
        #expect(text.contains("none of its descriptors is ready, 7 tasks wait"), "\(text)")
        #expect(text.contains("7 tasks to be run"), "\(text)")
    }

    @Test("the main run loop that waits for nothing is idle, and is blocked by what blocks main")
    func runLoop() throws {
        let host = try TestHost(["run-loop"])
        try waitUntil("the main run loop is seen waiting") {
            let text = try host.telltale(["\(host.pid)", "queues"]).output
            return text.split(separator: "\n").contains {
                $0.hasPrefix("main run loop") && $0.contains("waiting")
            }
        }
        for _ in 0..<20 {
            let outcome = try host.telltale(["\(host.pid)", "stuck"])
            #expect([0, 5].contains(outcome.status), "\(outcome.output)")
        }
    }
}
