import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Host code and host data that would do harm: each costs one marked line, and the host lives.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HostileDataTests {
    private static func host() throws -> TestHost { try TestHost(["hazards"]) }

    @Test("a dump ends in its budget, with one marked line for each that doesn't answer")
    func dump() throws {
        let host = try Self.host()
        let began = MonotonicTime.now
        host.send(SIGUSR1)
        let dump = try host.waitForError(containing: " END ")
        // Two that don't answer, together: one after another they would take 4 s each.
        #expect(MonotonicTime.now.since(began) < .seconds(8))
        for name in ["hung", "slow"] {
            let lines = dump.split(separator: "\n").filter {
                $0.contains(" \(name) Int on its closure")
            }
            #expect(lines.count == 1)
            #expect(lines.first?.contains("UNANSWERED") == true)
        }
        // None of the code that would end the process was run, and the stored values are shown.
        #expect(dump.contains("trapping: Trapping"))
        #expect(dump.contains("stored: 5"))
        #expect(dump.contains("made: "))
        #expect(dump.contains("deadlocking: Deadlocking"))
        #expect(dump.contains("stored: 6"))
        #expect(dump.contains("greedy: [String] 3,000,000 elements"))
        #expect(host.isRunning)
    }

    @Test("what has no end is cut, and the cut is said")
    func endless() throws {
        let host = try Self.host()
        let tree = try host.telltale(["\(host.pid)", "show", "endless", "--depth", "64"])
        #expect(tree.status == 0)
        #expect(tree.output.contains("wide: [Int] 2,000,000 elements"))
        #expect(tree.output.contains("… 1,999,900 more"))
        #expect(tree.output.contains("…depth"))
        #expect(tree.output.contains("circle: -> #"))
        #expect(tree.output.utf8.count < 1 << 20)
        let deep = "endless.chain" + String(repeating: ".next", count: 700) + ".number"
        let refused = try host.telltale(["\(host.pid)", "get", deep])
        #expect(refused.status == 2)
        #expect(refused.errors.contains("more than the 64 steps that are allowed"))
        #expect(host.isRunning)
    }

    @Test("an owner is let go before it is given up, and what was read by then is shown")
    func longReading() throws {
        let host = try TestHost(["hazards"], environment: ["TELLTALE_OWNER_DEADLINE": "100"])
        let most = try host.telltale(["\(host.pid)", "get", "endless.wide.max"])
        #expect(!most.errors.contains("did not answer"), "\(most.errors)")
        #expect((most.output + most.errors).contains("before the deadline"))
        #expect(
            try host.telltale(["\(host.pid)", "get", "endless.wide.count"]).output == "2000000\n")
    }

    @Test("a description is run only when asked for, and one that would hold its owner is refused")
    func description() throws {
        let host = try Self.host()
        let outcome = try host.telltale(["\(host.pid)", "show", "deadlocking", "--describe"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("was not run: it waits in"), "\(outcome)")
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
        #expect(try host.telltale(["\(host.pid)", "get", "photos.items.count"]).output == "3\n")
    }

    @Test("a closure that hangs is asked a hundred times and costs two threads")
    func hungClosure() throws {
        let host = try TestHost(["hazards"], environment: ["TELLTALE_OWNER_DEADLINE": "20"])
        let before = try #require(ProcessFiles(pid: host.pid).stat?.threads)
        let outcome = try host.shell(
            #"for i in $(seq 100); do "$TELLTALE_CLIENT" "$PID" get hung; done"#)
        #expect(outcome.errors.contains("its closure did not answer"))
        try waitUntil("it has \(before + 4) threads at most") {
            try #require(ProcessFiles(pid: host.pid).stat?.threads) <= before + 4
        }
        try waitUntil("the other closure answers within 20 ms") {
            try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n"
        }
    }

    @Test(
        "objects that come and go under eight threads while two clients dump leave nothing behind")
    func churn() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "200"])
        let isSoak = ProcessInfo.processInfo.environment["TELLTALE_SOAK"] == "1"
        let end = MonotonicTime.now.advanced(by: isSoak ? .seconds(60) : .seconds(3))
        try host.perform("churn start")
        let looker = try StartedProgram(
            "/bin/sh",
            [
                "-c",
                #"exec >/dev/null 2>&1; while :; do "$CLIENT" "$PID" show churn2 --snapshot; "$CLIENT" "$PID" churn3; done"#,
            ],
            environment: [
                "CLIENT": try BuiltProgram.path(of: "telltale"), "PID": "\(host.pid)",
                "TELLTALE_DIRECTORY": host.directory,
            ])
        defer { looker.send(StartedProgram.terminate) }
        var dumps = 0
        while MonotonicTime.now < end || dumps < 4 {
            let outcome = try host.telltale(["\(host.pid)", "dump"])
            try #require(outcome.output.contains(" END "), "\(outcome.errors)")
            dumps += 1
        }
        try host.perform("churn stop")
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        var state = ""
        // References of an abandoned reading are released when its owner responds again.
        while !state.hasSuffix("alive 0 running 0"), deadline > .now {
            state = try host.perform("churn state")
        }
        #expect(state.hasSuffix("alive 0 running 0"), "\(state) after \(dumps) dumps")
    }
}
