import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Starting and stopping, by many and often.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct StartStopTests {
    @Test("start() by many threads at once is told to all of them alike, and there is one agent")
    func startedTogether() throws {
        let host = try TestHost(["unstarted"])
        for _ in 0..<20 {
            #expect(try host.perform("starts 32") == "running=32")
            _ = try host.socketPath()
            // A thread of those that came too late may be about to end.
            try waitUntil("there is one agent") {
                Self.threads(named: "telltale", of: host.pid) == 1
            }
            #expect(try host.perform("start") == "running")
            #expect(try host.perform("stop") == "stopped")
        }
    }

    @Test("start() that fails is told to all who call it at once, and works when it can")
    func failedTogether() throws {
        let shim = try PreloadedShim()
        let host = try TestHost(["unstarted"], environment: shim.environment())
        let before = try settledDescriptors(of: host)
        let began = ContinuousClock.now
        for _ in 0..<5 {
            #expect(try host.perform("fail pthread_create") == "failing")
            #expect(try host.perform("start") == "failed")
            #expect(try host.perform("fail") == "failing")
        }
        // Dispatch isn't waited for where there was no thread to ask it, a second each time.
        #expect(began.duration(to: .now) < .seconds(4))
        #expect(try host.perform("status").contains("the agent was not started: pthread_create"))
        #expect(try settledDescriptors(of: host) == before)
        // A failed start's descriptor must not be closed in a child, where the number is the host's
        // by now.
        let opened = try host.perform("open-null")
        let child = try #require(Int32(try host.perform("fork plain")))
        defer { kill(child, SIGKILL) }
        #expect(ProcessFiles.link("/proc/\(child)/fd/\(opened)") == "/dev/null")
        #expect(try host.perform("starts 8") == "running=8")
    }

    @Test("start() and stop() over and over leave no descriptor, no thread and no memory behind")
    func cycles() throws {
        let isSoak = ProcessInfo.processInfo.environment["TELLTALE_SOAK"] == "1"
        let count = isSoak ? 1000 : 200
        let host = try TestHost(["unstarted"])
        let files = ProcessFiles(pid: host.pid)
        // The first few fill the runtime's caches and the allocator's arenas.
        #expect(try host.perform("cycles 50") == "done")
        var (descriptors, threads) = (-1, -1)
        try waitUntil("descriptors and threads are the same for 100 ms") {
            (descriptors, threads) = (files.descriptorCount ?? -1, files.stat?.threads ?? -1)
            usleep(100_000)
            return files.descriptorCount == descriptors && files.stat?.threads == threads
        }
        let pages = files.stat?.residentPages ?? 0
        #expect(try host.perform("cycles \(count)") == "done")
        try waitUntil("there are \(threads) threads and \(descriptors) descriptors again") {
            files.stat?.threads ?? .max <= threads && files.descriptorCount == descriptors
        }
        let grown =
            Double(files.stat?.residentPages ?? .max) * Double(ProcessFiles.pageSize)
            - Double(pages) * Double(ProcessFiles.pageSize)
        print("cycles: \(count), grown by \(grown / Double(count)) bytes each")
        #expect(grown <= Double(count) * 2048 + 1_000_000)
        #expect(SocketDirectory(path: host.directory).sockets().isEmpty)
        #expect(try host.perform("start") == "running")
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    /// Returns the open descriptors once they are stable: a library of the host may have a file
    /// open for a moment.
    private func settledDescriptors(of host: TestHost) throws -> String {
        var descriptors = try host.perform("descriptors")
        try waitUntil("its descriptors are the same for 50 ms, last: \(descriptors)") {
            usleep(50_000)
            let earlier = descriptors
            descriptors = try host.perform("descriptors")
            return descriptors == earlier
        }
        return descriptors
    }

    private static func threads(named name: String, of pid: Int32) -> Int {
        DirectoryListing.names(in: "/proc/\(pid)/task").filter {
            SmallFile.text(of: "/proc/\(pid)/task/\($0)/comm") == name + "\n"
        }.count
    }
}
