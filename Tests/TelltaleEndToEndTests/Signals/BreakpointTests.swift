import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A debugger that stops where a dump is made finds the objects by the addresses that the service told.
@Suite(.timeLimit(.minutes(5)))
struct BreakpointTests {
    @Test(
        "gdb stops in telltale_breakpoint and finds an object by its address",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gdb"), "gdb is missing")
    )
    func gdb() throws {
        let host = try TestHost()
        let listed = try host.telltale(["\(host.pid)", "objects"]).output
        let place = try #require(
            listed.firstMatch(of: /photos +PhotoLibrary .*(0x[0-9a-f]+)/), "\(listed)")
        let address = String(place.1)
        // gdb takes every signal first; those of the agent are none of its business.
        let gdb = try StartedProgram(
            "/usr/bin/timeout",
            ["120", "/usr/bin/gdb", "-nx", "-p", "\(host.pid)", "-batch"]
                + [
                    "set pagination off", "handle SIGUSR1 SIGCONT nostop noprint pass",
                    "break telltale_breakpoint", "continue", "backtrace 3",
                    "printf \"class: \"", "info symbol *(long *)\(address)",
                    "detach",
                ].flatMap { ["-ex", $0] })
        // Either report says so: which one depends on how long gdb has held it, and a pause shorter
        // than a second is none. It runs again, so that the breakpoint is set.
        try host.waitForError(containing: "gdb(")
        host.send(SIGUSR1)
        let bytes = try #require(gdb.readToEnd(until: .now.advanced(by: .seconds(130))))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(gdb.waitUntilExit() == 0, "\(text.suffix(2_000))")
        #expect(text.contains("hit Breakpoint 1"), "\(text.suffix(2_000))")
        #expect(text.contains("#0  telltale_breakpoint"), "\(text.suffix(2_000))")
        let found = try #require(text.firstMatch(of: /class: (.*)/), "\(text.suffix(2_000))")
        #expect(found.1.contains("PhotoLibrary"), "\(found.1)")
        // The host continues.
        try host.waitForError(containing: " END ")
        #expect(try host.telltale(["\(host.pid)", "info"]).status == 0)
    }
}
