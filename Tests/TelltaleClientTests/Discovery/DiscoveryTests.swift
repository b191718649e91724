import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

struct DiscoveryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("telltale-discovery") }

    private func discovery(
        _ timeout: Duration = .seconds(5), owner: UInt32 = ProcessIdentity.uid
    ) -> Discovery {
        Discovery(
            places: SearchPlaces(only: [.init(directory: folder.path, owner: owner)]),
            timeout: timeout)
    }

    private func look(_ timeout: Duration = .seconds(5)) -> [DiscoveryResult] {
        var discovery = discovery(timeout)
        return discovery.contact(discovery.candidates(within: .namespaces))
    }

    /// A socket without a listener, old enough to be a dead process's.
    private func deadSocket(_ name: SocketName) throws -> String {
        let path = "\(folder.path)/\(name.fileName)"
        do { _ = try UnixSocket.listen(at: path, backlog: 1) }
        age(path)
        return path
    }

    private func age(_ path: String) {
        var times = [
            timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0),
        ]
        utimensat(AT_FDCWD, path, &times, 0)
    }

    @Test("an agent is found and has shaken hands")
    func found() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "ledger")
        let results = look()
        #expect(results.count == 1)
        let connection = try #require(results.first?.agent)
        #expect(connection.hello.name == "ledger")
        #expect(connection.pid == ProcessIdentity.pid)
        #expect(connection.location.path == agent.path)
    }

    @Test("several agents are asked at once: two that hang cost one deadline")
    func several() throws {
        let first = try ScriptedAgent(in: folder.path, name: "a", socketName: .dead(1))
        let slow = [2, 3].map { number in
            try? ScriptedAgent(in: folder.path, socketName: .dead(number), hello: .silence)
        }
        let before = MonotonicTime.now
        let results = look(.seconds(3))
        #expect(MonotonicTime.now.since(before) < .milliseconds(5700))
        #expect(results.count == 3)
        #expect(results.compactMap(\.agent).map(\.hello.name) == ["a"])
        let silent = results.compactMap(\.failure)
        #expect(silent.allSatisfy { $0.code == .timeout && $0.message.contains("not answering") })
        #expect(silent.count == 2)
        withExtendedLifetime((first, slow)) {}
    }

    @Test("the socket of a process that has ended is removed")
    func stale() throws {
        let path = try deadSocket(.dead())
        #expect(look().isEmpty)
        #expect(!FileFacts.exists(path))
    }

    @Test("a dead socket that is only just made stays: its agent may be about to listen")
    func young() throws {
        let path = "\(folder.path)/\(SocketName.dead().fileName)"
        do { _ = try UnixSocket.listen(at: path, backlog: 1) }
        // However long this takes on a busy machine, it is young.
        var times = [timeval(tv_sec: time(nil) + 3600, tv_usec: 0)]
        times += times
        #expect(utimes(path, times) == 0)
        #expect(look().isEmpty)
        #expect(FileFacts.exists(path))
    }

    @Test("a socket whose process still runs stays, and is shown as not answering")
    func refusedAndRunning() throws {
        let path = try deadSocket(ScriptedAgent.ownName)
        let failure = try #require(look().first?.failure)
        #expect(failure.message.contains("the agent at "))
        #expect(FileFacts.exists(path))
    }

    @Test("the socket of a stopped process stays, and it is shown as stopped")
    func stopped() throws {
        let sleeper = try StartedProgram("/bin/sleep", ["1000"])
        kill(sleeper.pid, SIGSTOP)
        defer { kill(sleeper.pid, SIGKILL) }
        try waitUntil("it is stopped") { ProcessFiles(pid: sleeper.pid).stat?.state == "T" }
        let ticks = try #require(ProcessFiles(pid: sleeper.pid).stat?.startTicks)
        let path = try deadSocket(SocketName(pid: sleeper.pid, startTicks: ticks))
        let result = try #require(look().first)
        guard case .halted(_, .stopped, _) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(result.pid == sleeper.pid)
        #expect(result.failure?.hint?.contains("kill -CONT \(sleeper.pid)") == true)
        #expect(FileFacts.exists(path))
    }

    @Test("the socket of a zombie stays, and it is said to have ended")
    func zombie() throws {
        var pid: pid_t = 0
        let path = "/bin/true"
        var arguments = [strdup(path), nil]
        defer { free(arguments[0]) }
        #expect(posix_spawn(&pid, path, nil, nil, &arguments, nil) == 0)
        defer { waitpid(pid, nil, 0) }
        try waitUntil("it has ended") { ProcessFiles(pid: pid).stat?.state == "Z" }
        let ticks = try #require(ProcessFiles(pid: pid).stat?.startTicks)
        let socket = try deadSocket(SocketName(pid: pid, startTicks: ticks))
        let failure = try #require(look().first?.failure)
        #expect(failure.code == .unreachable)
        #expect(
            failure.message == "process \(pid) (true) has ended and waits for its parent (pid "
                + "\(ProcessIdentity.pid)) to collect it (a zombie)")
        #expect(FileFacts.exists(socket))
    }

    @Test("a silent process whose crash is being written is said to be that")
    func crashed() throws {
        // The kernel cuts the backtracer's name to these 15 bytes.
        let backtracer = "\(folder.path)/swift-backtrace"
        let parent = try StartedProgram(
            "/bin/sh", ["-c", "cp /bin/sleep \(backtracer); \(backtracer) 1000 & wait"])
        defer { kill(parent.pid, SIGKILL) }
        #expect(ProcessHalt(ofSilent: ProcessIdentity.pid) == nil)
        try waitUntil("its child is the backtracer") {
            ProcessHalt(ofSilent: parent.pid) == .backtrace
        }
        let child = ProcessList.pids().first { ProcessFiles(pid: $0).stat?.parent == parent.pid }
        if let child { kill(child, SIGKILL) }
    }

    @Test("a link and a plain file of an agent's name are passed over and stay")
    func impostors() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "real", fileName: "elsewhere")
        let link = "\(folder.path)/\(SocketName.dead(1).fileName)"
        let file = "\(folder.path)/\(SocketName.dead(2).fileName)"
        symlink(agent.path, link)
        try PrivateFile.replace(file, with: [1])
        age(file)
        #expect(look().isEmpty)
        #expect(FileFacts.exists(link) && FileFacts.exists(file))
    }

    @Test("a directory that is open to others is not looked into, and that is said")
    func openDirectory() throws {
        let agent = try ScriptedAgent(in: folder.path)
        chmod(folder.path, 0o755)
        var discovery = discovery()
        #expect(discovery.candidates(within: .namespaces).isEmpty)
        #expect(discovery.problems == [.open(folder.path, mode: 0o755)])
        withExtendedLifetime(agent) {}
    }

    @Test("a directory of someone else is not looked into, and that is said")
    func foreignDirectory() throws {
        var discovery = discovery(owner: 12_345)
        #expect(discovery.candidates(within: .namespaces).isEmpty)
        #expect(discovery.problems == [.foreign(folder.path, owner: ProcessIdentity.uid)])
    }

    @Test("a directory behind a link is not looked into")
    func linkedDirectory() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let link = folder.path + ".link"
        symlink(folder.path, link)
        defer { unlink(link) }
        var discovery = Discovery(places: SearchPlaces(only: [.init(directory: link)]))
        #expect(discovery.candidates(within: .directories).isEmpty)
        #expect(discovery.problems == [.notADirectory(link)])
        withExtendedLifetime(agent) {}
    }

    @Test("an agent in a directory that nobody named is found through the kernel's table")
    func bound() throws {
        let agent = try ScriptedAgent(in: folder.path, name: "hidden")
        var discovery = Discovery(places: SearchPlaces(environment: { _ in nil }))
        #expect(
            !discovery.candidates(within: .directories).contains {
                $0.location.path == agent.path
            })
        #expect(
            discovery.candidates(within: .machine).contains { $0.location.path == agent.path })
    }

    @Test("two ways to one socket are one candidate")
    func twice() throws {
        let agent = try ScriptedAgent(in: folder.path)
        let places = SearchPlaces(only: [
            .init(directory: folder.path), .init(directory: folder.path + "/."),
        ])
        var discovery = Discovery(places: places)
        #expect(discovery.candidates(within: .directories).count == 1)
        withExtendedLifetime(agent) {}
    }
}
