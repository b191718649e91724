#if os(Linux) && arch(x86_64)
import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `tasks`, `actors` and `cancel task` on a real service.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TaskCommandTests {
    private func line(_ name: String, in text: String) -> Substring {
        text.split(separator: "\n").first { $0.contains(" \(name) ") } ?? ""
    }

    @Test("tasks are listed as a tree, with what each waits for and where it goes on")
    func tasks() throws {
        let host = try TestHost()
        #expect(try host.perform("tasks stage") == "ready")
        let text = try settled(host, "tasks")
        #expect(line("stuck", in: text).contains("neverResumed"), "\(text)")
        #expect(line("stuck", in: text).contains("TaskModes.swift:"), "\(text)")
        #expect(line("group", in: text).contains("group"), "\(text)")
        #expect(text.contains("  #") && line("child 0", in: text).contains("child"), "\(text)")
        #expect(line("holder", in: text).contains("Till.hold()"), "\(text)")
    }

    /// Returns the output of `command` once each task of the stage has reached its final location.
    private func settled(_ host: TestHost, _ command: String...) throws -> String {
        let places = [
            ("stuck", "continuation"), ("reader", " stuck"), ("sleeper", "timer"),
            // The actor is free meanwhile: the task's own frames say in which method it is.
            ("audit", "Till.audit()"), ("holder", "running on thread "),
            ("customer 0", "actor Till"), ("customer 1", "actor Till"),
            ("customer 2", "actor Till"),
        ]
        var missing: [String] = []
        try waitUntil("every task is where it stays; not so: \(missing)", seconds: 20) {
            let outcome = try host.telltale(["\(host.pid)", "tasks"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            missing = places.filter { !line($0.0, in: outcome.output).contains($0.1) }
                .map { "\($0.0): \(line($0.0, in: outcome.output))" }
            return missing.isEmpty
        }
        let outcome = try host.telltale(["\(host.pid)"] + command)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test("with --full each task has its callers")
    func full() throws {
        let host = try TestHost()
        #expect(try host.perform("tasks stage") == "ready")
        let text = try settled(host, "tasks", "--full")
        let stack = text.components(separatedBy: "\ntask #").dropFirst()
            .first { $0.contains(" stuck\n") }
        #expect(stack?.contains("neverResumed()") == true, "\(text)")
        #expect(stack?.contains("closure #1 in static TaskModes.stage()") == true, "\(text)")
    }

    @Test("actors are listed with the tasks that wait, in order")
    func actors() throws {
        let host = try TestHost()
        #expect(try host.perform("tasks stage") == "ready")
        let output = try settled(host, "actors")
        let till = line("Till", in: output)
        #expect(till.contains("till: Till") && till.contains("running"), "\(output)")
        #expect(till.contains("running on thread "), "\(output)")
        #expect(till.contains(" customer 0, ") && till.contains(" customer 2"), "\(till)")
        #expect(try host.perform("tasks end") == "ended")
    }

    @Test("a server's tasks are one row, in the service's own function and not in the machinery's")
    func served() throws {
        let host = try TestHost()
        #expect(try host.perform("tasks served 48") == "ready")
        try host.waitUntilLearnt()
        var text = ""
        try waitUntil("48 tasks share a row in \(text)") {
            text = try host.telltale(["\(host.pid)", "tasks"]).output
            return text.contains(" ×48 ")
        }
        let row = try #require(text.split(separator: "\n").first { $0.contains(" ×48 ") })
        #expect(row.contains("  continuation in TelltaleMachinery next()  "), "\(row)")
        #expect(row.contains("  static Connection.serve(_:)  "), "\(row)")
        #expect(row.contains("TaskModes.swift"), "\(row)")
        #expect(text.contains("(`tasks --all` lists them)"), "\(text)")
        // A task without a function of the service's own is listed, and says so.
        let attendant = line("attendant", in: text)
        #expect(attendant.contains("library code only"), "\(text)")
        #expect(attendant.contains("  static Feed.wait(_:)  "), "\(text)")
        let all = try host.telltale(["\(host.pid)", "tasks", "--all"]).output
        let place = "  static Connection.serve(_:)  "
        #expect(all.components(separatedBy: place).count == 49, "\(all)")
        #expect(!all.contains(" ×"), "\(all)")
        let answer = try host.telltale(["--json", "\(host.pid)", "tasks"]).output
        #expect(
            answer.components(separatedBy: #""waitsIn":"TelltaleMachinery next()""#).count == 49)
    }

    @Test("tasks that are lost at one place are one finding, with their number")
    func lost() throws {
        let host = try TestHost()
        #expect(try host.perform("tasks lost 48") == "ready")
        try host.waitUntilLearnt()
        var outcome = try host.telltale(["\(host.pid)", "stuck"])
        try waitUntil("they have waited long enough: \(outcome.output)") {
            outcome = try host.telltale(["\(host.pid)", "stuck"])
            return outcome.status == 7
        }
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("STUCK") } == 1, "\(outcome.output)")
        #expect(lines[0].contains(": 48 tasks, one is #"), "\(lines)")
        #expect(lines[0].hasSuffix(", wait for continuations that nobody resumes"), "\(lines)")
        #expect(
            lines[1].contains(
                "  wait for continuations to be resumed, in TelltaleMachinery next()  "),
            "\(lines)")
        #expect(lines[1].hasSuffix("  static Connection.serve(_:)"), "\(lines)")
        // A thread that runs just then may hold them, as far as can be seen.
        var answer = ""
        try waitUntil("the same is found again: \(answer)") {
            answer = try host.telltale(["--json", "\(host.pid)", "stuck"]).output
            return answer.contains(#""verdict":"blocked""#)
        }
        #expect(answer.contains(#""count":48,"#), "\(answer)")
        #expect(answer.contains(#""waitsIn":"TelltaleMachinery next()""#), "\(answer)")
    }

    @Test("both are in the dump")
    func dump() throws {
        // The till is blocked, and not asked for its contents.
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "500"])
        #expect(try host.perform("tasks stage") == "ready")
        _ = try settled(host, "tasks")
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " END ")
        let rows = text.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst(2).joined(separator: " ")
        }
        #expect(rows.contains { $0.hasPrefix("TASKS ") }, "\(text)")
        #expect(
            rows.contains { $0.contains(" stuck suspended continuation static TaskModes.") },
            "\(text)")
        #expect(rows.contains { $0.hasPrefix("ACTORS ") }, "\(text)")
        let till = rows.first { $0.hasPrefix("till: Till ") } ?? ""
        #expect(till.contains(" running on thread ") && till.contains(" 3 #"), "\(text)")
    }

    @Test("with the cooperative pool blocked tasks and actors are still listed")
    func wedged() throws {
        let host = try TestHost()
        #expect(try host.perform("tasks stage") == "ready")
        _ = try settled(host, "tasks")
        #expect(try host.perform("wedge cooperative") == "wedged")
        #expect(try host.perform("wedge main-lock") == "wedged")
        for command in ["tasks", "actors"] {
            // The quickest of three: a machine that tests run on may do other things too.
            var times: [Duration] = []
            repeat {
                let began = MonotonicTime.now
                let outcome = try host.telltale(
                    ["--timeout", "30s", "\(host.pid)", command])
                times.append(MonotonicTime.now.since(began))
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.contains(" customer 1"), "\(outcome.output)")
            } while times.count < 3 && !times.contains { $0 < .seconds(4) }
            #expect(times.contains { $0 < .seconds(4) }, "\(times)")
        }
    }

    @Test("five thousand tasks are listed")
    func many() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        #expect(try host.perform("tasks many 5000") == "ready")
        var times: [Double] = []
        for _ in 0..<4 {
            let began = MonotonicTime.now
            let outcome = try host.telltale(
                ["--json", "--timeout", "30s", "\(host.pid)", "tasks"])
            times.append(MonotonicTime.now.since(began).seconds)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.components(separatedBy: "\"many ").count - 1 == 5000)
        }
        print("5000 tasks over the client: \(times.sorted().map { Int($0 * 1000) }) ms")
    }

    @Test("an observed task is cancelled, its handler runs, and that is kept")
    func cancel() throws {
        let host = try TestHost()
        #expect(try host.perform("tasks observe") == "ready")
        try host.waitUntilLearnt()
        let listed = try host.telltale(["\(host.pid)", "tasks"]).output
        let number = try #require(
            line("observed", in: listed).split(separator: " ").first?.dropFirst())
        let outcome = try host.telltale(["\(host.pid)", "cancel", "task", String(number)])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("cancelled"), "\(outcome.output)")
        let changes = try host.telltale(["\(host.pid)", "changes"]).output
        #expect(changes.contains("task #\(number) observed"), "\(changes)")
        var after = " observed "
        try waitUntil("the task has gone from \(after)") {
            after = try host.telltale(["\(host.pid)", "tasks"]).output
            return !after.contains(" observed ")
        }
        try host.waitForError(containing: "AUDIT")
    }

    @Test("a task that isn't observed is not touched, and it is said why")
    func refused() throws {
        let host = try TestHost()
        #expect(try host.perform("tasks stage") == "ready")
        let listed = try settled(host, "tasks")
        let number = try #require(
            line("stuck", in: listed).split(separator: " ").first?.dropFirst())
        let outcome = try host.telltale(["\(host.pid)", "cancel", "task", String(number)])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Telltale.observe(task)"), "\(outcome.errors)")
        let unknown = try host.telltale(["\(host.pid)", "cancel", "task", "999999"])
        #expect(unknown.status == 1 && unknown.errors.contains("there is no task #999999"))
    }

    @Test("a read-only agent cancels nothing")
    func readOnly() throws {
        let host = try TestHost(environment: ["TELLTALE_MODE": "read-only"])
        #expect(try host.perform("tasks observe") == "ready")
        let outcome = try host.telltale(["\(host.pid)", "cancel", "task", "1"])
        #expect(outcome.status == 4, "\(outcome.errors)")
    }
}
#endif
