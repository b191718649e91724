import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The README and the pages are run: their transcripts are the actual output.
struct ReadmeTranscriptTests {
    private static let pages = [
        "README.md", "Docs/Commands.md", "Docs/Diagnosing.md", "Docs/Dumps.md", "Docs/Eval.md",
        "Docs/JSON.md",
        "Docs/PhotoManager.md", "Docs/Tutorial.md",
    ]

    @Test("every page with a replayed session is replayed")
    func pagesAreAll() throws {
        let names = DirectoryListing.names(in: "\(RepositoryFile.root)/Docs")
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
        let replayed = try (["README.md"] + names).filter {
            !Transcript.all(in: try RepositoryFile.text($0)).isEmpty
        }
        #expect(replayed.sorted() == Self.pages.sorted())
    }

    @Test(
        "a page's sessions give what it shows", .timeLimit(.minutes(2)), arguments: Self.pages)
    func sessionsGiveWhatIsShown(page: String) throws {
        let transcripts = Transcript.all(in: try RepositoryFile.text(page))
        #expect(transcripts.count >= 1)
        let serves = try PhotoService.serves()
        for transcript in transcripts where serves || !transcript.options.contains("--port") {
            let differences = try Self.differences(from: transcript)
            #expect(differences.isEmpty, "\(page): \(differences.joined(separator: "\n"))")
        }
    }

    /// Returns the differences between a fresh service and the page.
    private static func differences(from transcript: Transcript) throws -> [String] {
        // `later` stages none, and offers all of them.
        let isLater = transcript.fault == "later"
        let service = try PhotoService(
            fault: isLater ? nil : transcript.fault,
            options: transcript.options + (isLater ? ["--fault", "later"] : []))
        try service.waitUntilLearnt()
        var found: [String] = []
        let hasQuery = try service.shell("command -v jq").status == 0
        for step in transcript.steps where hasQuery || !step.command.contains("| jq ") {
            let answer = try answer(to: step, from: service)
            let difference = Transcript.difference(
                of: answer, from: step.answer, pid: service.process.pid)
            guard let difference else { continue }
            found.append(
                "`\(step.command)` gave no '\(difference)':\n\(answer.joined(separator: "\n"))")
        }
        return found
    }

    @Test("the tutorial's service is built by what it says, and starts as it says")
    func tutorialStarts() throws {
        let page = try RepositoryFile.text("Docs/Tutorial.md")
        let block = page.split(separator: "```")[1].split(separator: "\n").map(String.init)
        let made = try #require(block.first?.split(separator: " ").dropFirst())
        let targets = try RepositoryFile.text("Makefile")
        #expect(made.allSatisfy { targets.contains("\n\($0):") }, "\(made)")
        #expect(try RepositoryFile.text("README.md").contains("(Docs/Tutorial.md)"))
        let folder = try TemporaryFolder("telltale-tutorial")
        // The client is the one that was built with the tests.
        let client = try BuiltProgram.path(of: "telltale")
        let clients = client.split(separator: "/").dropLast().joined(separator: "/")
        let service = block[3] + " 2>log & service=$!"
        let shell = try StartedProgram(
            "/bin/sh",
            [
                "-c",
                """
                set -e; cd "$1"; PWD=$2; \(block[1]); PATH=/\(clients):$PATH; cd "$1"
                \(block[2]); \(service)
                telltale wait photo-manager --for 30s
                until telltale photo-manager get photos.items.count | grep 12; do sleep 0.05; done
                kill $service; wait $service || true; rm -r Photos log
                """, "sh", folder.path, RepositoryFile.root,
            ], environment: ["TELLTALE_DIRECTORY": "\(folder.path)/agents"])
        let said = shell.readToEnd(until: .now.advanced(by: .seconds(60))) ?? []
        let text = String(decoding: said, as: UTF8.self)
        #expect(shell.waitUntilExit() == 0 && text.hasSuffix("12\n"), "\(text)")
    }

    @Test(
        "the page's complete service is Examples/Minimal, and the README's lines are among its own")
    func snippetIsTheExample() throws {
        let example = try RepositoryFile.text("Examples/Minimal/main.swift")
        let page = try RepositoryFile.text("Docs/Registering.md")
        #expect(page.contains("```swift\n\(example)```"))
        let readme = try RepositoryFile.text("README.md")
        let start = try #require(readme.firstRange(of: "```swift\nimport TelltaleAgent\n"))
        let shown = readme[start.lowerBound...].split(separator: "\n").dropFirst()
            .prefix { $0 != "```" }
        #expect(shown.count == 3 && shown.allSatisfy { example.contains("\($0)\n") }, "\(shown)")
    }

    @Test("the photo manager's contact with the agent is in one file")
    func contactIsInOneFile() throws {
        let folder = "Examples/PhotoManager/Sources/PhotoManager"
        let root = "\(RepositoryFile.root)/\(folder)"
        let names = DirectoryListing.names(in: root)
        let files =
            names.filter { $0.hasSuffix(".swift") }
            + names.filter { !$0.hasSuffix(".swift") }.flatMap { part in
                DirectoryListing.names(in: "\(root)/\(part)").map { "\(part)/\($0)" }
            }
        #expect(files.count > 20)
        let importing = try files.filter {
            try RepositoryFile.text("\(folder)/\($0)").contains("import Telltale")
        }
        #expect(importing == ["Introspection.swift"])
    }

    /// Types the page's input into a shell.
    private static func answer(
        to step: Transcript.Step, from service: PhotoService
    ) throws -> [String] {
        if step.isInSession {
            let line = #"printf '%s\n' "$TYPED" | telltale photo-manager -"#
            return try service.shell(line, environment: ["TYPED": step.command]).lines
        }
        // Opens the session of the steps that follow.
        if step.command == "telltale photo-manager" { return [] }
        let line = step.command.replacing("4242", with: "\(service.process.pid)")
            .replacing("127.0.0.1:8080", with: "127.0.0.1:\(service.port ?? 8080)")
        let answer = try service.shell(line).lines
        // Other agents of this machine do not belong to the page.
        guard line == "telltale" else { return answer }
        return answer.filter { $0.hasPrefix("PID ") || $0.hasPrefix("\(service.process.pid) ") }
            .map { StolenTime.removed(from: $0) }
    }
}
