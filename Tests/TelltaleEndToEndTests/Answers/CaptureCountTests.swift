#if os(Linux) && arch(x86_64)
import Foundation
import TelltaleTestSupport
import Testing

/// The number of captures and searches of a command: once, as `info` counts it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct CaptureCountTests {
    private struct Counts: Equatable {
        var captures: Int
        var scans: Int
    }

    private func counts(_ host: TestHost) throws -> Counts {
        let info = try host.telltale(["\(host.pid)", "info"]).output
        // "  captures     3, with 2 scans of the memory"
        let line = try #require(
            info.split(separator: "\n").first { $0.contains(" captures ") }, "\(info)")
        let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
        try #require(numbers.count == 2, "\(line)")
        return Counts(captures: numbers[0], scans: numbers[1])
    }

    /// Returns the counts that `body` adds.
    private func added(_ host: TestHost, _ body: () throws -> Void) throws -> Counts {
        let before = try counts(host)
        try body()
        let after = try counts(host)
        return Counts(
            captures: after.captures - before.captures, scans: after.scans - before.scans)
    }

    @Test("a dump of a healthy host takes one search, and threads twice, whoever asks for it")
    func dumps() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        let asked = try added(host) {
            let dump = try host.telltale(["\(host.pid)", "dump"])
            #expect(dump.status == 0, "\(dump.errors)")
            let said = dump.output.split(separator: "\n").filter { $0.contains(" CAPTURED ") }
            #expect(said.count == 1, "\(dump.output)")
        }
        #expect(asked == Counts(captures: 2, scans: 1))
        let signalled = try added(host) {
            host.send(SIGUSR1)
            try host.waitForError(containing: " END ")
        }
        #expect(signalled == Counts(captures: 2, scans: 1))
    }

    @Test(
        "no command captures a healthy host more than once",
        arguments: [
            ["threads"], ["stack"], ["queues"], ["queue", "test.photos"], ["tasks"],
            ["tasks", "--full"], ["actors"], ["operations"], ["groups"], ["semaphores"],
            ["timers"], ["status"], ["stuck"],
        ])
    func commands(words: [String]) throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        let counts = try added(host) {
            let outcome = try host.telltale(["\(host.pid)"] + words)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(counts.captures == 1)
        #expect(counts.scans <= 1)
    }
}
#endif
