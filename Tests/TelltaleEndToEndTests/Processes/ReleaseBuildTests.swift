import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A release build without the trait has no agent. `make test` builds it before the tests.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ReleaseBuildTests {
    private static let path = "\(RepositoryFile.root)/.build/release/minimal"
    /// The types that a host's source names; they are in every build.
    private static let facade: Set<Substring> = [
        "Telltale", "AgentConfiguration", "AgentStatus", "Registration", "SignalReport",
        "RunOptions", "SignalName", "SignalDelivery", "TelltaleReflectable", "ValueFormat",
    ]
    private static let isBuilt = FileManager.default.isExecutableFile(atPath: path)

    @Test(
        "it holds no function of the agent and nothing that the host registers",
        .enabled(if: isBuilt, "`swift build -c release --product minimal` makes it"))
    func nothingOfTheAgent() throws {
        let symbols = try Self.run("nm '\(Self.path)' | swift demangle").split(separator: "\n")
        // The host's own, so that there is something to look through.
        #expect(symbols.contains { $0.contains("minimal.Library") })
        for part in [
            "TelltaleDiagnosis.", "TelltalePicture.", "TelltaleProtocol.", "TelltaleRuntime.",
            "TelltaleSystem.",
            "ctelltale_", "telltale_breakpoint",
        ] {
            #expect(symbols.first { $0.contains(part) } == nil)
        }
        let types = symbols.flatMap { $0.matches(of: /TelltaleAgent\.\(?(\w+)/).map(\.output.1) }
        #expect(Set(types).subtracting(Self.facade) == [])
        // The name under which the host registers its object; the queue's label is the host's own.
        let strings = try Self.run("strings -n 4 '\(Self.path)'").split(separator: "\n")
        #expect(strings.contains("com.example.library"))
        #expect(!strings.contains("library"))
        #expect(!strings.contains { $0.contains("SIGUSR") })
    }

    @Test(
        "it opens no socket, installs no handler, and dies of SIGUSR1 as without the package",
        .enabled(if: isBuilt, "`swift build -c release --product minimal` makes it"))
    func nothingHappens() throws {
        let folder = try TemporaryFolder("telltale-release")
        let host = try StartedProgram(
            Self.path, [], environment: ["TELLTALE_DIRECTORY": "\(folder.path)/agents"])
        let files = ProcessFiles(pid: host.pid)
        // It parks in dispatchMain, where its main thread waits for good.
        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while files.stat?.state != "S", deadline > .now {}
        let caught = files.status("SigCgt").flatMap { UInt64($0, radix: 16) } ?? .max
        #expect(caught & (1 << UInt64(SIGUSR1 - 1)) == 0)
        #expect(caught & (1 << UInt64(SIGCONT - 1)) == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/agents"))
        host.send(SIGUSR1)
        #expect(host.waitUntilExit() == 128 + SIGUSR1)
    }

    private static func run(_ line: String) throws -> String {
        let program = try StartedProgram("/bin/sh", ["-c", line])
        let bytes = program.readToEnd(until: .now.advanced(by: .seconds(60))) ?? []
        _ = program.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
