import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The built client as a shell runs it.
struct ClientOneShotTests {
    private let folder: TemporaryFolder
    private let agent: ScriptedAgent

    init() throws {
        folder = try TemporaryFolder("telltale-oneshot")
        agent = try ScriptedAgent(in: folder.path, name: "svc")
    }

    /// Runs a line in a shell with `$T` for the client.
    private func shell(_ line: String) throws -> (status: Int32, text: String) {
        let shell = try StartedProgram(
            "/bin/sh", ["-c", "exec 2>&1; " + line],
            environment: [
                "TELLTALE_DIRECTORY": folder.path, "T": try BuiltProgram.path(of: "telltale"),
            ])
        let bytes = try #require(shell.readToEnd(until: .now.advanced(by: .seconds(30))))
        return (shell.waitUntilExit(), String(decoding: bytes, as: UTF8.self))
    }

    @Test("it is one file that needs no library")
    func isStatic() throws {
        let path = try BuiltProgram.path(of: "telltale")
        let header = try #require(SmallFile.bytes(of: path, limit: 1 << 16))
        // A dynamic executable names its loader in its first page.
        #expect(!String(decoding: header, as: UTF8.self).contains("/ld-linux"))
    }

    @Test("a command, and the same from a script")
    func commands() throws {
        #expect(try shell("$T svc get x") == (0, "12\n"))
        #expect(try shell("printf 'get x\\nget y\\n' | $T svc -") == (0, "12\n12\n"))
        #expect(try shell("printf 'get x\\n' | $T svc") == (0, "12\n"))
        let failed = try shell("printf 'get x\\nobjects\\n' | $T svc -")
        #expect(failed.status == 1)
        #expect(failed.text.contains("line 2: nothing named 'objects'"))
    }

    @Test("wait ends as soon as the service can be reached, or when its time is over")
    func wait() throws {
        let reached = try shell("$T wait svc --for 20s")
        #expect(reached == (0, "svc(\(ProcessIdentity.pid))\n"))
        #expect(try shell("$T --quiet wait svc") == (0, ""))
        let before = MonotonicTime.now
        let late = try shell("$T wait nobody-of-this-name --for 300ms")
        #expect(late.status == 5 && late.text.contains("waited 300 ms"), "\(late)")
        #expect(MonotonicTime.now.since(before) >= .milliseconds(300))
        #expect(try shell("$T wait svc --for never").status == 2)
        #expect(try shell("$T wait svc more").status == 2)
    }

    @Test("standard input that is closed is said, and needed by scripts alone")
    func closedInput() throws {
        let script = try shell("$T svc - <&-")
        #expect(script.status == 2)
        #expect(script.text.contains("standard input is closed"))
        #expect(try shell("$T svc get x <&-") == (0, "12\n"))
    }

    @Test("a reader that goes away ends it as it ends any program")
    func brokenPipe() throws {
        let outcome = try shell("{ $T --help; echo status $? >&2; } | true")
        #expect(outcome.text == "status 141\n" || outcome.text == "status 0\n")
        let full = try shell("$T svc get x > /dev/full")
        #expect(full.status == 1)
        #expect(full.text.contains("No space left"))
        let closed = try shell("$T svc get x >&-")
        #expect(closed.status == 1)
        #expect(closed.text.contains("could not be written"))
    }

    @Test("every command's JSON is one document, failures too")
    func json() throws {
        for words in [
            "", "svc status", "svc get x", "svc objects", "svc get", "nobody status", "help",
            "--help", "--version", "--nonsense", "svc dump", "svc undo 1", "svc queues",
        ] {
            let text = try shell("$T --json \(words)").text
            #expect(throws: Never.self, "\(words): \(text)") {
                try JSONSerialization.jsonObject(with: Data(text.utf8))
            }
            #expect(text.filter { $0 == "\n" }.count == 1, "\(words)")
        }
    }

    @Test("a Swift process without an agent is listed on request, with what SIGUSR1 would do")
    func strangers() throws {
        // A client that waits for its script; a copy of it is another program.
        let path = folder.path + "/stranger"
        try FileManager.default.copyItem(
            atPath: try BuiltProgram.path(of: "telltale"), toPath: path)
        let outcome = try shell(
            #"""
            cd "$TELLTALE_DIRECTORY" && mkfifo script && exec 9<>script
            ./stranger svc - <script 9>&- & PID=$!
            for i in $(seq 200); do $T --all | grep -q "^$PID .*stranger" && break; sleep 0.1; done
            $T --all | grep "^$PID "; echo "usual:"; $T | grep "^$PID "; $T; kill $PID
            """#)
        let parts = outcome.text.components(separatedBy: "usual:\n")
        #expect(parts.first?.contains("stranger") == true, "\(outcome.text)")
        #expect(parts.first?.contains("no agent (a release build?): SIGUSR1 may end it") == true)
        #expect(parts.last?.contains("stranger") == false)
        // The remark on others stands only where no agent was found.
        #expect(parts.last?.contains("telltale --all") == false, "\(outcome.text)")
    }

    @Test("a process that has an agent is listed by its service's name, and clients are not")
    func agentless() throws {
        let minimal = try StartedProgram(
            try BuiltProgram.path(of: "telltale"), ["svc", "-"],
            environment: ["TELLTALE_DIRECTORY": folder.path])
        defer { minimal.send(StartedProgram.terminate) }
        // The tests themselves are a Swift program that calls no start().
        let row = try shell("$T").text.split(separator: "\n").first {
            $0.hasPrefix("\(ProcessIdentity.pid) ") && $0.contains("svc")
        }
        #expect(row != nil)
        let hidden = try shell("TELLTALE_DIRECTORY=/nonexistent $T").text
        #expect(!hidden.contains("\n\(minimal.pid) "), "clients are not listed")
    }

    @Test("colour follows --color and NO_COLOR")
    func color() throws {
        #expect(try !shell("$T svc nonsense").text.contains("\u{1b}"))
        #expect(try shell("$T --color always svc objects").text.contains("\u{1b}["))
        #expect(try !shell("NO_COLOR=1 $T --color never svc objects").text.contains("\u{1b}["))
    }
}
