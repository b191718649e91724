import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The code that the README and the pages show for a service, compiled as a user's `main.swift`. The modules
/// are those that were built with these tests; the ones of a build without the agent are made here,
/// of the same sources.
@Suite(.serialized)
struct SnippetTests {
    private static let snippets = "Tests/Snippets/main.swift"

    @Test(
        "every snippet compiles as a user's, without a warning", arguments: ["5", "6"],
        [Build.withAgent, .withoutAgent])
    private func snippetsCompile(mode: String, build: Build) throws {
        let folder = try TemporaryFolder("snippets")
        let said = try Self.compiler(
            ["-typecheck", "-warnings-as-errors", "-swift-version", mode]
                + (try build.options(in: folder))
                + ["\(RepositoryFile.root)/\(Self.snippets)"])
        #expect(said == "")
    }

    @Test("a method that can't be given by its name is refused with one error, and not with three")
    func methodIsRefused() throws {
        let folder = try TemporaryFolder("snippets")
        let file = "\(folder.path)/main.swift"
        let source = """
            import TelltaleAgent
            actor Bank { func deposit(_ amount: Int) {} }
            let bank = Bank()
            Telltale.action("bank.deposit", of: bank, Bank.deposit)
            """
        try SymbolOracle.run("/bin/sh", ["-c", "printf %s \"$1\" >\"$2\"", "sh", source, file])
        let said = try Self.compiler(
            ["-typecheck", "-swift-version", "6"] + (try Build.withAgent.options(in: folder))
                + [file])
        let errors = said.split(separator: "\n").filter { $0.hasPrefix(file) }
        #expect(errors.count == 1)
        #expect(errors.first?.contains("call to actor-isolated instance method") == true)
    }

    @Test("every call that the page's tables and the README's snippets show is one of the snippets")
    func pagesAreCompiled() throws {
        let snippets = try RepositoryFile.text(Self.snippets)
        let page = try RepositoryFile.text("Docs/Registering.md").split(separator: "\n")
        let table = page.filter { $0.hasPrefix("| `Telltale.") }
            .compactMap { $0.split(separator: "`").dropFirst().first }
        #expect(table.count >= 16)
        let readme = try RepositoryFile.text("README.md").split(separator: "\n")
        let lines = (page + readme).filter {
            $0.hasPrefix("Telltale.") || $0.hasPrefix("init() { Telltale.")
        }.compactMap { $0.split(separator: "  //").first }
        #expect(lines.count >= 7)
        for call in table + lines {
            let shown = call.split(separator: "…").first.map(String.init) ?? ""
            let start = shown.split(separator: "(title").first.map(String.init) ?? shown
            #expect(snippets.contains(start.trimmingSuffix(" ")), "\(call)")
        }
    }

    /// The modules that a snippet is compiled against.
    private enum Build: String, CustomTestStringConvertible {
        case withAgent, withoutAgent

        var testDescription: String { rawValue }

        func options(in folder: TemporaryFolder) throws -> [String] {
            switch self {
            case .withAgent:
                let built = try BuiltProgram.path(of: "telltale-test-host")
                    .split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
                return [
                    "-I", "\(built)/Modules", "-Xcc",
                    "-fmodule-map-file=\(built)/CTelltaleSystem.build/module.modulemap",
                ]
            case .withoutAgent:
                for module in ["TelltaleAgent", "TelltaleFoundation"] {
                    let said = try SnippetTests.emit(module, in: folder)
                    try #require(said == "")
                }
                return ["-I", folder.path]
            }
        }
    }

    /// Makes a module of the sources as a release build has them.
    private static func emit(_ module: String, in folder: TemporaryFolder) throws -> String {
        let sources = "\(RepositoryFile.root)/Sources/\(module)"
        let files = try SymbolOracle.run("find", [sources, "-name", "*.swift"])
            .split(separator: "\n").map(String.init)
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        return try compiler(
            [
                "-wmo", "-emit-module", "-parse-as-library", "-swift-version", "6",
                "-module-name", module, "-I", folder.path,
                "-o", "\(folder.path)/\(module).swiftmodule",
            ] + features.flatMap { ["-enable-upcoming-feature", $0] } + files)
    }

    /// Returns the compiler's output.
    private static func compiler(_ arguments: [String]) throws -> String {
        try SymbolOracle.run(
            "/bin/sh", ["-c", "swiftc \"$@\" 2>&1 || true", "sh"] + arguments)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var text = self
        while text.last == suffix { text.removeLast() }
        return text
    }
}
