import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleShell

struct ScriptTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("telltale-script") }

    private func run(
        _ text: String, json: Bool = false,
        script: @escaping ScriptedAgent.Script = ScriptedAgent.usual
    ) throws -> (status: Int32, output: RecordedOutput, agent: ScriptedAgent) {
        let agent = try ScriptedAgent(in: folder.path, script: script)
        defer { unlink(agent.path) }
        let connection = try AgentConnection(
            connectingTo: AgentLocation(path: agent.path), deadline: .now.advanced(by: .seconds(5)))
        let output = RecordedOutput()
        let plain = TextStyle(color: false, width: nil)
        var script = Script(
            runner: CommandRunner(), connection: connection,
            presentation: Presentation(json: json, style: plain, errorStyle: plain), output: output)
        let pipe = Pipe()
        // A pipe holds less than the longest of the scripts. SIGPIPE: one that fails is not read on.
        DescriptorWriter.ignoreBrokenPipes()
        Thread.detachNewThread {
            try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try? pipe.fileHandleForWriting.close()
        }
        return (
            script.run(DescriptorReader(pipe.fileHandleForReading.fileDescriptor)), output, agent
        )
    }

    @Test("answers come in order, comments and empty lines are nothing, nothing is echoed")
    func answers() throws {
        let (status, output, agent) = try run("# first\n\n  get a\nget b\r\nget c")
        #expect(status == 0)
        #expect(output.text == "12\n12\n12\n")
        #expect(agent.requests.count == 3)
    }

    @Test("a line of a script can ask for JSON by itself, in quotes it is a value")
    func jsonLine() throws {
        let (status, output, agent) = try run("get a\nget a --json\nset a \"--json\"\nget b\n")
        let lines = output.text.split(separator: "\n")
        #expect(lines.first == "12" && lines[1].hasPrefix("{\"version\":"), "\(output.text)")
        #expect(agent.requests[1].params["path"] == agent.requests[0].params["path"])
        // Objects that lead back are one line of text, and whole in JSON.
        #expect(agent.requests[0].params["brief"] == .bool(true))
        #expect(agent.requests[1].params["brief"] == nil)
        #expect(agent.requests[2].params["value"] == .string("\"--json\""))
        #expect(status == 1, "the scripted agent sets nothing")
        let failed = try run("nothing-of-that-name --json\n").output
        #expect(failed.text.contains("\"error\"") && failed.errorText.isEmpty, "\(failed.text)")
    }

    @Test("the first failure ends it, with the line's number and its exit status")
    func failure() throws {
        let (status, output, agent) = try run("get a\n# c\nobjects\nget b\n")
        #expect(status == 1)
        #expect(output.text == "12\n")
        #expect(output.errorText.hasPrefix("error: line 3: "))
        #expect(output.errorText.hasSuffix("\n  the lines after it are not run\n"))
        #expect(agent.requests.map(\.method) == ["get", "objects"])
        #expect(try run("get a\nget\n").status == 2)
    }

    @Test("what stuck finds ends nothing, and is the exit status unless something failed later")
    func finding() throws {
        let stuck = ScriptedAgent.Reaction.answer(
            StuckAnswer(verdict: .blocked, captures: 2, milliseconds: 300))
        let script: ScriptedAgent.Script = { request in
            request.method == "stuck" ? stuck : ScriptedAgent.usual(request)
        }
        let (status, output, _) = try run("stuck\nget a\nquit\n", script: script)
        #expect(status == 7)
        #expect(output.text.hasSuffix("\n12\n") && output.errorText.isEmpty)
        #expect(try run("stuck\nobjects\nget a\n", script: script).status == 1)
    }

    @Test("quit ends it")
    func quit() throws {
        let (status, output, _) = try run("get a\nquit\nget b\n")
        #expect(status == 0 && output.text == "12\n")
    }

    @Test("as JSON it is one array, also where it fails, and where it is empty")
    func json() throws {
        func array(_ text: String) throws -> [[String: Any]] {
            let output = try run(text, json: true).output
            #expect(output.errorText.isEmpty)
            return try #require(
                JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [[String: Any]])
        }
        #expect(try array("get a\nget b\n").count == 2)
        #expect(try array("").isEmpty)
        let failed = try array("get a\nobjects\nget b\n")
        #expect(failed.count == 2)
        #expect((failed.last?["error"] as? [String: Any])?["line"] as? Int == 2)
    }

    @Test("a line that is too long, and one that is not UTF-8, are said")
    func badLines() throws {
        #expect(try run(String(repeating: "x", count: (1 << 20) + 70_000)).status == 5)
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data([0x67, 0xff, 10]))
        try pipe.fileHandleForWriting.close()
        var reader = DescriptorReader(pipe.fileHandleForReading.fileDescriptor)
        #expect(try reader.next() == [0x67, 0xff])
        #expect(try reader.next() == nil)
    }
}
