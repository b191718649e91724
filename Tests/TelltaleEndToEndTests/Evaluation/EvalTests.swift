import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Swift source that is compiled by the client and run in a host.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EvalTests {
    /// Beside the programs that were built, so that the compiler's cache is made once.
    static func cache() throws -> String {
        let client = URL(fileURLWithPath: try BuiltProgram.path(of: "telltale"))
        let cache = client.deletingLastPathComponent().appendingPathComponent("eval-cache")
        return cache.path
    }

    private static func environment() throws -> [String: String] {
        ["XDG_CACHE_HOME": try cache()]
    }

    private static func eval(
        _ code: String, in host: TestHost, _ options: [String] = [], limit: String = "20s"
    ) throws -> TestHost.Outcome {
        try host.telltale(
            ["--timeout", limit, "\(host.pid)", "eval"] + options + [code],
            environment: environment())
    }

    /// Runs the lines of a script in one connection.
    private static func script(_ lines: [String], in host: TestHost) throws -> TestHost.Outcome {
        try host.shell(
            #"printf '%s\n' "$@" | "$TELLTALE_CLIENT" "$PID" -"#, arguments: lines,
            environment: environment())
    }

    @Test(
        "the value of the last expression is the answer",
        arguments: [
            ("1 + 2", "3"), ("photos.items.filter { $0.size > 2000 }.count", "2"),
            (#"photos.items.map(\.title).first"#, "\"Overly Attached Girlfriend\""),
            ("photos.hidden", "7"), ("if photos.items.isEmpty { 1 } else { \"x\" }", "\"x\""),
            ("var n = 0; while n < 5 { n += 1 }; return n", "5"),
            ("import Foundation; Date(timeIntervalSince1970: 0).description", "1970-01-01"),
            ("URL(string: \"https://example.org/a\")?.host", "\"example.org\""),
            ("try await Task.sleep(for: .milliseconds(5)); return 7", "7"),
            ("view.title", "\"main\""), ("await MainActor.run { 4 }", "4"),
            ("struct Pair { var a = 1 }; Pair().a", "1"),
            ("photos.ratings[\"a b\"]", "3"),
            ("for photo in photos.items { photo.size += 1 }", "done"),
        ])
    func values(code: String, text: String) throws {
        let host = try TestHost()
        let outcome = try Self.eval(code, in: host)
        #expect(outcome.status == 0, "\(code): \(outcome.errors)")
        #expect(outcome.output.contains(text), "\(code): \(outcome.output)")
    }

    @Test("what is changed is changed in the service, and `changes` has who and what")
    func changes() throws {
        let host = try TestHost()
        #expect(try Self.eval("photos.prompt = \"WOOT!\"", in: host).status == 0)
        let value = try host.telltale(["\(host.pid)", "get", "photos.prompt"]).output
        #expect(value.contains("\"WOOT!\""))
        let changes = try host.telltale(["\(host.pid)", "changes"]).output
        #expect(
            changes.contains("eval") && changes.contains("photos.prompt = \"WOOT!\""), "\(changes)")
    }

    @Test("declarations and results last for the connection")
    func session() throws {
        let host = try TestHost()
        let outcome = try Self.script(
            [
                "eval let old = photos.items.count", "eval old + 1", "eval $1 * 10",
                "eval extension PhotoLibrary { func slowest() -> Photo? { items.max { $0.size < $1.size } } }",
                "eval photos.slowest()?.size", "eval let old = 40", "eval old + 2",
                "eval func twice(_ n: Int) -> Int { n * 2 }", "eval twice(old)",
            ], in: host)
        #expect(outcome.status == 0, "\(outcome.errors)")
        for text in ["$0: 3 ", "$1: 4 ", "$2: 40 ", "$3: 5600 ", "$4: 40 ", "$5: 42 ", "$6: 80 "] {
            #expect(outcome.output.contains(text), "\(text) in \(outcome.output)")
        }
    }

    @Test(
        "an error of the compiler has line, column and caret, and nothing is run",
        arguments: [
            ("photos.itms", "eval:1:8: value of type 'PhotoLibrary' has no member 'itms'", "^~~~"),
            ("let x: Int = \"a\"", "eval:1:14: cannot convert value", "^"),
            ("photos.items\nphotos.nope", "eval:2:8: value of type", "^~~~"),
            ("1 +", "expected expression after operator", "^"),
        ])
    func errors(code: String, message: String, caret: String) throws {
        let host = try TestHost()
        let outcome = try Self.eval(code, in: host)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.contains(caret), "\(outcome.errors)")
        #expect(try !host.telltale(["\(host.pid)", "changes"]).output.contains("eval"))
    }

    @Test("traps, ends and errors end the evaluation, and the service goes on")
    func traps() throws {
        let host = try TestHost()
        let cases = [
            ("photos.items[99]", "SIGILL"), ("photos.items[99].size = 1", "SIGILL"),
            ("fatalError(\"hm\")", "SIGILL"),
            ("let a = [1]; return a[photos.items.count]", "SIGILL"),
            ("abort()", "SIGABRT"), ("UnsafePointer<Int>(bitPattern: 8)!.pointee", "SIGSEGV"),
            ("func sink(_ n: Int) -> Int { sink(n + 1) + 1 }; return sink(1)", "SIGSEGV"),
            ("exit(3)", "called exit(3)"),
            ("throw CancellationError()", "threw: CancellationError()"),
            ("await Task.yield(); fatalError(\"in a task\")", "SIGILL"),
            ("(nil as Int?)!", "SIGILL"), ("Int.max + photos.items.count", "SIGILL"),
        ]
        for (code, text) in cases {
            let outcome = try Self.eval(code, in: host)
            #expect(outcome.status == 1, "\(code): \(outcome.errors)")
            #expect(outcome.errors.contains(text), "\(code): \(outcome.errors)")
            // The owner is free again.
            #expect(
                try host.telltale(["\(host.pid)", "get", "photos.items.count"]).output == "3\n")
        }
        #expect(try host.perform("intact") == host.perform("intact"))
    }

    @Test("an endless loop is ended at its deadline, and a wait is not waited for")
    func deadlines() throws {
        let host = try TestHost()
        let loop = try Self.eval("while true {}", in: host, limit: "1s")
        #expect(
            loop.status == 5 && loop.errors.contains("was ended in the middle"), "\(loop.errors)")
        let task = try Self.eval("await Task.yield(); while true {}", in: host, limit: "1s")
        #expect(task.status == 5, "\(task.errors)")
        #expect(task.errors.contains("was ended in the middle"), "\(task.errors)")
        let wait = try Self.eval(
            "import Dispatch; DispatchSemaphore(value: 0).wait()", in: host, limit: "1s")
        #expect(wait.status == 5 && wait.errors.contains("as job"), "\(wait.errors)")
        #expect(try host.telltale(["\(host.pid)", "jobs"]).output.contains("eval"))
        #expect(try Self.eval("6 * 7", in: host).output.contains("42"))
    }

    @Test("code runs on the owner of what it names, and on one of several only if it is told")
    func owners() throws {
        let host = try TestHost()
        let several = try Self.eval("photos.items.count + cache.values.count", in: host)
        #expect(several.status == 2)
        #expect(
            several.errors.contains(
                "several owners: photos (queue test.photos, concurrent), cache (lock)"))
        let one = try Self.eval(
            "photos.items.count + cache.values.count", in: host, ["--on", "none"])
        #expect(one.output.contains(": 4 "), "\(one.output) \(one.errors)")
        let waiting = try Self.eval("await Task.yield(); return photos.items.count", in: host)
        #expect(waiting.status == 2 && waiting.errors.contains("can't stay on the owner of photos"))
        let main = try Self.eval(
            "import Dispatch; dispatchPrecondition(condition: .onQueue(.main)); return true",
            in: host, ["--on", "main"])
        #expect(main.output.contains("true"), "\(main.output) \(main.errors)")
    }

    @Test("a read-only agent refuses, and a secret is shown neither in the answer nor in a record")
    func refused() throws {
        let closed = try TestHost(environment: ["TELLTALE_MODE": "read-only"])
        let refusal = try Self.eval("1", in: closed)
        #expect(refusal.status == 4 && refusal.errors.contains("read-only"), "\(refusal.errors)")
        let restricted = try TestHost(environment: ["TELLTALE_DENY": "set photos.prompt"])
        let denied = try Self.eval("1", in: restricted)
        #expect(
            denied.status == 4 && denied.errors.contains("set photos.prompt"), "\(denied.errors)")
        let host = try TestHost()
        let shown = try Self.eval("photos.apiToken", in: host)
        #expect(shown.output.contains("<masked>") && !shown.output.contains("PLANTED"))
        #expect(try Self.eval("photos.apiToken.count", in: host).output.contains(": 19 "))
        _ = try Self.eval("photos.apiToken = \"PLANTED-NEW\"", in: host)
        let changes = try host.telltale(["\(host.pid)", "changes"]).output
        #expect(changes.contains("photos.apiToken = \"<masked>\"") && !changes.contains("PLANTED"))
    }

    @Test("the source comes from a file or from standard input too, and --check runs nothing")
    func sources() throws {
        let host = try TestHost()
        let folder = try TemporaryFolder("telltale-eval-test")
        let file = "\(folder.path)/code.swift"
        try Data("let sizes = photos.items.map(\\.size)\nreturn sizes.max()\n".utf8)
            .write(to: URL(fileURLWithPath: file))
        let read = try host.telltale(
            ["\(host.pid)", "eval", "--file", file], environment: Self.environment())
        #expect(read.output.contains("5600"), "\(read.errors)")
        let piped = try host.shell(
            #"echo 'photos.items.count' | "$TELLTALE_CLIENT" "$PID" eval -"#,
            environment: Self.environment())
        #expect(piped.output.contains(": 3 "), "\(piped.errors)")
        let check = try host.telltale(
            ["\(host.pid)", "eval", "--check"], environment: Self.environment())
        #expect(check.output.contains("code can be evaluated here"))
        #expect(check.output.contains("telltale_test_host"))
        let none = try host.telltale(
            ["\(host.pid)", "eval", "1"],
            environment: Self.environment().merging(["TELLTALE_TOOLCHAIN": "/nowhere"]) { $1 })
        #expect(none.status == 1 && none.errors.contains("no Swift toolchain"), "\(none.errors)")
    }

    @Test("thirty evaluations of one connection leave no descriptor and no thread")
    func footprint() throws {
        let host = try TestHost()
        _ = try Self.script(["eval 1"], in: host)
        let before = try host.footprintAtRest()
        let outcome = try Self.script((0..<30).map { "eval \($0) + photos.items.count" }, in: host)
        #expect(
            outcome.output.contains("$29: 32 "), "\(outcome.output.suffix(200)) \(outcome.errors)")
        try waitUntil("it has what it had") {
            let now = try #require(HostFootprint(of: host.pid))
            return now.descriptors <= before.descriptors && now.threads <= before.threads
        }
    }
}
