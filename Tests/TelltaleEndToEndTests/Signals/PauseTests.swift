import Foundation
import Glibc
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The pauses that a service reports, and those it doesn't: a pause that nothing caused is not a
/// line in its log.
@Suite(.serialized, .timeLimit(.minutes(40)))
struct PauseTests {
    @Test("a service on an overcommitted machine that is halted now and then says nothing")
    func noise() throws {
        let host = try TestHost()
        let cores = ProcessInfo.processInfo.processorCount
        let load = try (0..<4 * cores).map { _ in
            try StartedProgram("/bin/sh", ["-c", "while :; do :; done"])
        }
        let group = FrozenGroup(of: [host.pid] + load.map(\.pid))
        let end = MonotonicTime.now.advanced(by: .seconds(Soak.count(20, soak: 1200)))
        var halts = 0
        while .now < end {
            if let group {
                // All of it, the service too.
                group.freeze(true)
                usleep(200_000)
                group.freeze(false)
            } else {
                for one in load { kill(one.pid, SIGSTOP) }
                usleep(200_000)
                for one in load { kill(one.pid, SIGCONT) }
            }
            halts += 1
            usleep(1_300_000)
        }
        let late = try host.telltale(["\(host.pid)", "info"]).output
        host.send(SIGUSR2)
        let text = try host.waitForError(containing: " up=")
        #expect(text.split(separator: "\n").count == 1, "\(text)")
        // The event can still be asked for.
        if group != nil { #expect(late.contains("woken late"), "\(late)") }
        #expect(halts >= 10)
        print(
            "\(halts) halts;", late.split(separator: "\n").first { $0.contains("woken late") } ?? ""
        )
    }

    @Test(
        "a debugger's pause of a second is told each time, without any signal",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gdb"), "gdb is missing")
    )
    func debugger() throws {
        let host = try TestHost()
        for _ in 0..<Soak.count(2, soak: 20) {
            let gdb = try StartedProgram(
                "/usr/bin/gdb",
                ["-nx", "-p", "\(host.pid)", "-batch", "-ex", "shell sleep 1", "-ex", "detach"])
            let text = try host.waitForError(containing: "lldb: plain = ")
            _ = gdb.waitUntilExit()
            #expect(text.components(separatedBy: "RESUMED").count == 2, "\(text)")
        }
    }

    @Test("a cgroup that was frozen for a second is told, and named where the kernel counts that")
    func frozen() throws {
        // As a service manager does it: in its group before it begins.
        let host = try TestHost(["unstarted"])
        guard let group = FrozenGroup(of: [host.pid]) else { return }
        #expect(try host.perform("start") == "running")
        for _ in 0..<Soak.count(1, soak: 20) {
            group.freeze(true)
            usleep(1_050_000)
            group.freeze(false)
            let text = try host.waitForError(containing: "lldb: plain = ")
            let cause =
                group.isCounted ? "its cgroup was frozen" : "a debugger's stop or a frozen cgroup"
            #expect(text.contains(cause), "\(text)")
        }
    }

    @Test("a service that is stopped and continued all the time doesn't drown its log in reports")
    func flood() throws {
        let host = try TestHost()
        try host.readErrorsAllTheTime()
        for _ in 0..<60 {
            host.send(SIGSTOP)
            try waitUntil("the host is stopped") { ProcessFiles(pid: host.pid).stat?.state == "T" }
            host.send(SIGCONT)
            try waitUntil("the host goes on") { ProcessFiles(pid: host.pid).stat?.state != "T" }
        }
        host.send(SIGUSR2)
        let text = try host.waitForError(containing: " up=")
        let reports = text.components(separatedBy: " RESUMED ").count - 1
        #expect((1...20).contains(reports), "\(reports)")
    }

    @Test("without reports there is no heartbeat, and `info` says so", arguments: ["0", "1"])
    func noHeartbeat(reports: String) throws {
        let host = try TestHost(environment: ["TELLTALE_PAUSES": reports])
        let info = try host.telltale(["\(host.pid)", "info"]).output
        let row = try #require(info.split(separator: "\n").first { $0.contains("heartbeat") })
        #expect(row.hasSuffix(reports == "0" ? " off" : " 500 ms"), "\(row)")
    }

    @Test("SIGCONT to a service that nobody stopped is no pause")
    func continuedOnly() throws {
        let host = try TestHost()
        for _ in 0..<5 { host.send(SIGCONT) }
        host.send(SIGUSR2)
        let text = try host.waitForError(containing: " up=")
        #expect(!text.contains("RESUMED"), "\(text)")
    }
}

/// A cgroup of its own for some processes, if the tester may make one.
private final class FrozenGroup {
    private let path: String
    private let parent: String
    private let isUnified: Bool
    private let pids: [Int32]

    /// Indicates that the kernel counts the time it was frozen.
    let isCounted: Bool

    init?(of pids: [Int32]) {
        guard geteuid() == 0 else { return nil }
        self.pids = pids
        let name = "telltale-test-\(getpid())-\(pids.first ?? 0)"
        let candidates = [
            ("/sys/fs/cgroup/unified", true), ("/sys/fs/cgroup", true),
            ("/sys/fs/cgroup/freezer", false),
        ]
        for (root, isUnified) in candidates {
            let path = "\(root)/\(name)"
            guard mkdir(path, 0o755) == 0 else { continue }
            let file = isUnified ? "cgroup.freeze" : "freezer.state"
            if access("\(path)/\(file)", W_OK) == 0,
                pids.allSatisfy({ Self.write("\($0)", to: "\(path)/cgroup.procs") })
            {
                self.path = path
                self.parent = root
                self.isUnified = isUnified
                isCounted =
                    SmallFile.text(of: "\(path)/cgroup.stat.local")?.contains("frozen_usec") == true
                return
            }
            rmdir(path)
        }
        return nil
    }

    func freeze(_ isFrozen: Bool) {
        let word = isUnified ? (isFrozen ? "1" : "0") : (isFrozen ? "FROZEN" : "THAWED")
        _ = Self.write(
            word, to: isUnified ? "\(path)/cgroup.freeze" : "\(path)/freezer.state")
    }

    deinit {
        freeze(false)
        for pid in pids { _ = Self.write("\(pid)", to: "\(parent)/cgroup.procs") }
        rmdir(path)
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return Glibc.write(file, text, text.utf8.count) == text.utf8.count
    }
}
