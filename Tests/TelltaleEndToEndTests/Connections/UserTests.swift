import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The user of a service: who may configure it, who reaches it, and by which path.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: ProcessIdentity.uid == 0, "needs root"))
struct UserTests {
    private static let user: UInt32 = 54321
    private static let other: UInt32 = 54322
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("telltale-user")
        chmod(folder.path, 0o755)
        for path in ["/tmp/telltale-\(Self.user)", "/tmp/telltale-\(Self.other)"] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// A host without the variables that say where its socket is, and a client without them.
    private func host(
        _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> TestHost {
        try TestHost(
            options,
            environment: ["TELLTALE_DIRECTORY": "", "XDG_RUNTIME_DIR": ""].merging(environment) {
                $1
            })
    }

    private func client(
        _ host: TestHost, as uid: UInt32 = 0, _ arguments: String
    ) throws -> TestHost.Outcome {
        let prefix =
            uid == 0 ? "" : "setpriv --reuid \(uid) --regid \(uid) --clear-groups "
        return try host.shell(
            "\(prefix)\"$TELLTALE_CLIENT\" \(arguments)",
            environment: ["TELLTALE_DIRECTORY": "", "XDG_RUNTIME_DIR": ""])
    }

    @Test("a setuid program heeds nothing of its environment, and says so")
    func setuidProgram() throws {
        let program = "\(folder.path)/host"
        try FileManager.default.copyItem(
            atPath: try BuiltProgram.path(of: "telltale-test-host"), toPath: program)
        chown(program, 0, 0)
        chmod(program, 0o4755)
        let victim = "\(folder.path)/victim"
        chmod(folder.path, 0o777)
        let script = """
            cd /; mkfifo -m 666 "$WORK/in"
            setpriv --reuid \(Self.user) --regid \(Self.user) --clear-groups --no-new-privs true || exit 1
            setpriv --reuid \(Self.user) --regid \(Self.user) --clear-groups bash -c '
                "$WORK/host" <> "$WORK/in" > "$WORK/out" 2> "$WORK/err" & echo $! > "$WORK/pid"; wait' &
            for i in $(seq 600); do grep -q READY "$WORK/out" && break; sleep 0.05; done
            pid="$(sed -n 's/READY //p' "$WORK/out")"
            grep Uid: "/proc/$pid/status"
            "$CLIENT" "$pid" info; "$CLIENT" "$pid" set photos.prompt '"x"'
            kill -USR1 "$pid"; for i in $(seq 600); do grep -q " END " "$WORK/err" && break; sleep 0.05; done
            cat "$WORK/err"; kill -9 "$pid"; wait
            """
        let started = try StartedProgram(
            "/usr/bin/timeout", ["-k", "1", "60", "/bin/bash", "-c", "exec 2>&1; \(script)"],
            environment: [
                "CLIENT": try BuiltProgram.path(of: "telltale"), "WORK": folder.path,
                "TELLTALE_OUTPUT": victim, "TELLTALE_AUDIT": "\(victim).audit",
                "TELLTALE_DIRECTORY": folder.path, "TELLTALE_MODE": "read-only",
            ])
        let output = String(
            decoding: started.readToEnd(until: .now.advanced(by: .seconds(70))) ?? [], as: UTF8.self
        )
        _ = started.waitUntilExit()
        #expect(output.contains("Uid:\t\(Self.user)\t0\t0\t0"), "\(output)")
        #expect(output.contains("TELLTALE_DIRECTORY"), "\(output)")
        #expect(output.contains("in the environment are not heeded"), "\(output)")
        #expect(output.contains("AT_SECURE"), "\(output)")
        #expect(output.contains(" d1 END "), "\(output)")
        #expect(!FileFacts.exists(victim))
        #expect(!FileFacts.exists("\(victim).audit"))
        #expect(SocketDirectory(path: folder.path).sockets().isEmpty)
    }

    @Test("a service that gives up root has its socket with the new user, and is reached by both")
    func givesUpRoot() throws {
        let host = try host(environment: ["TELLTALE_HEARTBEAT": "0"])
        #expect(SocketDirectory(path: "/tmp/telltale-0").sockets().contains { $0.pid == host.pid })
        #expect(try host.perform("setuid \(Self.user)") == "uid \(Self.user) \(Self.user)")
        let place = SocketDirectory(path: "/tmp/telltale-\(Self.user)")
        try host.waitForError(
            containing:
                "the process acts as uid \(Self.user) now, and as uid 0 before; the socket is "
                + place.path)
        for uid in [0, Self.user] {
            let outcome = try client(host, as: uid, "$PID get answer")
            #expect(outcome.output == "42\n", "as \(uid): \(outcome)")
        }
        let stranger = try client(host, as: Self.other, "$PID get answer")
        #expect(stranger.status == 4, "\(stranger)")
        #expect(stranger.output.isEmpty)
        // Also where it could not take the old name away.
        for uid in [0, Self.user] {
            let lines = try client(host, as: uid, "").output.split(separator: "\n")
                .filter { $0.hasPrefix("\(host.pid) ") }
            #expect(lines.count == 1, "as \(uid): \(lines)")
            #expect(lines.first?.contains(" \(Self.user) ") == true, "\(lines)")
            #expect(lines.first?.contains("running") == true, "\(lines)")
        }
        let byName = try client(host, as: Self.user, "telltale-test-host get answer")
        #expect(byName.output == "42\n", "\(byName)")
    }

    @Test("one that acts as another user for a while comes back to its own")
    func actsForAWhile() throws {
        let host = try host()
        let own = SocketDirectory(path: "/tmp/telltale-0")
        let place = SocketDirectory(path: "/tmp/telltale-\(Self.user)")
        #expect(try host.perform("seteuid \(Self.user)") == "uid 0 \(Self.user)")
        try waitUntil("it is with the other user") { !place.sockets().isEmpty }
        #expect(try client(host, as: Self.user, "$PID get answer").output == "42\n")
        // A connection made as that user is closed when the process acts as its own user again.
        mkfifo("\(folder.path)/in", 0o666)
        chmod("\(folder.path)/in", 0o666)
        let input = FileDescriptor(taking: open("\(folder.path)/in", O_RDWR | O_CLOEXEC))
        let socket = try #require(place.sockets().first { $0.pid == host.pid })
        let lasting = try StartedProgram(
            "/bin/sh",
            [
                "-c",
                "exec setpriv --reuid \(Self.user) --regid \(Self.user) --clear-groups socat -t 30 - "
                    + "UNIX-CONNECT:\(place.path(of: socket)) < \(folder.path)/in",
            ])
        try DescriptorWriter.write("get answer\n".utf8, to: input.raw, name: "pipe")
        var said = ""
        try waitUntil("the client has its answer") {
            said += String(decoding: lasting.read(until: .now) ?? [], as: UTF8.self)
            return said.contains("42\n")
        }
        #expect(try host.perform("seteuid 0") == "uid 0 0")
        try DescriptorWriter.write("get answer\n".utf8, to: input.raw, name: "pipe")
        try waitUntil("the client is told") {
            said += String(decoding: lasting.read(until: .now) ?? [], as: UTF8.self)
            return said.contains("the process acts as uid 0 now, and you are uid \(Self.user)")
        }
        #expect(said.components(separatedBy: "42\n").count == 2, "\(said)")
        try waitUntil("it is back") {
            place.sockets().isEmpty && own.sockets().contains { $0.pid == host.pid }
        }
        #expect(try client(host, "$PID get answer").output == "42\n")
        #expect(try client(host, as: Self.user, "$PID get answer").status == 4)
    }

    @Test("one that starts its agent after it gave up root has its socket with the new user")
    func startsLater() throws {
        let host = try host(["unstarted"])
        #expect(try host.perform("setuid \(Self.user)") == "uid \(Self.user) \(Self.user)")
        #expect(try host.perform("start") == "running")
        for uid in [0, Self.user] {
            #expect(try client(host, as: uid, "$PID get answer").output == "42\n")
        }
    }

    @Test("root's name means root's own service, and the user's is named with its user")
    func names() throws {
        let foreign = try host(environment: ["TELLTALE_NAME": "ledger"])
        #expect(try foreign.perform("setuid \(Self.user)").hasPrefix("uid"))
        try foreign.waitForError(containing: "the socket is /tmp/telltale-\(Self.user)")
        let hint = "telltale \(Self.user)/ledger …"
        for command in ["ledger set photos.prompt '\"x\"'", "ledger get answer"] {
            let refused = try client(foreign, command)
            #expect(refused.status == 3, "\(refused)")
            #expect(refused.output.isEmpty)
            #expect(
                refused.errors.contains("no agent of root is named 'ledger'; available: ")
                    && refused.errors.contains("\(Self.user)/ledger (\(foreign.pid))")
                    && refused.errors.contains(hint), "\(refused)")
        }
        #expect(try foreign.perform("prompt") == "nil")
        #expect(try client(foreign, "\(Self.user)/ledger get answer").output == "42\n")
        let byPid = try client(foreign, "$PID get answer")
        #expect(byPid.output == "42\n")
        #expect(
            byPid.errors == "telltale: ledger(\(foreign.pid)) is \(Self.user)'s\n", "\(byPid)")
        // With one of root's own of the same name that one is meant.
        let own = try host(environment: ["TELLTALE_NAME": "ledger"])
        let outcome = try client(own, "ledger set photos.prompt '\"x\"'")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try own.perform("prompt") == "x")
        #expect(try foreign.perform("prompt") == "nil")
    }

    @Test("a request that goes out with the greeting goes to nobody but who is meant")
    func earlyRequest() throws {
        // Another user's, by the name and by the pid of a service that has no agent.
        let sleeper = try StartedProgram("/bin/sleep", ["1000"])
        defer { sleeper.send(StartedProgram.terminate) }
        let ticks = try #require(ProcessFiles(pid: sleeper.pid).stat?.startTicks)
        let place = "/tmp/telltale-\(Self.user)"
        mkdir(place, 0o700)
        let impostor = try ScriptedAgent(
            in: place, name: "ledger",
            socketName: SocketName(pid: sleeper.pid, startTicks: ticks))
        chown(impostor.path, Self.user, Self.user)
        chown(place, Self.user, Self.user)
        let host = try host(["unstarted"])
        for target in ["ledger", "\(sleeper.pid)"] {
            let outcome = try client(host, "\(target) get apiToken")
            #expect(outcome.status == 3, "\(outcome)")
        }
        #expect(impostor.requests.isEmpty, "\(impostor.requests)")
    }

    @Test("a directory that was made beforehand is said, with its owner and where the socket is")
    func takenDirectory() throws {
        let place = "/tmp/telltale-\(Self.user)"
        mkdir(place, 0o700)
        chown(place, 33, 33)
        let host = try host(["unstarted"])
        #expect(try host.perform("setuid \(Self.user)").hasPrefix("uid"))
        #expect(try host.perform("start") == "running")
        let text = try host.waitForError(
            containing: "so the socket is /dev/shm/telltale-\(Self.user)/")
        #expect(text.contains("\(place) belongs to uid 33"), "\(text)")
        #expect(text.contains("set TELLTALE_DIRECTORY to a directory"), "\(text)")
        #expect(try host.perform("status").contains("\(place) belongs to uid 33"))
        let outcome = try client(host, as: Self.user, "$PID get answer")
        #expect(outcome.output == "42\n", "\(outcome)")
        try? FileManager.default.removeItem(atPath: place)
        try? FileManager.default.removeItem(atPath: "/dev/shm/telltale-\(Self.user)")
    }
}
