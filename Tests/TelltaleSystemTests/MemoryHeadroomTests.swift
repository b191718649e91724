#if os(Linux) && DEBUG
import Foundation
import TelltaleSystem
import Testing

@Suite("How much more memory a process can have, and what a copy of it may take of that")
struct MemoryHeadroomTests {
    private static func megabytes(_ count: UInt64) -> UInt64 { count << 20 }

    private static func machine(available: UInt64, swap: UInt64 = 0) -> String {
        """
        MemTotal:       99999999 kB
        MemAvailable:   \(available << 10) kB
        SwapFree:       \(swap << 10) kB
        CommitLimit:    \(300 << 10) kB
        Committed_AS:   \(100 << 10) kB

        """
    }

    private func headroom(
        _ groups: String?, _ files: [String: String], machine: String? = machine(available: 8000),
        overcommit: String = "0\n"
    ) throws -> MemoryHeadroom {
        let folder = try TemporaryFolder("telltale-headroom")
        for (path, text) in files {
            let file = "\(folder.path)/\(path)"
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        }
        return MemoryHeadroom(
            machine: machine, overcommit: overcommit, groups: groups, mountedAt: folder.path)
    }

    @Test("without a group's bound it is the machine's, with swap before anything is killed")
    func machineAlone() throws {
        let all = try headroom("", [:], machine: Self.machine(available: 500, swap: 100))
        #expect(all.free == Self.megabytes(500) && all.untilKilled == Self.megabytes(600))
        #expect(all.gap == nil)
        let strict = try headroom("", [:], overcommit: "2\n")
        #expect(strict.free == Self.megabytes(200) && strict.untilKilled == Self.megabytes(200))
    }

    @Test(
        "of version 2 the tightest group above holds, memory.high, and swap as far as it may be used"
    )
    func versionTwo() throws {
        func bytes(_ megabytes: UInt64) -> String { "\(megabytes << 20)\n" }
        let files = [
            "cgroup.controllers": "memory\n",
            "a/memory.max": bytes(1000), "a/memory.current": bytes(900),
            "a/memory.stat": "anon 5\ninactive_file \(200 << 20)\nslab 7\n",
            "a/memory.high": "max\n",
            "a/memory.swap.max": bytes(50), "a/memory.swap.current": bytes(20),
            "a/b/memory.max": "max\n", "a/b/memory.current": bytes(400),
            "a/b/memory.high": bytes(500), "a/b/memory.stat": "inactive_file 0\n",
        ]
        let all = try headroom(
            "0::/a/b\n", files, machine: Self.machine(available: 8000, swap: 1000))
        #expect(all.free == Self.megabytes(100))
        #expect(all.untilKilled == Self.megabytes(330))
        #expect(all.gap == nil)
    }

    @Test("files count as free unless they are mapped", arguments: [1, 2])
    func files(version: Int) throws {
        let isFirst = version == 1
        let prefix = isFirst ? "total_" : ""
        let folder = isFirst ? "memory/a" : "a"
        let files = [
            "cgroup.controllers": "memory\n",
            "memory/memory.limit_in_bytes": "9223372036854771712\n",
            "\(folder)/memory.\(isFirst ? "limit_in_bytes" : "max")": "\(400 << 20)\n",
            "\(folder)/memory.\(isFirst ? "usage_in_bytes" : "current")": "\(390 << 20)\n",
            "\(folder)/memory.stat": """
            \(prefix)\(isFirst ? "mapped_file" : "file_mapped") \(20 << 20)
            \(prefix)inactive_file \(40 << 20)
            \(prefix)active_file \(60 << 20)

            """,
        ]
        let all = try headroom(isFirst ? "4:memory:/a\n" : "0::/a\n", files)
        #expect(all.untilKilled == Self.megabytes(90))
    }

    @Test("of version 1 it is the group's limit, and that of memory and swap together")
    func versionOne() throws {
        let files = [
            "memory/memory.limit_in_bytes": "9223372036854771712\n",
            "memory/a/memory.limit_in_bytes": "\(430 << 20)\n",
            "memory/a/memory.usage_in_bytes": "\(350 << 20)\n",
            "memory/a/memory.stat": "inactive_file 1\ntotal_inactive_file \(20 << 20)\n",
            "memory/a/memory.memsw.limit_in_bytes": "\(450 << 20)\n",
            "memory/a/memory.memsw.usage_in_bytes": "\(360 << 20)\n",
        ]
        let all = try headroom(
            "4:memory:/a\n0::/x\n", files, machine: Self.machine(available: 8000, swap: 1000))
        #expect(all.free == Self.megabytes(100) && all.untilKilled == Self.megabytes(110))
    }

    @Test("what can't be read is said")
    func unknown() throws {
        #expect(try headroom("", [:], machine: nil).gap == "/proc/meminfo can't be read")
        #expect(try headroom(nil, [:]).gap == "/proc/self/cgroup can't be read")
        #expect(try headroom("0::/a\n", [:]).gap == "the control group's bound can't be read")
        #expect(try headroom("4:memory:/a\n", [:]).gap == "the control group's bound can't be read")
    }

    private func cost(_ copied: UInt64, memory: UInt64, free: UInt64, left: UInt64? = nil)
        -> CopyCost
    {
        var headroom = MemoryHeadroom.now
        headroom.free = Self.megabytes(free)
        headroom.untilKilled = Self.megabytes(left ?? free)
        headroom.gap = nil
        return CopyCost(
            copied: Self.megabytes(copied), memory: Self.megabytes(memory), headroom: headroom)
    }

    @Test(
        "a copy is made below a quarter of what is free, and never where the kernel may kill for it"
    )
    func bounds() {
        #expect(cost(100, memory: 100, free: 400).refusal == nil)
        #expect(cost(101, memory: 101, free: 400).refusal?.yields == true)
        #expect(cost(304, memory: 304, free: 110).refusal?.yields == false)
        #expect(cost(304, memory: 304, free: 110, left: 304).refusal?.yields == true)
        guard case .stops(let time) = cost(20_000, memory: 20_000, free: 1_000_000).refusal else {
            Issue.record("a copy of 20 GB would not stop the service")
            return
        }
        #expect(time > CopyCost.longest)
    }

    @Test("the time that a copy takes is learnt from those that are made")
    func learnt() async {
        await #expect(processExitsWith: .success) {
            let before = CopyRate.time(for: 1 << 30)
            CopyRate.learn(1_000, for: 1 << 20)
            guard CopyRate.time(for: 1 << 30) == before else { exit(1) }
            for _ in 0..<20 { CopyRate.learn(10_000_000, for: 1 << 30) }
            let after = CopyRate.time(for: 1 << 30)
            exit(after < .milliseconds(11) && after > .milliseconds(9) ? EXIT_SUCCESS : 2)
        }
    }
}
#endif
