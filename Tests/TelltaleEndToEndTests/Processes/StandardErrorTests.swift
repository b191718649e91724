import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A standard error without a reader: it costs lines, and never the host.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct StandardErrorTests {
    @Test("a service that starts says in one line how it is reached, unless it is told not to")
    func startLine() throws {
        let host = try TestHost(environment: ["TELLTALE_START_LINE": "1"])
        let line = try host.waitForError(containing: "telltale: ")
        #expect(
            line.hasSuffix(
                "(\(host.pid)) agent listening; attach with `telltale \(host.pid)`; socket "
                    + "\(try host.socketPath())\n"), "\(line)")
        let silent = try TestHost()
        silent.send(SIGUSR2)
        let said = try silent.waitForError(containing: "mode=")
        #expect(!said.contains("agent listening"), "\(said)")
    }

    @Test(
        "one that takes nothing costs the dump's lines, and neither the host nor its descriptor",
        arguments: ["deaf-pipe", "deaf-terminal"])
    func deaf(_ kind: String) throws {
        let host = try TestHost([kind])
        let before = try host.perform("errors")
        #expect(before.contains(kind == "deaf-terminal" ? " true " : " false "))
        // A terminal has room for some dumps first.
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        var info = ""
        while !info.contains("standard error took"), deadline > .now {
            host.send(SIGUSR1)
            host.send(SIGUSR2)
            // A line from a thread of the host's own.
            #expect(try host.perform("bad-name") == "refused")
            info = try host.telltale(["\(host.pid)", "info"]).output
        }
        #expect(info.contains("standard error took"), "\(info)")
        #expect(info.contains("dump d"))
        #expect(try host.perform("errors") == before)
        // Lines that could not be written can be asked for.
        let dump = try host.telltale(["\(host.pid)", "dump", "d1"])
        #expect(dump.output.contains(" d1 END "))
        // Neither waits for the other's lines.
        #expect(try host.perform("prompt") == "nil")
        #expect(try host.perform("stop") == "stopped")
        #expect(try host.perform("start") == "running")
    }
}
