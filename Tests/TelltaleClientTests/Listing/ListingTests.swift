import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

struct ListingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("telltale-listing") }

    private func listing() -> Listing {
        Listing.make(
            discovery: Discovery(
                places: SearchPlaces(only: [.init(directory: folder.path)]), timeout: .seconds(5)))
    }

    @Test("an agent has a row with all columns")
    func row() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "photo-manager") { _ in
            .answer(ScriptedAgent.status(unanswered: ["com.example.photos"]))
        }
        let text = listing().text().text.split(separator: "\n").map(String.init)
        #expect(
            text.first?.split(separator: " ") == [
                "PID", "NAME", "USER", "UP", "STATE", "STUCK", "OLDEST", "RSS", "MODE",
            ])
        let row = try #require(text.first { $0.contains("photo-manager") })
        #expect(
            row.split(separator: " ").map(String.init).enumerated()
                .filter { $0.offset != 2 }.map(\.element) == [
                    "\(ProcessIdentity.pid)", "photo-manager", "3h12m", "running", "queue", "-",
                    "84M", "read-write",
                ])
        withExtendedLifetime(agent) {}
    }

    @Test("what the agent says of what is stuck, and since when, is in the row")
    func stuck() throws {
        var status = ScriptedAgent.status(unanswered: ["com.example.photos"])
        status.stuck = "main"
        status.oldestSeconds = 12.46
        let known = status
        let agent = try ScriptedAgent(in: folder.path, name: "photo-manager") { _ in
            .answer(known)
        }
        let lines = listing().text().text.split(separator: "\n")
        let row = lines.first { $0.contains("photo-manager") }
        #expect(row?.contains("  running  main   12.4s   84M  read-write") == true, "\(row ?? "")")
        withExtendedLifetime(agent) {}
    }

    @Test("a name without an end pushes nothing out of sight")
    func longName() throws {
        let agent = try ScriptedAgent(in: folder.path, name: String(repeating: "n", count: 100_000))
        {
            _ in .answer(ScriptedAgent.status())
        }
        let lines = listing().text().text.split(separator: "\n")
        #expect(lines.count >= 2)
        #expect(lines.allSatisfy { $0.utf8.count < 300 }, "\(lines.map(\.utf8.count))")
        withExtendedLifetime(agent) {}
    }

    @Test("an agent without a handshake is listed as not answering")
    func silent() throws {
        let agent = try ScriptedAgent(in: folder.path, hello: .hangUp)
        let process = try #require(listing().processes.first { $0.pid == ProcessIdentity.pid })
        #expect(process.state == "not answering")
        withExtendedLifetime(agent) {}
    }

    @Test("a name that would move the cursor does not")
    func escaped() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "evil\u{1b}[2J\nname")
        #expect(!listing().text().text.contains("\u{1b}"))
        #expect(!listing().text().text.contains("\nname"))
        withExtendedLifetime(agent) {}
    }

    @Test("other programs are not taken for Swift")
    func others() throws {
        let sleeper = try StartedProgram("/bin/sleep", ["1000"])
        defer { kill(sleeper.pid, SIGKILL) }
        #expect(!listing().processes.contains { $0.pid == sleeper.pid })
        #expect(!ElfFile.hasSwiftMetadata("/bin/sleep"))
        #expect(ElfFile.hasSwiftMetadata("/proc/self/exe"))
        #expect(!ElfFile.hasSwiftMetadata("/etc/passwd"))
        #expect(!ElfFile.hasSwiftMetadata("/dev/zero"))
    }
}
