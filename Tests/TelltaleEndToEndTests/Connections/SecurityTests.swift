import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The clients that get in, and those that don't.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct SecurityTests {
    private static let isRoot = ProcessIdentity.uid == 0

    @Test("directory and socket are closed to others, whatever the umask is")
    func modes() throws {
        let host = try TestHost()
        let directory = try FileManager.default.attributesOfItem(atPath: host.directory)
        #expect(directory[.posixPermissions] as? Int == 0o700)
        let socket = try FileManager.default.attributesOfItem(atPath: host.socketPath())
        #expect(socket[.posixPermissions] as? Int == 0o600)
    }

    @Test("another user is kept out by the directory", .enabled(if: isRoot, "needs root"))
    func otherUserAtTheDirectory() throws {
        let host = try TestHost()
        let outcome = try host.shell(
            "setpriv --reuid 65534 --regid 65534 --clear-groups socat - UNIX-CONNECT:"
                + (try host.socketPath()) + " </dev/null")
        #expect(outcome.status != 0)
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "another user who is let to the socket on purpose gets not one byte, and that is logged",
        .enabled(if: isRoot, "needs root"))
    func otherUserAtTheSocket() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        var folder = path
        // Every directory above it too, as far as it is this test's.
        while let slash = folder.lastIndex(of: "/"), folder[..<slash] != "/tmp",
            slash != folder.startIndex
        {
            folder = String(folder[..<slash])
            chmod(folder, 0o755)
        }
        chmod(path, 0o777)
        let outcome = try host.shell(
            "echo objects | setpriv --reuid 65534 --regid 65534 --clear-groups "
                + "socat -t 5 - UNIX-CONNECT:\(path)")
        #expect(outcome.output.isEmpty)
        let log = try host.waitForError(containing: "refused a client of another user")
        #expect(log.contains("uid=65534"))
    }

    @Test(
        "what stands in the socket's place is left alone", arguments: ["file", "link", "directory"])
    func plantedInTheDirectorysPlace(_ kind: String) throws {
        let folder = try TemporaryFolder("telltale-planted")
        let place = "\(folder.path)/agents"
        switch kind {
        case "file": _ = FileManager.default.createFile(atPath: place, contents: Data("mine".utf8))
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: place, withDestinationPath: folder.path)
        default:
            // A directory that others may write to.
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: false)
            chmod(place, 0o777)
        }
        let host = try TestHost(environment: ["TELLTALE_DIRECTORY": place])
        let status = try host.perform("status")
        #expect(status.hasPrefix("running"))
        #expect(status.contains("no socket"), "\(status)")
        #expect(SocketDirectory(path: place).sockets().isEmpty)
    }

    @Test("a directory whose path is too long for a socket is refused with both numbers")
    func longPath() throws {
        let folder = try TemporaryFolder("telltale-long")
        let place = "\(folder.path)/" + String(repeating: "x", count: 100)
        let host = try TestHost(environment: ["TELLTALE_DIRECTORY": place])
        #expect(try host.perform("status").contains("a socket's path at most 107"))
    }

    @Test("read-only mode refuses every command that changes something, with status 4")
    func readOnly() throws {
        let host = try TestHost(environment: ["TELLTALE_MODE": "read-only"])
        for command in [
            ["set", "photos.prompt", "\"WOOT!\""], ["photos.prompt = \"WOOT!\""], ["undo", "1"],
            ["call", "photos.add(\"x\", 1)"], ["photos.add(\"x\", 1)"],
        ] {
            let outcome = try host.telltale(["\(host.pid)"] + command)
            #expect(outcome.status == 4, "\(command): \(outcome)")
            #expect(outcome.errors.contains("read-only"))
            #expect(outcome.errors.contains("TELLTALE_MODE=read-write"))
        }
        #expect(try host.perform("prompt") == "nil")
        #expect(try host.perform("count") == "3")
    }

    @Test("a planted secret is in no byte of any output")
    func plantedSecret() throws {
        let host = try TestHost()
        var everything = ""
        let commands = [
            "objects", "show photos", "photos", "po photos.settings", "show photos --snapshot",
            "show photos --depth 60 --limit 1000", "get photos", "get photos.apiToken",
            "photos.settings.password", "set photos.apiToken \"PLANTED-OTHER\"", "undo 1",
            "photos.apiToken.count", "changes", "actions", "queues", "status", "info", "dump",
            "help", "plain", "cache", "store", "view", "call photos.remove(0)",
        ]
        for command in commands {
            for options in [[], ["--json"]] {
                let outcome = try host.telltale(options + ["\(host.pid)", command])
                everything += outcome.output + outcome.errors
            }
        }
        host.send(SIGUSR1)
        everything += try host.waitForError(containing: " END ")
        host.send(SIGUSR2)
        everything += try host.waitForError(
            containing: " running ", stoppedBy: ProcessIdentity.pid)
        #expect(everything.contains("<masked>"))
        #expect(!everything.contains("PLANTED"))
        #expect(everything.contains("Success Kid"))
    }
}
