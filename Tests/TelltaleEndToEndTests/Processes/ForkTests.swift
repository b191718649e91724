import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Children: none answers in its parent's name, and none holds its parent's descriptors.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ForkTests {
    @Test("a child holds none of its parent's connections, however many there are")
    func connectionsOfTheParent() throws {
        let host = try TestHost(["unstarted"])
        #expect(try host.perform("connections 256") == "running")
        let path = try host.socketPath()
        var clients: [RawClient] = []
        for _ in 0..<200 {
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            #expect(client.line()?.contains("\"result\"") == true)
            clients.append(client)
        }
        let child = try #require(Int32(try host.perform("fork plain")))
        defer { kill(child, SIGKILL) }
        #expect(Self.keepsNothing(child))
        host.end()
        for client in clients { #expect(client.closes()) }
        try Self.expectNobody(at: path)
        #expect(ProcessFiles(pid: child).stat?.state != "Z")
    }

    @Test("prefork workers: those that start the agent have one each, the others none")
    func prefork() throws {
        let host = try TestHost()
        let parents = try host.socketPath()
        let plain = try (0..<4).map { _ in try Self.child(host.perform("fork plain")) }
        let started = try (0..<4).map { _ in try Self.child(host.perform("fork start")) }
        defer { for child in plain + started { kill(child, SIGKILL) } }
        let directory = SocketDirectory(path: host.directory)
        for child in started { try Self.waitForAgent(of: child, in: directory) }
        #expect(Set(directory.sockets().map(\.pid)) == Set(started + [host.pid]))
        for child in started {
            let outcome = try host.telltale(["\(child)", "get", "answer"])
            #expect(outcome.output == "42\n", "\(outcome)")
            let status = try host.telltale(["\(child)", "status"]).output
            #expect(StolenTime.removed(from: status).contains("(\(child)) running"), "\(status)")
        }
        for child in plain {
            #expect(Self.keepsNothing(child))
            #expect(try host.telltale(["\(child)", "status"]).status == 3)
        }
        host.end()
        try Self.expectNobody(at: parents)
        for child in started {
            let outcome = try host.telltale(["\(child)", "get", "answer"])
            #expect(outcome.output == "42\n", "\(outcome)")
        }
    }

    @Test("a daemon has no agent until it starts one, and then its own", arguments: [false, true])
    func daemon(_ isStarting: Bool) throws {
        let host = try TestHost()
        let parents = try host.socketPath()
        let daemon = try Self.child(host.perform("daemonise" + (isStarting ? " start" : "")))
        defer { kill(daemon, SIGKILL) }
        if isStarting {
            try Self.waitForAgent(of: daemon, in: SocketDirectory(path: host.directory))
        } else {
            #expect(Self.keepsNothing(daemon))
        }
        host.end()
        try Self.expectNobody(at: parents)
        let outcome = try host.telltale(["\(daemon)", "get", "answer"])
        #expect(outcome.output == (isStarting ? "42\n" : ""), "\(outcome)")
        #expect(outcome.status == (isStarting ? 0 : 3))
    }

    @Test("forks during dumps: every child ends as it should, and every dump is whole")
    func forksDuringDumps() throws {
        let host = try TestHost()
        let clients = try StartedProgram(
            "/bin/sh",
            [
                "-c",
                // A capture without a processor in time is not an incomplete dump.
                #"""
                while :; do
                    said=$("$CLIENT" "$PID" dump 2>&1); status=$?
                    case "$status $said" in
                    "0 "*" END "*) echo whole;;
                    "5 "*"is not answering"*) ;;
                    *) echo "status $status: $said"; exit 1;;
                    esac
                done
                """#,
            ],
            environment: [
                "CLIENT": try BuiltProgram.path(of: "telltale"), "PID": "\(host.pid)",
                "TELLTALE_DIRECTORY": host.directory,
            ])
        var said = ""
        var rounds = 0
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        while rounds < 10 || !said.contains("whole\nwhole"), .now < deadline {
            #expect(try host.perform("forks 50") == "50")
            rounds += 1
            said += String(decoding: clients.read(until: .now) ?? [], as: UTF8.self)
        }
        clients.send(StartedProgram.terminate)
        _ = clients.readToEnd(until: .now.advanced(by: .seconds(60)))
        #expect(clients.waitUntilExit() == 128 + SIGTERM, "\(said)")
        #expect(rounds >= 10 && said.contains("whole\nwhole"), "\(rounds): \(said)")
        #expect(host.isRunning)
    }

    @Test("children forked during a dump that start the agent have one: 40 of 40")
    func workersForkedDuringDumps() throws {
        let host = try TestHost()
        let directory = SocketDirectory(path: host.directory)
        for number in 1...40 {
            host.send(SIGUSR1)
            let child = try Self.child(host.perform("fork start"))
            defer { kill(child, SIGKILL) }
            try Self.waitForAgent(of: child, in: directory)
            let outcome = try host.telltale(["\(child)", "get", "answer"])
            #expect(outcome.output == "42\n", "child \(number): \(outcome)")
        }
    }

    @Test(
        "start() in a child waits for nothing of its parent's, and stop() closes nothing of its own"
    )
    func restartInAChild() throws {
        let host = try TestHost()
        var times: [Duration] = []
        for _ in 0..<5 {
            let began = MonotonicTime.now
            #expect(try host.perform("fork-restart") == "0")
            times.append(MonotonicTime.now.since(began))
        }
        // A fork that waited for Dispatch's threads took a second each.
        #expect(times.contains { $0 < .milliseconds(900) }, "\(times)")
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test(
        "a child looks at its own threads, tasks and queues, also one that was forked while its parent learnt how",
        arguments: ["fork start", "start-fork"])
    func looksInAChild(_ command: String) throws {
        for number in 1...5 {
            // In a child the queues have no threads to answer on.
            let host = try TestHost(
                command == "start-fork" ? ["unstarted"] : [],
                environment: ["TELLTALE_OWNER_DEADLINE": "500"])
            let child = try Self.child(host.perform(command))
            defer { kill(child, SIGKILL) }
            try Self.waitForAgent(of: child, in: SocketDirectory(path: host.directory))
            for words in [["threads"], ["stack"], ["tasks"], ["actors"], ["queues", "--all"]] {
                let began = MonotonicTime.now
                let outcome = try host.telltale(["\(child)"] + words)
                #expect(outcome.status == 0, "\(number) \(words): \(outcome)")
                #expect(MonotonicTime.now.since(began) < .seconds(30), "\(number) \(words)")
            }
        }
    }

    @Test("exec keeps nothing of the agent's, and the new program may have an agent of its own")
    func exec() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        let held = try RawClient(path)
        held.send(line: RawClient.hello)
        #expect(held.line()?.contains("\"result\"") == true)
        #expect(try host.perform("execute") == "executed")
        #expect(held.closes())
        #expect(Self.keepsNothing(host.pid))
        try Self.expectNobody(at: path)
        #expect(try host.perform("start") == "running")
        #expect(try host.socketPath() == path)
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
        #expect(try host.perform("stop") == "stopped")
        // Nothing caught or ignored came over.
        host.send(SIGUSR1)
        #expect(host.waitForEndingSignal() == SIGUSR1)
    }

    private static func child(_ answer: String) throws -> Int32 { try #require(Int32(answer)) }

    // Its socket has a name a moment before anybody listens on it.
    private static func waitForAgent(of child: Int32, in directory: SocketDirectory) throws {
        try waitUntil("\(child) has an agent") {
            guard let name = directory.sockets().first(where: { $0.pid == child }) else {
                return false
            }
            return (try? RawClient(directory.path(of: name))) != nil
        }
    }

    // A fork returns in the parent before the child has closed anything.
    private static func keepsNothing(_ pid: Int32) -> Bool {
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        while !agentsDescriptors(of: pid).isEmpty, deadline > .now { usleep(1000) }
        return agentsDescriptors(of: pid).isEmpty
    }

    // Sockets, the watch of a directory, and files of /proc: the agent's descriptors. A dispatch
    // queue of the host has descriptors of other kinds, and this process may have left it some of
    // its own.
    private static func agentsDescriptors(of pid: Int32) -> [String] {
        let inherited = Set(descriptors(of: "self"))
        return descriptors(of: "\(pid)").filter {
            !inherited.contains($0)
                && ($0.hasPrefix("socket:") || $0.contains("inotify") || $0.contains("schedstat"))
        }
    }

    private static func descriptors(of process: String) -> [String] {
        DirectoryListing.names(in: "/proc/\(process)/fd")
            .compactMap { ProcessFiles.link("/proc/\(process)/fd/\($0)") }
    }

    // A connection is refused at once; one that a child kept open would be made and never answered.
    private static func expectNobody(at path: String) throws {
        let error = #expect(throws: SystemError.self) {
            _ = try UnixSocket.connect(to: path, deadline: .now.advanced(by: .seconds(5)))
        }
        #expect(error?.isRefused == true, "\(String(describing: error))")
    }
}
