#if os(Linux) && arch(x86_64)
import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Hosts that have much of something, and what a look at them may cost.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SizeTests {
    private static func number(_ name: String, of host: TestHost) throws -> Int {
        let text = try #require(ProcessFiles(pid: host.pid).status(name))
        return try #require(text.split(separator: " ").first.flatMap { Int($0) })
    }

    @Test("reserved address space is neither touched nor walked over")
    func reserved() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        let pid = "\(host.pid)"
        _ = try host.telltale([pid, "dump"])
        #expect(try host.perform("size reserve") == "reserved")
        let before = try Self.number("VmPTE", of: host)
        #expect(try host.telltale([pid, "alive"]).status == 0)
        let dump = try host.telltale([pid, "dump"])
        #expect(dump.output.contains(" END ") && dump.output.contains("missing=0"), "\(dump)")
        #expect(try host.telltale([pid, "holders", "store"]).status == 0)
        let heap = try host.telltale([pid, "heap"])
        #expect(heap.status == 0 && !heap.output.contains("not all"), "\(heap)")
        // Each piece of 64 MiB that is touched costs a table of 4 kB.
        #expect(try Self.number("VmPTE", of: host) - before < 1024)
    }

    @Test("a snapshot that would stop the service for long is made where it is asked for by name")
    func long() throws {
        let host = try TestHost()
        #expect(try host.perform("size fill 2048") == "filled")
        let pid = "\(host.pid)"
        let plain = try host.telltale([pid, "get", "plain.names"])
        #expect(plain.status == 1)
        #expect(
            plain.errors.contains(
                "plain was not read: a snapshot would stop the service for some 8"),
            "\(plain.errors)")
        #expect(plain.errors.contains("`show plain --snapshot` does it all the same"))
        host.send(SIGUSR1)
        let dump = try host.waitForError(containing: " END ")
        #expect(
            dump.firstMatch(of: #/ VERDICT \d+ of \d+ objects read/#) != nil, "\(dump)")
        #expect(dump.contains(" plain Plain: NOT READ: plain was not read: a snapshot would stop"))
        // Last: what it takes is learnt from it.
        let asked = try host.telltale([pid, "show", "plain", "--snapshot"])
        #expect(asked.status == 0 && asked.output.contains("in a snapshot"), "\(asked)")
    }

    @Test("an object without an owner is read, however long a dump searches for what is stuck")
    func unowned() throws {
        // The search takes a second.
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "400"])
        try host.waitUntilLearnt()
        #expect(try host.perform("tasks lost") == "ready")
        host.send(SIGUSR1)
        let dump = try host.waitForError(containing: " END ")
        #expect(dump.contains(" plain: Plain #1  (in a snapshot)"), "\(dump)")
        #expect(dump.contains("missing=0"))
    }

    /// A control group of this test's, which ends with it.
    private final class MemoryGroup {
        static let root = "/sys/fs/cgroup/memory"
        static var isAvailable: Bool {
            FileManager.default.isWritableFile(atPath: "\(root)/memory.limit_in_bytes")
        }
        let path = "\(root)/telltale-test-\(ProcessIdentity.pid)-\(MonotonicTime.now.nanoseconds)"

        init(megabytes: Int? = nil) throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
            if let megabytes { try bound(megabytes << 20) }
        }

        func bound(_ bytes: Int) throws {
            try "\(bytes)".write(
                toFile: "\(path)/memory.limit_in_bytes", atomically: false, encoding: .utf8)
        }

        /// The bytes in use that the kernel can't drop at once.
        func used() throws -> Int {
            let text = try #require(SmallFile.text(of: "\(path)/memory.stat"))
            return text.split(separator: "\n").reduce(0) { sum, line in
                let words = line.split(separator: " ")
                let isCounted = ["rss", "mapped_file"].contains(words[0])
                return sum + (isCounted ? Int(words[1]) ?? 0 : 0)
            }
        }

        deinit { rmdir(path) }
    }

    @Test(
        "a host that has most of its control group's memory is not copied, and lives",
        .enabled(if: MemoryGroup.isAvailable))
    func group() throws {
        let group = try MemoryGroup(megabytes: 430)
        let host = try TestHost(["host-code"], shell: "echo 0 > \(group.path)/cgroup.procs")
        defer { host.end() }
        #expect(try host.perform("size fill 304") == "filled")
        #expect(try host.perform("size write") == "writing")
        let pid = "\(host.pid)"
        for _ in 0..<5 {
            host.send(SIGUSR1)
            let dump = try host.waitForError(containing: " END ")
            #expect(
                dump.contains(" plain Plain: NOT READ: plain was not read: a snapshot can take 3"))
            #expect(dump.contains("the kernel might end the service"))
        }
        let asked = try host.telltale([pid, "show", "plain", "--snapshot"])
        #expect(
            asked.status == 1 && asked.errors.contains("the kernel might end the service"),
            "\(asked)")
        // Host code is tried in such a copy.
        let computed = try host.telltale([pid, "get", "ledger.sum"])
        #expect(
            computed.errors.contains("ledger.sum was not run: a copy of the process, in which")
                && computed.errors.contains("the kernel might end the service"), "\(computed)")
        #expect(host.isRunning)
    }

    @Test(
        "a host at the limit of its control group lives, whatever it is asked; what is refused is said",
        .enabled(if: MemoryGroup.isAvailable), arguments: [8, 12, 16, 32], [false, true])
    func groupLimit(_ megabytes: Int, isAsked: Bool) throws {
        let group = try MemoryGroup()
        let host = try TestHost(shell: "echo 0 > \(group.path)/cgroup.procs")
        defer { host.end() }
        try host.waitUntilLearnt()
        let pid = "\(host.pid)"
        let commands = [
            ["get", "answer"], ["status"], ["alive"], ["stack", "all"], ["stuck"], ["heap"],
            ["dump"],
        ]
        if isAsked { for command in commands { _ = try host.telltale([pid] + command) } }
        try group.bound(group.used() + megabytes << 20)
        var refusals = 0
        for command in commands {
            let outcome = try host.telltale(["--timeout", "5s", pid] + command)
            try #require(host.isRunning, "\(command): \(outcome)")
            #expect(!outcome.errors.isEmpty || !outcome.output.isEmpty, "\(command): \(outcome)")
            if outcome.errors.contains("of memory are left before the kernel ends a process") {
                refusals += 1
            }
        }
        host.send(SIGUSR1)
        _ = try host.waitForError(containing: refusals > 0 ? "a dump was not made" : " END ")
        #expect(host.isRunning)
        if megabytes < 12 { #expect(refusals > 0) }
        if megabytes > 16 { #expect(refusals == 0) }
    }

    @Test("a host whose spinning accept takes every descriptor is answered, again and again")
    func clients() throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        let folder = try TemporaryFolder("telltale-size")
        let path = "\(folder.path)/clients"
        #expect(try host.perform("size clients \(path)") == "listening")
        // More than it can ever take.
        let clients = try (0..<200).map { _ in
            OwnDescriptor(
                try UnixSocket.connect(to: path, deadline: .now.advanced(by: .seconds(20)))
                    .release())
        }
        defer { for client in clients { client.close() } }
        try waitUntil("it has no descriptor left") {
            // One that it was given may have a number above its limit.
            (ProcessFiles(pid: host.pid).descriptorCount ?? 0) >= 64
        }
        let pid = "\(host.pid)"
        for _ in 0..<3 {
            let status = try host.telltale([pid, "status"])
            #expect(status.status == 0 && status.output.contains("running"), "\(status)")
            let stuck = try host.telltale([pid, "stuck"])
            #expect(stuck.status == 0 && !stuck.output.contains("not available"), "\(stuck)")
            #expect(try host.telltale([pid, "alive"]).status == 0)
            host.send(SIGUSR1)
            let dump = try host.waitForError(containing: " END ")
            #expect(dump.contains("acceptForGood"), "\(dump)")
            let descriptors = dump.firstMatch(of: #/fds=([0-9]+)/64 /#)
            #expect(descriptors.map { Int($0.1) ?? 0 >= 60 } ?? false, "\(dump)")
            #expect(dump.contains("missing=0"))
        }
        #expect((ProcessFiles(pid: host.pid).descriptorCount ?? 0) >= 64)
    }
}
#endif
