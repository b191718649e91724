import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Swift source that is typed in a session, on a real terminal.
@Suite(
    .serialized, .timeLimit(.minutes(3)), .enabled(if: TmuxScreen.isInstalled, "tmux is missing"))
struct EvalScreenTests {
    @Test("a line other than a command, path, call or assignment is Swift, over several lines too")
    func session() throws {
        let host = try TestHost()
        let homes = try TemporaryFolder("telltale-homes")
        let screen = try TmuxScreen(
            try BuiltProgram.path(of: "telltale"), ["--no-pager", "\(host.pid)"],
            environment: [
                "TELLTALE_DIRECTORY": host.directory, "NO_COLOR": "1", "INPUTRC": "/dev/null",
                "XDG_STATE_HOME": homes.path, "XDG_CONFIG_HOME": homes.path,
                "XDG_CACHE_HOME": try EvalTests.cache(), "PATH": Spawn.environment()["PATH"] ?? "",
            ], size: .large)
        try screen.waitForPrompt()
        func type(_ lines: String..., shows text: String) throws {
            for line in lines { try screen.enter(line) }
            try screen.wait(text) { $0.suffix(6).contains { $0.contains(text) } }
            try screen.waitForPrompt()
        }
        try type(#"photos.items.map(\.size).max()"#, shows: "$0: 5600  (")
        try type("$0.map { $0 + 1 }", shows: "$1: 5601  (")
        try type("let old = photos.items.count", shows: "$2: 3  (")
        try type("old", shows: "$3: 3  (")
        try type(
            "func twice(_ n: Int) -> Int {", "let m = n * 2", "return m", "}", shows: "done  (")
        try type("twice(old) + 1", shows: "$4: 7  (")
        try type("photos.prompt = \"WOOT!\"", shows: "undo ")
        try type("photos.itms", shows: "did you mean items?")
        try type("dmup", shows: "did you mean dump?")
        try screen.enter("while true {}")
        // Ctrl-C ends it wherever it is: in the compiler, or in the service.
        try screen.wait("the line") { $0.contains { $0.hasSuffix("> while true {}") } }
        try screen.press("C-c")
        try screen.waitForPrompt()
        try type("get photos.items.count", shows: "3")
        let jobs = try host.telltale(["\(host.pid)", "jobs"]).output
        #expect(jobs.contains("no running calls"), "\(jobs)")
    }
}
