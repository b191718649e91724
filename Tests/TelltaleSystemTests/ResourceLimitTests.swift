import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

@Suite("Limits, as the kernel's files say them")
struct ResourceLimitTests {
    private static let text = """
        Limit                     Soft Limit           Hard Limit           Units
        Max data size             unlimited            unlimited            bytes
        Max core file size        0                    unlimited            bytes
        Max open files            1024                 524288               files
        Max locked memory         broken

        """

    @Test(
        "a limit is read by its line, and a line that is no limit is none",
        arguments: [
            (ResourceLimit.Resource.descriptors, 1024, 524_288), (.core, 0, nil), (.data, nil, nil),
        ] as [(ResourceLimit.Resource, UInt64?, UInt64?)])
    func lines(resource: ResourceLimit.Resource, soft: UInt64?, hard: UInt64?) throws {
        let limit = try #require(ResourceLimit(of: resource, in: Self.text))
        #expect(limit.soft == soft && limit.hard == hard)
    }

    @Test("what has no line, or one that can't be read, is said to be unknown")
    func unknown() {
        #expect(ResourceLimit(of: .lockedMemory, in: Self.text) == nil)
        #expect(ResourceLimit(of: .addressSpace, in: Self.text) == nil)
    }

    @Test("this process's are those of getrlimit")
    func own() throws {
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(ProcessFiles.own.limit(.descriptors)?.soft == UInt64(limit.rlim_cur))
    }

    private func group(
        _ controller: ControlGroup.Controller, _ text: String, _ files: [String: String]
    ) throws -> ControlGroup? {
        let folder = try TemporaryFolder("telltale-cgroup")
        for (path, text) in files {
            let file = "\(folder.path)/\(path)"
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        }
        return ControlGroup(controller, of: text, mountedAt: folder.path)
    }

    @Test("the least bound of the group and those above it holds, with what is used there")
    func unified() throws {
        let files = [
            "memory.max": "max\n", "a/memory.max": "4096\n", "a/memory.current": "2048\n",
            "a/b/memory.max": "8192\n", "a/b/memory.current": "1024\n",
        ]
        let least = try #require(try group(.memory, "0::/a/b\n", files))
        #expect(least.bound == 4096 && least.used == 2048)
        let free = ["a/memory.max": "max\n", "a/memory.current": "7\n"]
        let unbounded = try #require(try group(.memory, "0::/a\n", free))
        #expect(unbounded.bound == nil && unbounded.used == 7)
    }

    @Test("a hierarchy of version 1 goes before version 2, and its largest number is no bound")
    func versionOne() throws {
        let files = [
            "memory/a/memory.limit_in_bytes": "9223372036854771712\n",
            "memory/a/memory.usage_in_bytes": "12\n", "pids/a/pids.max": "100\n",
            "pids/a/pids.current": "7\n",
        ]
        let text = "8:cpu,pids:/a\n4:memory:/a\n0::/elsewhere\n"
        let memory = try #require(try group(.memory, text, files))
        #expect(memory.bound == nil && memory.used == 12)
        let pids = try #require(try group(.pids, text, files))
        #expect(pids.bound == 100 && pids.used == 7)
        #expect(try group(.memory, "0::/a\n", [:]) == nil)
        #expect(try group(.memory, "", files) == nil)
    }
}
