import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The agent reads memory that isn't there without a fault, and memory that would have it wait not at all.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FaultTests {
    private static let questions = [
        ["show", "wild"], ["get", "wild.number"], ["dump"], ["stuck"], ["heap"],
        ["holders", "wild"],
    ]

    @Test(
        "a host's crash handlers find no other one before, get no fault of ours, and end a crash")
    func handlers() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        #expect(try host.perform("fault wild") == "registered")
        #expect(try host.perform("fault swap") == "swapping")
        for _ in 0..<20 {
            for question in Self.questions {
                let outcome = try host.telltale(["--timeout", "30s", "\(host.pid)"] + question)
                #expect(outcome.status == 0, "\(question): \(outcome.errors)")
            }
        }
        #expect(try host.perform("fault met") == "many 0 0")
        // Behind it stands the default action again, which ends the process.
        #expect(throws: (any Error).self) { try host.perform("fault crash") }
        #expect(host.waitForEndingSignal() == SIGSEGV)
    }

    @Test(
        "references that the host has damaged are not retained: it lives, whatever is asked of them",
        arguments: ["read-write", "read-only"])
    func damaged(_ mode: String) throws {
        let host = try TestHost(environment: ["TELLTALE_MODE": mode])
        #expect(try host.perform("fault damaged") == "registered")
        let properties = [
            "text", "list", "table", "numbers", "object", "anything", "inner", "choice", "pair",
            "perhaps",
        ]
        for path in ["damaged"] + properties.map({ "damaged.\($0)" }) {
            for question in [
                ["show", path], ["show", path, "--getters"], ["get", "\(path).count"],
                ["get", "\(path).zork"], ["call", "--yes", "\(path).zork()"], ["methods", path],
            ] {
                let outcome = try host.telltale(["--timeout", "10s", "\(host.pid)"] + question)
                try #require(host.isRunning, "\(question): \(outcome)")
            }
        }
        for (path, value) in [
            ("text", "\"x\""), ("list", "[1]"), ("table", "[\"a\": 1]"), ("numbers", "[1]"),
            ("object", "nil"), ("inner", "(text: \"x\")"), ("inner.text", "\"x\""),
            ("perhaps", "nil"), ("perhaps", "(text: \"x\")"), ("pair", "((text: \"x\"), 7)"),
        ] {
            for options in [["--preview"], []] {
                let outcome = try host.telltale(
                    ["\(host.pid)", "set", "damaged.\(path)", value] + options)
                try #require(host.isRunning, "\(path): \(outcome)")
            }
        }
    }

    @Test(
        "gdb stops at no fault while answers are read",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gdb"), "gdb is missing")
    )
    func gdb() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        #expect(try host.perform("fault wild") == "registered")
        let gdb = try StartedProgram(
            "/usr/bin/timeout",
            ["120", "/usr/bin/gdb", "-nx", "-p", "\(host.pid)", "-batch"]
                + [
                    "set pagination off", "handle SIGUSR1 SIGCONT SIGPROF nostop noprint pass",
                    "break telltale_breakpoint", "continue", "detach",
                ].flatMap { ["-ex", $0] })
        try host.waitForError(containing: "gdb(")
        for question in Self.questions where question != ["dump"] {
            let outcome = try host.telltale(["--timeout", "30s", "\(host.pid)"] + question)
            #expect(outcome.status == 0, "\(question): \(outcome.errors)")
        }
        host.send(SIGUSR1)
        let bytes = try #require(gdb.readToEnd(until: .now.advanced(by: .seconds(130))))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(gdb.waitUntilExit() == 0, "\(text.suffix(2_000))")
        #expect(text.contains("hit Breakpoint 1"), "\(text.suffix(2_000))")
        #expect(!text.contains("SIGSEGV") && !text.contains("SIGBUS"), "\(text.suffix(2_000))")
    }

    @Test("a region of userfaultfd that is not served hangs no answer")
    func userfaultfd() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        let staged = try host.perform("fault userfaultfd")
        // Without rights its pages don't have the kernel wait either.
        try #require(staged == "staged" || geteuid() != 0, "\(staged)")
        guard staged == "staged" else { return }
        for question in [
            ["status"], ["stuck"], ["threads"], ["stack"], ["queues"], ["tasks"], ["heap"],
            ["get", "unserved.number"],
            ["show", "unserved"], ["holders", "unserved"], ["dump"], ["alive"], ["status"],
        ] {
            let outcome = try host.telltale(["--timeout", "20s", "\(host.pid)"] + question)
            #expect(outcome.status == 0, "\(question): \(outcome.output) \(outcome.errors)")
        }
        host.send(SIGUSR1)
        try host.waitForError(containing: " END ")
        #expect(try host.telltale(["\(host.pid)", "get", "unserved.number"]).output == "11\n")
    }
}
