import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A service whose program has no symbols: functions without a name are module and offset.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct StrippedHostTests {
    private static func strip(into folder: TemporaryFolder) throws -> String {
        let stripped = "\(folder.path)/stripped-host"
        let strip = try StartedProgram(
            "/usr/bin/env",
            ["strip", "-o", stripped, try BuiltProgram.path(of: "telltale-test-host")])
        let soon = MonotonicTime.now.advanced(by: .seconds(120))
        _ = strip.readToEnd(until: soon)
        #expect(strip.waitUntilExit() == 0)
        return stripped
    }

    @Test("functions without a name are module and offset, wherever one is shown")
    func positions() throws {
        let folder = try TemporaryFolder("telltale-stripped")
        let host = try TestHost(
            program: try Self.strip(into: folder),
            environment: ["TELLTALE_OWNER_DEADLINE": "300"])
        try host.waitUntilLearnt()
        #expect(try host.perform("tasks stage") == "ready")
        try host.perform("dispatch stage")
        #expect(try host.perform("wedge queue-main-deadlock") == "wedged")
        let position = /stripped-host\+0x[0-9a-f]+/
        func show(_ arguments: String...) throws -> String {
            try host.telltale(["--timeout", "30s", "\(host.pid)"] + arguments).output
        }
        for command in ["stack", "tasks", "stuck", "dump"] {
            var text = ""
            try waitUntil("`\(command)` has positions: \(text)") {
                text = try show(command)
                return text.contains(position)
            }
            // No frame is an address that says nothing where the program is loaded elsewhere.
            #expect(!text.contains(/^ *[0-9]+ +0x[0-9a-f]+ *(in stripped-host)?$/), "\(text)")
        }
        let queue = try show("queue", "staged.held")
        #expect(queue.contains(position), "\(queue)")
        let tasks = try show("tasks").split(separator: "\n")
        #expect(tasks.contains { $0.contains(" stuck ") && $0.contains(position) }, "\(tasks)")
        let finding = try show("stuck").split(separator: "\n").dropFirst().first ?? ""
        #expect(finding.contains(position), "\(finding)")
        let answer = try host.telltale(["--json", "\(host.pid)", "stack"]).output
        #expect(answer.contains(#""module":"stripped-host","#) && answer.contains(#""offset":"0x"#))
    }
}
