import TelltaleClient
import TelltaleProtocol
import TelltaleShell
import Testing

struct OptionsTests {
    private func options(_ arguments: String...) throws -> Options {
        try Options(parsing: arguments, isCommand: Commands.isCommand)
    }

    private func failure(_ arguments: String...) -> CommandFailure? {
        do {
            _ = try Options(parsing: arguments, isCommand: Commands.isCommand)
            return nil
        } catch {
            return error
        }
    }

    @Test("options stand before the command, on either side of the target")
    func places() throws {
        let before = try options("--json", "--timeout", "500ms", "svc", "status")
        #expect(before.json && before.timeout == .milliseconds(500))
        #expect(before.words == ["svc", "status"])
        let between = try options("svc", "--color=never", "--no-pager", "show", "x", "--depth", "2")
        #expect(between.color == .never && between.noPager)
        #expect(between.words == ["svc", "show", "x", "--depth", "2"])
        let behind = try options("svc", "show", "x", "--json", "--depth", "2")
        #expect(behind.json && behind.words == ["svc", "show", "x", "--depth", "2"])
        let value = try options("svc", "set", "x", "\"--json\"")
        #expect(!value.json && value.words == ["svc", "set", "x", "\"--json\""])
        #expect(try options("--all").all && !options("svc").all)
        #expect(try options("--", "--odd", "get").words == ["--odd", "get"])
        #expect(try options("svc", "-").words == ["svc", "-"])
    }

    @Test("pages", arguments: ["--help", "-h", "--version"])
    func pages(_ word: String) throws {
        #expect(try options(word).page == (word == "--version" ? .version : .help))
    }

    @Test("what is no option is refused with its name")
    func refused() {
        #expect(failure("--jsno")?.message.contains("'--jsno'") == true)
        #expect(failure("--jsno")?.message.hasSuffix("did you mean --json?") == true)
        #expect(failure("--json=1")?.message.contains("takes no value") == true)
        #expect(failure("--timeout")?.message.contains("needs a value") == true)
        #expect(failure("--color", "blue")?.message.contains("'blue'") == true)
        #expect(failure("--timeout", "soon")?.exitStatus == .usage)
    }

    @Test(
        "times",
        arguments: [
            ("5s", 5000), ("500ms", 500), ("1.5s", 1500), ("2m", 120_000), ("5", 5000),
            ("1h", 3_600_000),
            ("0", nil), ("-1s", nil), ("", nil), ("s", nil), ("2h", nil), ("0x10", nil),
            ("inf", nil),
            ("1e3", nil), ("nan", nil),
        ] as [(String, Int?)])
    func times(_ text: String, _ milliseconds: Int?) {
        #expect(Options.duration(text) == milliseconds.map { .milliseconds($0) })
    }

    @Test("a target is told from a command")
    func invocations() throws {
        func invocation(_ words: String...) throws -> Invocation {
            try Invocation(words: words, isCommand: Commands.isCommand)
        }
        #expect(try invocation() == .list)
        #expect(try invocation("status") == .command(nil, ["status"]))
        #expect(
            try invocation("svc", "get", "x") == .command(.name("svc"), ["get", "x"]))
        #expect(try invocation("42") == .session(.pid(42)))
        #expect(try invocation("42", "-") == .script(.pid(42)))
        #expect(try invocation("-") == .script(nil))
        #expect(try invocation("help", "get") == .help("get"))
        #expect(throws: CommandFailure.self) { try invocation("42", "-", "x") }
    }
}
