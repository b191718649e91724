import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A session whose service is started again, on a real terminal.
@Suite(
    .serialized, .timeLimit(.minutes(3)), .enabled(if: TmuxScreen.isInstalled, "tmux is missing"))
struct ReconnectScreenTests {
    @Test("a service that was killed and started again is said with its new pid, and answers")
    func restarted() throws {
        let folder = try TemporaryFolder("telltale-again")
        let name = "again"
        let environment = ["TELLTALE_DIRECTORY": folder.path, "TELLTALE_NAME": name]
        let first = try TestHost([], environment: environment)
        let screen = try TmuxScreen(
            try BuiltProgram.path(of: "telltale"), [name],
            environment: [
                "TELLTALE_DIRECTORY": folder.path, "NO_COLOR": "1", "INPUTRC": "/dev/null",
                "XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path,
            ], size: .small)
        func prompt(_ host: TestHost, _ mark: String = "") -> String {
            "\(name)(\(host.pid)\(mark))>"
        }
        try screen.wait("first prompt") { $0.last == prompt(first) }
        try screen.enter("get photos.items.count")
        let before = try screen.wait("value") { $0.count > 4 && $0.last == prompt(first) }
        first.end()
        try screen.clear()
        try screen.enter("status")
        try screen.wait("that it is lost") {
            $0.contains { $0.hasPrefix("error: \(name)(\(first.pid)) is lost: ") }
                && $0.last == prompt(first, ", lost")
        }
        let second = try TestHost([], environment: environment)
        #expect(second.pid != first.pid)
        try screen.clear()
        try screen.enter("get photos.items.count")
        let after = try screen.wait("new pid, and the answer") { $0.last == prompt(second) }
        #expect(
            after.dropFirst() == [
                "\(name)(\(first.pid)) has ended; connected to \(name)(\(second.pid))",
                before[before.count - 2], prompt(second),
            ], "\(after)")
        // It is not reported again.
        try screen.clear()
        try screen.enter("get photos.items.count")
        try screen.wait("the answer alone") {
            Array($0.dropFirst()) == [before[before.count - 2], prompt(second)]
        }
    }

    @Test("a service that ends while a watch runs ends the watch, and not the session")
    func watched() throws {
        let host = try TestHost([], environment: ["TELLTALE_NAME": "watched"])
        let screen = try TmuxScreen(
            try BuiltProgram.path(of: "telltale"), ["watched"],
            environment: [
                "TELLTALE_DIRECTORY": host.directory, "NO_COLOR": "1", "INPUTRC": "/dev/null",
                "XDG_STATE_HOME": host.directory, "XDG_CONFIG_HOME": host.directory,
            ], size: .small)
        try screen.waitForPrompt()
        try screen.enter("watch status --every 50ms")
        try screen.wait("watch") { $0.contains { $0.contains("running") } }
        host.end()
        try screen.wait("the prompt") { $0.last == "watched(\(host.pid), lost)>" }
        try screen.press("C-d")
        try screen.wait("end of the session") { $0.last == TmuxScreen.ended + "0" }
    }
}
