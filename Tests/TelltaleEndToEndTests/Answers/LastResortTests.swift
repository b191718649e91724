import Foundation
import TelltaleTestSupport
import Testing

/// A semaphore that is signalled, a group that is left and timers that are brought forward from outside.
@Suite(.timeLimit(.minutes(3)))
struct LastResortTests {
    private func ask(_ host: TestHost, _ arguments: String...) throws -> TestHost.Outcome {
        try host.telltale(["\(host.pid)"] + arguments)
    }

    private func staged(_ environment: [String: String] = [:]) throws -> TestHost {
        let host = try TestHost(environment: environment)
        try host.perform("dispatch force")
        try waitUntil("a thread waits") {
            try ask(host, "show", "forced.semaphore").output.contains("value -1")
        }
        return host
    }

    /// The address of the timer that fires in about so many seconds.
    private func timer(_ host: TestHost, in seconds: Int) throws -> String {
        let text = try ask(host, "timers", "--json").output
        let all = text.components(separatedBy: "{")
        let one = try #require(
            all.first { $0.contains("\"firesInSeconds\":\(seconds).") }, "\(text)")
        return try #require(one.components(separatedBy: "\"").first { $0.hasPrefix("0x") })
    }

    @Test("each is confirmed first, done once to what is in use, and listed; others are refused")
    func forced() throws {
        let host = try staged()
        let first = try ask(host, "signal", "forced.semaphore")
        #expect(first.status == 4 && first.errors.contains("lets one in too many"), "\(first)")
        #expect(try host.perform("dispatch forced") == "")
        let signalled = try ask(host, "signal", "--yes", "forced.semaphore")
        #expect(signalled.output.contains("signalled, -1 -> 0"), "\(signalled)")
        try host.wait(for: "dispatch forced", toBe: "signalled")
        let again = try ask(host, "signal", "--yes", "forced.semaphore")
        #expect(again.status == 1 && again.errors.contains("no thread waits"), "\(again)")
        let left = try ask(host, "leave", "--yes", "forced.group")
        #expect(left.output.contains("left, 1 -> 0"), "\(left)")
        try host.wait(for: "dispatch forced", toBe: "signalled left")
        let empty = try ask(host, "leave", "--yes", "forced.group")
        #expect(empty.status == 1 && empty.errors.contains("would end the service"), "\(empty)")
        let changes = try ask(host, "changes").output
        for words in ["semaphore 0x", "(forced.group)", "left, 1 -> 0"] {
            #expect(changes.contains(words), "\(changes)")
        }
        #expect(try ask(host, "undo", "1").errors.contains("can't be"))
        try host.waitForError(containing: "by leave of")
        for wrong in ["0x10", "forced.queue", "forced.group", "0x7f0000000001", "forced.nothing"] {
            let outcome = try ask(host, "signal", "--yes", wrong)
            #expect(outcome.status != 0, "\(wrong): \(outcome)")
        }
        #expect(host.isRunning)
    }

    @Test("timers and delayed blocks run now, once, and go on in their interval")
    func fired() throws {
        let host = try staged()
        let fired = try ask(host, "fire", "--yes", "forced.timer")
        #expect(fired.output.contains("fires now, instead of in"), "\(fired)")
        try host.wait(for: "dispatch forced", toBe: "fired")
        try host.waitUntilLearnt()
        _ = try timer(host, in: 3999)
        let delayed = try timer(host, in: 4999)
        let walled = try timer(host, in: 5999)
        #expect(try ask(host, "fire", "--yes", delayed).status == 0)
        try host.wait(for: "dispatch forced", toBe: "fired delayed")
        #expect(try ask(host, "fire", "--yes", walled).status == 0)
        try host.wait(for: "dispatch forced", toBe: "fired delayed walled")
        let gone = try ask(host, "fire", "--yes", delayed)
        #expect(gone.status == 1, "\(gone)")
        #expect(host.isRunning)
    }

    @Test(
        "they are refused with status 4 where nothing may be changed, or a rule says so",
        arguments: [
            ["TELLTALE_MODE": "read-only"], ["TELLTALE_DENY": "signal,leave forced.*,fire"],
        ])
    func denied(_ environment: [String: String]) throws {
        let host = try staged(environment)
        for line in [
            ["signal", "forced.semaphore"], ["leave", "forced.group"], ["fire", "0x10"],
        ] {
            let outcome = try ask(host, line[0], "--yes", line[1])
            #expect(outcome.status == 4 && outcome.errors.contains("refused"), "\(outcome)")
        }
        #expect(try host.perform("dispatch forced") == "")
    }
}
