import Foundation
import TelltaleTestSupport
import Testing

/// Long calls: abandoned, listed while they run, and their results afterwards.
@Suite(.timeLimit(.minutes(3)))
struct JobTests {
    private func ask(_ host: TestHost, _ arguments: String...) throws -> String {
        let outcome = try host.telltale(["\(host.pid)"] + arguments)
        return outcome.output + outcome.errors
    }

    private func wait(_ host: TestHost, for words: String...) throws {
        var last = ""
        try waitUntil("`jobs` says \(words)") {
            last = try ask(host, "jobs")
            return words.allSatisfy(last.contains)
        }
    }

    @Test("a call that its deadline gave up is a job; when it ends `changes` and the audit say so")
    func deadline() throws {
        let host = try TestHost(["methods"])
        #expect(try ask(host, "jobs") == "no running calls\n")
        let late = try host.telltale(
            ["--timeout", "300ms", "\(host.pid)", "call", "album.block(1.5)"])
        #expect(late.status == 5, "\(late)")
        #expect(late.errors.contains("it may still end, as job 1"), "\(late)")
        let running = try ask(host, "jobs")
        for words in ["album.block", "queue test.album", "runs, given up: its deadline passed"] {
            #expect(running.contains(words), "\(running)")
        }
        let refused = try host.telltale(["\(host.pid)", "cancel", "job", "1"])
        #expect(refused.status == 1 && refused.errors.contains("is not async"), "\(refused)")
        try wait(host, for: "ended", "done")
        try waitUntil("changes say so") {
            try ask(host, "changes").contains("ended after 1.5 s: done")
        }
        try host.waitForError(containing: "ended after 1.5 s: done")
    }

    @Test("the task of an async one is cancelled, and what it gives then is kept")
    func cancelled() throws {
        let host = try TestHost(["methods"])
        let late = try host.telltale(
            ["--timeout", "300ms", "\(host.pid)", "call", "album.linger(60)"])
        #expect(late.status == 5, "\(late)")
        #expect(
            late.errors.contains("its task was cancelled, and may still end, as job"), "\(late)")
        try wait(host, for: "album.linger", "ended", "done")
        let shown = try ask(host, "jobs", "1")
        #expect(shown.contains("album.linger: \"was cancelled\""), "\(shown)")
        let json = try host.telltale(["--json", "\(host.pid)", "jobs"]).output
        #expect(json.contains(#""state":"ended""#), "\(json)")
        #expect(json.contains(#""givenUp":"its deadline passed""#), "\(json)")
        let unknown = try host.telltale(["\(host.pid)", "jobs", "99"])
        #expect(unknown.status == 1 && unknown.errors.contains("there is no job 99"), "\(unknown)")
    }

    @Test("Ctrl-C gives a call up that has begun, at once, and its session goes on")
    func interrupted() throws {
        let host = try TestHost(["methods"])
        let terminal = try TerminalProgram(
            try BuiltProgram.path(of: "telltale"), ["--timeout", "30s", "\(host.pid)"],
            environment: [
                "TELLTALE_DIRECTORY": host.directory, "NO_COLOR": "1", "PAGER": "cat",
                "XDG_STATE_HOME": host.directory + "/state", "INPUTRC": "/dev/null",
            ])
        try terminal.wait(for: "> ")
        try terminal.type("call --yes album.hang()\n")
        try wait(host, for: "album.hang", "runs")
        try terminal.type("\u{3}")
        try terminal.wait(for: "interrupted")
        try wait(host, for: "ended", "threw CancellationError")
        let given = try ask(host, "changes")
        let json = try host.telltale(["--json", "\(host.pid)", "jobs"]).output
        #expect(json.contains(#""givenUp":"the client has gone""#), "\(json)")
        #expect(given.contains("CancellationError"), "\(given)")
        try terminal.type("get album.count\n")
        try terminal.wait(for: "album.count\r\n0")
    }

    @Test("another client cancels one that is still waited for, and its caller is answered")
    func fromAnother() throws {
        let host = try TestHost(["methods"])
        let client = try RawClient(try host.socketPath())
        client.send(line: "album.linger(60)")
        try wait(host, for: "album.linger", "runs")
        #expect(try ask(host, "cancel", "job", "1").contains("job 1 album.linger: cancelled"))
        let answer = try #require(client.line())
        #expect(answer.contains("was cancelled"), "\(answer)")
        #expect(try ask(host, "jobs") == "no running calls\n")
    }
}
