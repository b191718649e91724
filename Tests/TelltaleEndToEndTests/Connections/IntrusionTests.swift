import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Files and sockets that others put in the agent's way: no client is let in by them, nothing is
/// overwritten, and it is reported.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct IntrusionTests {
    private static let isRoot = ProcessIdentity.uid == 0
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("telltale-intrusion") }

    private func file(_ name: String, holding text: String = "precious") -> String {
        let path = "\(folder.path)/\(name)"
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        return path
    }

    @Test("with umask 0 directory, socket, dump and audit log are their owner's only")
    func umask() throws {
        let dump = "\(folder.path)/dump-{id}.txt"
        let audit = "\(folder.path)/audit"
        let host = try TestHost(
            ["umask-0"], environment: ["TELLTALE_OUTPUT": dump, "TELLTALE_AUDIT": audit])
        host.send(SIGUSR1)
        try host.waitForError(containing: "d1 written to \(folder.path)/dump-1.txt")
        #expect(try host.telltale(["\(host.pid)", "set", "photos.prompt", "\"x\""]).status == 0)
        #expect(try FileFacts.of(host.directory).mode == 0o700)
        #expect(try FileFacts.of(host.socketPath()).mode == 0o600)
        #expect(try FileFacts.of("\(folder.path)/dump-1.txt").mode == 0o600)
        #expect(try FileFacts.of(audit).mode == 0o600)
    }

    @Test(
        "what stands at the socket's own path stays as it is, and that is said",
        arguments: ["file", "link", "directory", "foreign socket", "answered socket"])
    func planted(_ kind: String) throws {
        guard kind != "foreign socket" || Self.isRoot else { return }
        let host = try TestHost(["unstarted"])
        let ticks = try #require(ProcessFiles(pid: host.pid).stat?.startTicks)
        try PrivateFile.makeDirectory(host.directory)
        let path = SocketDirectory(path: host.directory).path(
            of: SocketName(pid: host.pid, startTicks: ticks))
        let precious = file("precious")
        var listener: Int32 = -1
        defer { close(listener) }
        switch kind {
        case "file": try FileManager.default.copyItem(atPath: precious, toPath: path)
        case "link": symlink(precious, path)
        case "directory": mkdir(path, 0o700)
        default:
            listener = try UnixSocket.listen(at: path, backlog: 5).release()
            if kind == "foreign socket" {
                close(listener)
                listener = -1
                chown(path, 65534, 65534)
            }
        }
        let before = try FileFacts.of(path)
        #expect(try host.perform("start") == "running")
        let why =
            kind == "answered socket"
            ? "another process answers at \(path)" : "\(path) is in the way and is not a socket"
        #expect(try host.perform("status").contains("no socket"))
        #expect(try host.waitForError(containing: "no socket").contains(why))
        // Its signals work all the same, and it gets its socket as soon as it can.
        host.send(SIGUSR2)
        try host.waitForError(containing: " running up=", stoppedBy: ProcessIdentity.pid)
        #expect(try FileFacts.of(path) == before)
        #expect(SmallFile.text(of: precious) == "precious")
        try FileManager.default.removeItem(atPath: path)
        try waitUntil("it has its socket") { (try? RawClient(path)) != nil }
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test("what takes the socket's place while the agent runs is not removed by stop()")
    func replaced() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        unlink(path)
        let listener = try UnixSocket.listen(at: path, backlog: 5)
        try host.waitForError(containing: "another process answers at \(path)")
        #expect(try host.perform("stop") == "stopped")
        #expect(SocketFile.isAnswered(path))
        withExtendedLifetime(listener.raw) {}
    }

    @Test(
        "a directory of another user is not used", .enabled(if: isRoot, "needs root"),
        arguments: [0o700, 0o777] as [mode_t])
    func foreignDirectory(_ mode: mode_t) throws {
        let place = "\(folder.path)/agents"
        mkdir(place, 0o700)
        chmod(place, mode)
        chown(place, 65534, 65534)
        let host = try TestHost(environment: ["TELLTALE_DIRECTORY": place])
        #expect(
            try host.waitForError(containing: "no socket").contains("\(place) belongs to uid 65534")
        )
        #expect(SocketDirectory(path: place).sockets().isEmpty)
    }

    @Test(
        "a call that fails leaves no open socket, is said, and is made again",
        arguments: ["chmod", "bind", "listen"])
    func failingCall(_ name: String) throws {
        let shim = try PreloadedShim()
        let host = try TestHost(environment: shim.environment(failing: name))
        #expect(try host.waitForError(containing: "no socket").contains("\(name)("))
        #expect(SocketDirectory(path: host.directory).sockets().isEmpty)
        #expect(try host.perform("fail") == "failing")
        try host.waitForError(containing: "is back at")
        #expect(try FileFacts.of(host.socketPath()).mode == 0o600)
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test("a client for whom the kernel does not vouch gets not one byte")
    func failingCredentials() throws {
        let shim = try PreloadedShim()
        let host = try TestHost(environment: shim.environment(failing: "getsockopt"))
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        #expect(client.line() == nil)
        try host.waitForError(containing: "refused a client that the kernel doesn't vouch for")
        #expect(try host.perform("fail") == "failing")
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test("a dump whose file can't be made private is not written there")
    func failingPrivacy() throws {
        let shim = try PreloadedShim()
        var environment = shim.environment(failing: "fchmod")
        environment["TELLTALE_OUTPUT"] = "\(folder.path)/dump.txt"
        let host = try TestHost(environment: environment)
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " d1 END ")
        #expect(text.contains("dump d1 could not be written: chmod("))
        #expect(DirectoryListing.names(in: folder.path).isEmpty)
    }

    @Test("a socket's path of 107 bytes is used, and one of 108 is refused with both numbers")
    func longestPath() throws {
        let probe = try TestHost()
        let name = try #require(try probe.socketPath().split(separator: "/").last).utf8.count
        for length in [107, 108] {
            // The next pid may have a digit more; only the resulting path counts.
            let room = length - name - 1 - folder.path.utf8.count - 1
            let place = "\(folder.path)/" + String(repeating: "x", count: room)
            let host = try TestHost(environment: ["TELLTALE_DIRECTORY": place])
            let ticks = try #require(ProcessFiles(pid: host.pid).stat?.startTicks)
            let path = SocketDirectory(path: place).path(
                of: SocketName(pid: host.pid, startTicks: ticks))
            let status = try host.perform("status")
            if path.utf8.count <= 107 {
                #expect(status.hasPrefix("running "), "\(status)")
                #expect(FileFacts.exists(path))
            } else {
                let numbers = "has \(path.utf8.count) bytes and a socket's path at most 107"
                #expect(status.contains(numbers), "\(status)")
                #expect(DirectoryListing.names(in: place).isEmpty)
            }
        }
    }

    @Test("a socket of the same pid and another start is not taken for the process")
    func reusedPid() throws {
        let host = try TestHost()
        let impostor = try ScriptedAgent(
            in: host.directory, name: "impostor",
            socketName: SocketName(pid: host.pid, startTicks: 1))
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
        // A process that has no agent and the number of one that had.
        let sleeper = try StartedProgram("/bin/sleep", ["1000"])
        defer { sleeper.send(StartedProgram.terminate) }
        let left = SocketDirectory(path: host.directory).path(
            of: SocketName(pid: sleeper.pid, startTicks: 1))
        do { _ = try UnixSocket.listen(at: left, backlog: 1) }
        let outcome = try host.telltale(["\(sleeper.pid)", "get", "answer"])
        #expect(outcome.status == 3, "\(outcome)")
        #expect(outcome.output.isEmpty)
        withExtendedLifetime(impostor) {}
    }

    @Test("eight agents that race for one directory all come to be in it")
    func race() throws {
        let place = "\(folder.path)/agents"
        let slots = (0..<8).map { _ in Slot() }
        DispatchQueue.concurrentPerform(iterations: slots.count) {
            slots[$0].host = try? TestHost(environment: ["TELLTALE_DIRECTORY": place])
        }
        let pids = slots.compactMap { $0.host?.pid }
        #expect(pids.count == 8)
        try waitUntil("all eight are in the directory") {
            Set(SocketDirectory(path: place).sockets().map(\.pid)) == Set(pids)
        }
        #expect(try FileFacts.of(place).mode == 0o700)
        let host = try TestHost(environment: ["TELLTALE_DIRECTORY": place])
        for pid in pids {
            let outcome = try host.telltale(
                ["\(pid)", "get", "answer"], environment: ["TELLTALE_DIRECTORY": place])
            #expect(outcome.output == "42\n", "\(outcome)")
        }
    }

    @Test(
        "what stands in the place of the dump's file and isn't a dump of this service stays, and that is said",
        arguments: ["file", "link", "another service's dump", "annotated dump"])
    func occupiedDump(_ kind: String) throws {
        let precious = file("precious")
        let dump = "\(folder.path)/dump.txt"
        let begin = "telltale[1] d1 BEGIN 2026-01-01T00:00:00Z"
        let end = "telltale[1] d1 END lines=2 took=1 ms missing=0\n"
        switch kind {
        case "link": symlink(precious, dump)
        case "file": _ = file("dump.txt")
        case "annotated dump":
            _ = file("dump.txt", holding: "\(begin) telltale-test-host up=1 s\n\(end)my notes\n")
        default: _ = file("dump.txt", holding: "\(begin) other up=1 s\n\(end)")
        }
        let before = try (FileFacts.of(dump), SmallFile.text(of: dump))
        let host = try TestHost(environment: ["TELLTALE_OUTPUT": dump])
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " d1 END ")
        #expect(text.contains("dump d1 could not be written: \(dump) is there"), "\(text)")
        #expect(SmallFile.text(of: precious) == "precious")
        #expect(try FileFacts.of(dump) == before.0)
        #expect(SmallFile.text(of: dump) == before.1)
    }

    @Test("a dump of this service in its place, and an empty file, are replaced")
    func ownDump() throws {
        let dump = file("dump.txt", holding: "")
        for _ in 0..<2 {
            let host = try TestHost(environment: ["TELLTALE_OUTPUT": dump])
            host.send(SIGUSR1)
            try host.waitForError(containing: "d1 written to")
            #expect(SmallFile.text(of: dump)?.hasPrefix("telltale[\(host.pid)] d1 BEGIN ") == true)
        }
        #expect(DirectoryListing.names(in: folder.path) == ["dump.txt"])
    }

    @Test("only files that this service wrote are removed to keep within a bound")
    func prunedDumps() throws {
        let template = "\(folder.path)/{id}{time}.txt"
        let others = ["id_rsa.txt", "1notes.txt", "12026-01-01T000000Z.txt", "7kept.txt"]
        for name in others { _ = file(name) }
        let host = try TestHost(
            environment: ["TELLTALE_OUTPUT": template, "TELLTALE_PAUSES": "0"])
        // Eleven of earlier processes of this service.
        for number in 1...11 {
            let line = "telltale[77] d\(number)"
            let time = "2026-01-01T00:00:\(number + 10)Z"
            let own = file(
                "\(number)\(time.filter { $0 != ":" }).txt",
                holding: "\(line) BEGIN \(time) telltale-test-host up=1 s\n"
                    + "\(line) END lines=2 took=1 ms missing=0\n")
            utimes(
                own,
                [
                    timeval(tv_sec: 1_000_000 + number, tv_usec: 0),
                    timeval(tv_sec: 1_000_000 + number, tv_usec: 0),
                ])
        }
        // Under another name it is a copy.
        let first = "12026-01-01T000011Z.txt"
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/\(first)", toPath: "\(folder.path)/1incident.txt")
        host.send(SIGUSR1)
        try host.waitForError(containing: "d1 written to \(folder.path)/1")
        let left = Set(DirectoryListing.names(in: folder.path))
        #expect(left.isSuperset(of: others + ["1incident.txt"]), "\(left)")
        for name in others { #expect(SmallFile.text(of: "\(folder.path)/\(name)") == "precious") }
        // Ten of its own are left, and the two oldest are not among them.
        #expect(left.count == others.count + 1 + 10, "\(left)")
        #expect(!left.contains(first))
        #expect(left.contains("32026-01-01T000013Z.txt"))
    }

    @Test("what stands in the place of an earlier temporary file is in no dump's way")
    func staleTemporaryFile() throws {
        let precious = file("precious")
        let dump = "\(folder.path)/dump.txt"
        let host = try TestHost(environment: ["TELLTALE_OUTPUT": dump])
        symlink(precious, "\(dump).\(host.pid).tmp")
        host.send(SIGUSR1)
        try host.waitForError(containing: "d1 written to \(dump)")
        #expect(SmallFile.text(of: precious) == "precious")
        #expect(
            Set(DirectoryListing.names(in: folder.path))
                == ["precious", "dump.txt", "dump.txt.\(host.pid).tmp"])
    }

    @Test("an audit log that others may read is written to, keeps its mode, and that is said")
    func readableAuditLog() throws {
        let audit = file("audit", holding: "earlier\n")
        chmod(audit, 0o640)
        let host = try TestHost(environment: ["TELLTALE_AUDIT": audit])
        _ = try host.telltale(["\(host.pid)", "set", "photos.prompt", "\"x\""])
        try host.waitForError(
            containing: "the audit log \(audit) has mode 0640, so others may read it")
        #expect(try FileFacts.of(audit).mode == 0o640)
        #expect(SmallFile.text(of: audit)?.hasPrefix("earlier\ntelltale[") == true)
    }

    @Test("an audit log that others may write to is left alone, and that is said")
    func writableAuditLog() throws {
        let audit = file("audit", holding: "earlier\n")
        chmod(audit, 0o666)
        let host = try TestHost(environment: ["TELLTALE_AUDIT": audit])
        _ = try host.telltale(["\(host.pid)", "set", "photos.prompt", "\"x\""])
        let text = try host.waitForError(containing: " AUDIT ")
        #expect(text.contains("\(audit) has mode 0666, and others may write to it"), "\(text)")
        #expect(try FileFacts.of(audit).mode == 0o666)
        #expect(SmallFile.text(of: audit) == "earlier\n")
    }

    @Test("a link in the place of the audit log is not followed, and that is said")
    func linkedAuditLog() throws {
        let precious = file("precious")
        let audit = "\(folder.path)/audit"
        symlink(precious, audit)
        let host = try TestHost(environment: ["TELLTALE_AUDIT": audit])
        _ = try host.telltale(["\(host.pid)", "set", "photos.prompt", "\"x\""])
        #expect(try host.waitForError(containing: audit).contains("audit"))
        #expect(SmallFile.text(of: precious) == "precious")
    }

    @Test("a client that lies about its pid and its name stands in the log by the kernel's word")
    func lyingClient() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(
            line: #"{"jsonrpc":"2.0","id":0,"method":"hello","params":{"protocolVersion":1,"#
                + #""client":"init","pid":1,"uid":12345}}"#)
        #expect(client.line()?.contains("\"result\"") == true)
        client.send(
            line: #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"path":"photos.prompt","#
                + #""value":"\"x\"","pid":1,"uid":12345}}"#)
        #expect(client.line()?.contains("\"result\"") == true)
        let changes = try host.telltale(["--json", "\(host.pid)", "changes"]).output
        #expect(changes.contains("\(ProcessIdentity.pid)"), "\(changes)")
        #expect(!changes.contains("12345"))
    }

    @Test("read-only mode refuses each command of the table that changes the host")
    func readOnly() throws {
        let host = try TestHost(environment: ["TELLTALE_MODE": "read-only"])
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        #expect(client.line()?.contains("\"result\"") == true)
        let changing = CommandTable.all.filter { $0.effect == .changes }
        #expect(Set(changing.map(\.name)).isSuperset(of: ["set", "call", "undo"]))
        for command in changing {
            for parameters in [
                "{}", #"{"path":"photos.prompt","value":"\"x\""}"#, #"{"id":1,"number":1}"#,
                #"{"path":"photos.add","action":"photos.add","arguments":["\"x\"","1"]}"#,
            ] {
                client.send(
                    line:
                        #"{"jsonrpc":"2.0","id":1,"method":"\#(command.name)","params":\#(parameters)}"#
                )
                let answer = try #require(client.line())
                #expect(answer.contains("the agent is read-only"), "\(answer)")
            }
            let person = try RawClient(host.socketPath())
            person.send(line: command.example)
            #expect(person.line()?.contains("read-only") == true)
        }
        #expect(try host.perform("prompt") == "nil")
        #expect(try host.perform("count") == "3")
    }

    // Written by one thread each, and read when all have ended.
    private final class Slot: @unchecked Sendable { var host: TestHost? }
}
