import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A session on a real terminal, at the two usual sizes.
@Suite(
    .serialized, .timeLimit(.minutes(3)), .enabled(if: TmuxScreen.isInstalled, "tmux is missing"))
struct SessionScreenTests {
    private let folder: TemporaryFolder
    private let homes: TemporaryFolder
    private let agent: ScriptedAgent
    /// No other agent of the machine may bear it, and each of its runs is as wide.
    private let name = "screen"

    init() throws {
        folder = try TemporaryFolder("telltale-screen")
        homes = try TemporaryFolder("telltale-homes")
        agent = try ScriptedAgent(in: folder.path, name: name) { request in
            let path: String
            if case .string(let text)? = request.params["path"] { path = text } else { path = "" }
            switch (request.method, path) {
            case ("show", _):
                let count = Int(path.drop { !$0.isNumber }) ?? 0
                let children = (0..<count).map {
                    ValueNode(label: "[\($0)]", type: "Int", kind: .scalar, text: "line \($0)")
                }
                let list = ValueNode(type: "[Int]", kind: .array, count: count, children: children)
                return .answer(
                    ValueAnswer(path: path, value: list, owner: "none", read: "in place"))
            case ("objects", _):
                let names = ["photos", "写真館", "🏞🏔", "café"]
                return .answer(
                    ObjectsAnswer(
                        objects: names.map {
                            .init(
                                name: $0, type: "Type\($0.count)", owner: "queue 待ち行列 \($0)",
                                state: "alive", address: "0x1000")
                        }))
            case ("complete", let half) where half.hasPrefix("many."):
                let names = (100..<250).map { "many.member\($0)" }
                return .answer(
                    CompletionAnswer(
                        candidates: names, types: names.map { _ in "Int" }, isCut: false))
            case ("complete", _):
                let names = ["photos.id", "photos.情報", "photos.title"].filter {
                    $0.hasPrefix(path)
                }
                let types = ["photos.id": "Int", "photos.情報": "[String: Int]"]
                return .answer(
                    CompletionAnswer(
                        candidates: names, types: names.map { types[$0] ?? "String" },
                        isCut: false))
            default: return ScriptedAgent.usual(request)
            }
        }
    }

    private func start(
        _ size: TmuxScreen.Size, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> TmuxScreen {
        let usual = [
            "TELLTALE_DIRECTORY": folder.path, "NO_COLOR": "1", "PAGER": "less", "LESS": "",
            "XDG_STATE_HOME": homes.path, "XDG_CONFIG_HOME": homes.path, "INPUTRC": "/dev/null",
        ]
        let screen = try TmuxScreen(
            try BuiltProgram.path(of: "telltale"), options + [name],
            environment: usual.merging(environment) { $1 }, size: size)
        try screen.waitForPrompt()
        return screen
    }

    private var prompt: String { "\(name)(\(ProcessIdentity.pid))>" }

    @Test("the first screen is two lines and the prompt", arguments: TmuxScreen.Size.both)
    func first(size: TmuxScreen.Size) throws {
        let screen = try start(size)
        #expect(
            try screen.rows() == [
                "\(name) (pid \(ProcessIdentity.pid)), up 1m30s, 84 MiB, read-write",
                "doctor: what is wrong   objects: what there is   PATH: a value   help   quit",
                prompt,
            ])
        try screen.press("C-d")
        try screen.wait("end of the session") { $0.last == TmuxScreen.ended + "0" }
    }

    @Test("what fills the screen is paged, what fits is not", arguments: TmuxScreen.Size.both)
    func pager(size: TmuxScreen.Size) throws {
        let screen = try start(size)
        // With its heading as many lines as the screen has but one, for the prompt.
        let fitting = size.rows - 2
        try screen.enter("show list\(fitting)")
        let whole = try screen.wait("answer") {
            $0.contains("  [\(fitting - 1)]: line \(fitting - 1)") && $0.last == prompt
        }
        #expect(whole.count == size.rows && whole[0].hasPrefix("list\(fitting): [Int]"), "\(whole)")
        try screen.clear()
        try screen.enter("show list200")
        let firstPage = try screen.wait("first page") { $0.last == ":" }
        let lines = (0..<200).map { "  [\($0)]: line \($0)" }
        #expect(Array(firstPage.dropFirst().dropLast()) == Array(lines.prefix(size.rows - 2)))
        try screen.type(" ")
        let next = try screen.wait("next page") { $0.first == lines[size.rows - 2] }
        #expect(next.dropLast() == lines[(size.rows - 2)..<(2 * size.rows - 3)])
        try screen.type("q")
        // The pager gives the screen back.
        let after = try screen.wait("session") { $0.last == prompt }
        #expect(after == ["\(prompt) show list200", prompt])
        try screen.enter("get x")
        try screen.wait("answer") { $0.suffix(2) == ["12", prompt] }
    }

    @Test(
        "a window that is made smaller and larger again has each answer fit, and keeps what is typed"
    )
    func resizing() throws {
        let screen = try start(.large)
        try screen.enter("status")
        let wide = try screen.wait("status") { $0.last == prompt && $0.count > 4 }
        #expect(wide.count { $0.contains("running") } == 1 && wide.count == 5, "\(wide)")
        try screen.type("get photos.items.count")
        try screen.wait("half-typed line") { $0.last?.hasSuffix("count") == true }
        try screen.resize(to: .small)
        try screen.wait("the half-typed line") { $0.last == "\(prompt) get photos.items.count" }
        try screen.press("Enter")
        try screen.wait("answer") { $0.suffix(2) == ["12", prompt] }
        // 40 lines, which a screen of 50 shows.
        try screen.clear()
        try screen.enter("show list40")
        try screen.wait("page") { $0.last == ":" }
        try screen.resize(to: .large)
        // tmux tells the terminal a moment later.
        try screen.wait("page at the new size") { $0.last == "(END)" }
        try screen.type("q")
        try screen.waitForPrompt()
        try screen.clear()
        try screen.enter("show list40")
        try screen.wait("whole answer") { $0.count == 43 && $0.last == prompt }
        try screen.resize(to: .small)
        try screen.clear()
        try screen.enter("status")
        try screen.wait("status") { $0.last == prompt && $0.count > 2 }
        let narrow = try screen.allRows(joined: true)
        #expect(narrow == (try screen.allRows()), "the terminal has wrapped a line")
        #expect(narrow.count > 3 && narrow.joined().contains("mode=read-write"), "\(narrow)")
    }

    @Test("a watch is redrawn at the size that its window has by then")
    func watch() throws {
        let screen = try start(.large)
        try screen.enter("watch status --every 50ms")
        try screen.wait("one line") {
            $0.contains { $0.contains("running") && $0.contains("mode=") }
        }
        try screen.resize(to: .small)
        let narrow = try screen.wait("several lines") {
            $0.contains { $0.contains("running") && !$0.contains("mode=") }
                && $0.contains { $0.hasSuffix("mode=read-write") }
        }
        #expect(narrow.count { $0.contains("running") } == 1, "\(narrow)")
        try screen.press("C-c")
        // Not behind the `^C` that the terminal shows.
        try screen.wait("the prompt on a line of its own") { $0.last == prompt }
        try screen.enter("get x")
        try screen.wait("answer") { $0.suffix(2) == ["12", prompt] }
    }

    @Test(
        "wide characters and emoji stand in their columns, and are edited as one",
        arguments: TmuxScreen.Size.both)
    func wide(size: TmuxScreen.Size) throws {
        let screen = try start(size)
        try screen.clear()
        try screen.enter("objects")
        let rows = try screen.wait("table") { $0.last == prompt && $0.count > 5 }
        // The fourth column is the same for all: each wide character takes two.
        #expect(
            rows[1...4] == [
                "NAME    TYPE   STATE  ADDRESS", "photos  Type6  alive  0x1000",
                "    owner queue 待ち行列 photos", "写真館  Type3  alive  0x1000",
            ]
                || rows[1...5] == [
                    "NAME    TYPE   OWNER                  STATE  ADDRESS",
                    "photos  Type6  queue 待ち行列 photos  alive  0x1000",
                    "写真館  Type3  queue 待ち行列 写真館  alive  0x1000",
                    "🏞🏔    Type2  queue 待ち行列 🏞🏔    alive  0x1000",
                    "café    Type4  queue 待ち行列 café    alive  0x1000",
                ], "\(rows.joined(separator: "\n"))")
        try screen.type("get 写真🏔x")
        try screen.press("Left", "BSpace", "BSpace")
        try screen.type("山")
        try screen.wait("edited line") { $0.last == "\(prompt) get 写山x" }
        try screen.press("Enter")
        try screen.wait("answer") { $0.suffix(2) == ["12", prompt] }
        #expect(agent.requests.last?.params["path"] == .string("写山x"))
    }

    @Test(
        "a list has the types beside the names, and asks before it floods the screen",
        arguments: TmuxScreen.Size.both)
    func completion(size: TmuxScreen.Size) throws {
        let screen = try start(size)
        try screen.clear()
        try screen.type("get photos.")
        try screen.wait("half-typed line") { $0.last?.hasSuffix("photos.") == true }
        try press("Tab", on: screen) { $0.count > 1 }
        let list = try screen.wait("list, and the line again") {
            $0.last == "\(prompt) get photos." && $0.count > 1
        }
        #expect(
            list.dropFirst().dropLast().joined(separator: "\n").split(
                whereSeparator: \.isWhitespace)
                == ["id", "Int", "情報", "[String:", "Int]", "title", "String"], "\(list)")
        #expect(list[1].hasPrefix("id     Int"), "\(list)")
        try screen.type("t")
        try press("Tab", on: screen) { $0.last == "\(prompt) get photos.title" }
        try screen.press("C-c")
        try screen.waitForPrompt()
        // By the answer no, and by Ctrl-C, which the session outlives.
        for key in ["n", "C-c"] {
            try screen.clear()
            try screen.type("get many.")
            try press("Tab", on: screen) { $0.last?.hasPrefix("Display all 150") == true }
            try screen.press(key)
            try screen.wait("the line or the prompt") {
                $0.last == (key == "n" ? "\(prompt) get many.member" : prompt)
            }
            try screen.press("C-c")
            try screen.waitForPrompt()
        }
        try screen.enter("get x > \(homes.path)/out; get x | tr 12 34")
        try screen.wait("answer of the second") { $0.suffix(2) == ["34", prompt] }
        #expect(SmallFile.text(of: "\(homes.path)/out") == "12\n")
    }

    /// Presses a key twice, and again a second later: a completion for which the agent takes more than 250 ms
    /// is none.
    private func press(
        _ key: String, on screen: TmuxScreen, until holds: ([String]) -> Bool
    ) throws {
        for _ in 0..<20 {
            try screen.press(key, key)
            for _ in 0..<100 {
                if holds(try screen.rows()) { return }
                usleep(10_000)
            }
        }
        throw TmuxScreen.Failure(description: "\(key) does nothing: \(try screen.rows())")
    }

    @Test("lines that go on, are recalled, searched for, and shared with another session")
    func lines() throws {
        let screen = try start(.small)
        try screen.clear()
        try screen.enter("get (1 +")
        try screen.wait("second line's prompt") { $0.last == "..." }
        try screen.enter("2)")
        try screen.wait("answer") { $0.suffix(2) == ["12", prompt] }
        try screen.clear()
        try screen.enter("!get")
        try screen.wait("recalled line, and its answer") {
            $0.suffix(3) == ["get (1 + 2)", "12", prompt]
        }
        let other = try start(.large)
        try other.enter("get shared.one; get x")
        try other.wait("both answers") { $0.suffix(3) == ["12", "12", prompt] }
        try other.enter(" get unkept")
        try other.waitForPrompt()
        let third = try start(.small)
        try third.clear()
        try third.enter("history")
        try third.wait("history of both sessions") {
            $0 == [
                "\(prompt) history", "    1  get (1 + 2)", "    2  get shared.one; get x",
                "    3  history",
                prompt,
            ]
        }
        try third.press("C-r")
        try third.type("sha")
        try third.wait("what was searched for") { $0.last?.contains("get shared.one") == true }
        try third.press("Enter")
        try third.wait("its answers") { $0.suffix(3) == ["12", "12", prompt] }
    }

    @Test("the start file, aliases and the keys of ~/.inputrc")
    func settings() throws {
        let config = "\(homes.path)/telltale"
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        try Data("alias n = get photos.items.count\nn\n".utf8)
            .write(to: URL(fileURLWithPath: "\(config)/rc"))
        try Data("$if telltale\n\"\\C-t\": \"status\"\n$endif\n".utf8)
            .write(to: URL(fileURLWithPath: "\(homes.path)/inputrc"))
        let screen = try start(.small, environment: ["INPUTRC": "\(homes.path)/inputrc"])
        #expect(try screen.rows().suffix(2) == ["12", prompt])
        try screen.enter("n")
        try screen.wait("answer of the alias") { $0.suffix(3) == ["\(prompt) n", "12", prompt] }
        try screen.press("C-t")
        try screen.wait("line that the key types") { $0.last == "\(prompt) status" }
    }

    @Test("colours are there unless NO_COLOR, `--color never` or a pipe says otherwise")
    func colours() throws {
        for (options, variable, expected) in [
            ([], "", true), ([], "1", false), (["--color", "never"], "", false),
            (["--color", "always"], "1", true),
        ] {
            let screen = try start(
                .small, options, environment: variable.isEmpty ? ["NO_COLOR": ""] : [:])
            try screen.enter("nothing-of-that-name --x")
            try screen.wait("failure") { $0.contains { $0.hasPrefix("error:") } }
            #expect(try screen.isColoured() == expected, "\(options) NO_COLOR=\(variable)")
        }
    }
}
