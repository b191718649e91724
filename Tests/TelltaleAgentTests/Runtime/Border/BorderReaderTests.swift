#if TELLTALE_AGENT
import Glibc
import TelltalePicture
@testable import TelltaleRuntime
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The border of this process, read beside other tests: what is looked for is this test's own.
@Suite(.timeLimit(.minutes(1)))
struct BorderReaderTests {
    private static func read(_ threads: [ThreadFacts] = []) -> BorderFacts {
        BorderReader.read(threads, until: .now.advanced(by: .seconds(20)))
    }

    @Test("both ends of a pipe are one file, with what is in it")
    func pipeEnds() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        write(ends[1], "abc", 3)
        let border = Self.read()
        let found = border.descriptors.filter { ends.contains($0.number) }
        #expect(found.count == 2 && Set(found.map(\.file)).count == 1)
        let reading = try #require(found.first { $0.number == ends[0] })
        #expect(reading.reads && !reading.writes && reading.unread == 3)
        #expect(reading.kind == "pipe" && reading.capacity ?? 0 >= 4096)
        #expect(found.first { $0.number == ends[1] }?.writes == true)
        #expect(border.open >= border.descriptors.count && border.uptimeSeconds > 0)
    }

    @Test("the reads and writes of a running thread are counted, and a text without them isn't")
    func transfers() throws {
        let text = "rchar: 10\nsyscr: 7\nsyscw: 5\nread_bytes: 0\n"
        #expect(KernelUses.transfers(text) == 12)
        #expect(KernelUses.transfers("syscr: 7\n") == nil && KernelUses.transfers("") == nil)
        let stat = "7 (a ) b) S 1 1 1 0 -1 4194560 10 0 0 0 200 150 0 0 20 0 3 0 99"
        #expect(KernelUses.kernelSeconds(stat) == 150 / ProcessFiles.ticksPerSecond)
        #expect(KernelUses.kernelSeconds("7 (a) S 1") == nil)
        var thread = ThreadFacts(
            id: Int32(truncatingIfNeeded: NativeThread.currentID), state: .running)
        thread.wait = .running
        func count() throws -> UInt64 {
            try #require(KernelUses.read([thread])[thread.id]?.transfers)
        }
        let first = try count()
        // Reading the figure reads.
        let one = try count() - first
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let before = try count()
        for _ in 0..<10 { write(ends[1], "abc", 3) }
        #expect(try count() == before + one + 10)
    }

    @Test("a child that stands at a full pipe, its call and its end")
    func child() throws {
        let program = try StartedProgram("/usr/bin/head", ["-c", "10000000", "/dev/zero"])
        var border = BorderFacts()
        var mine: [BorderFacts.Descriptor] = []
        // The descriptors are read before the child, which may fill its pipe in between.
        try waitUntil("the child has filled the pipe that this process has") {
            border = Self.read()
            guard let call = border.children.first(where: { $0.pid == program.pid })?.call,
                call.name == "write", let output = call.arguments.first
            else { return false }
            // Others that the runner left open were inherited too.
            let file = border.ends.first {
                $0.value.contains {
                    $0.pid == program.pid && $0.descriptor == Int32(truncatingIfNeeded: output)
                        && $0.writes
                }
            }?.key
            mine = border.descriptors.filter { $0.file == file && $0.reads }
            return mine.contains { $0.unread ?? 0 > 0 }
        }
        let child = try #require(border.children.first { $0.pid == program.pid })
        #expect(child.program == "head" && child.parent == getpid() && child.threads == 1)
        #expect(child.switches != nil && child.age != nil)
        // A child at a pipe has all processes of this user looked at.
        #expect(border.hasAllEnds || !border.gaps.isEmpty, "\(border.gaps)")
    }

    @Test("a listening socket has its backlog, and a connection its state")
    func sockets() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        try #require(listen(listener, 8) == 0)
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        let isConnected = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener, $0, &size) == 0 && connect(client, $0, size) == 0
            }
        }
        try #require(isConnected)
        let border = Self.read()
        let facts = try #require(border.descriptors.first { $0.number == listener })
        #expect(facts.backlog?.waiting == 1 && facts.backlog?.limit == 8)
        #expect(facts.name.hasSuffix("listens"))
        #expect(border.descriptors.first { $0.number == client }?.state == "ESTABLISHED")
    }

    @Test("the descriptors of a select are those whose bits are set")
    func select() {
        var bits: [UInt8] = [0b1000_0000, 0b10]
        let border = bits.withUnsafeMutableBytes { bytes in
            let set = UInt(bitPattern: bytes.baseAddress)
            let stat = "7 (a ) b) S 1 1 1 0 -1 4194560 10 0 0 0 200 150 0 0 20 0 3 0 99"
            #expect(KernelUses.kernelSeconds(stat) == 150 / ProcessFiles.ticksPerSecond)
            #expect(KernelUses.kernelSeconds("7 (a) S 1") == nil)
            var thread = ThreadFacts(
                id: 1,
                state: .waiting(
                    SystemCall(number: 270, arguments: [10, set, 0, 0, 0, 0], name: "pselect6")))
            let read = Self.read([thread])
            thread.state = .waiting(
                SystemCall(number: 270, arguments: [10, 8, 0, 0, 0, 0], name: "pselect6"))
            #expect(Self.read([thread]).mayWatchMore)
            return read
        }
        #expect(border.polled[1] == [7, 9])
    }

    @Test("lines of /proc/locks")
    func locks() {
        #expect(
            FileLocks.lock("1: FLOCK  ADVISORY  WRITE 812 fe:00:4242 0 EOF")
                == .init(inode: 4242, pid: 812, isWaiting: false))
        #expect(
            FileLocks.lock("1: -> POSIX  ADVISORY  WRITE 813 fe:00:4242 0 EOF")
                == .init(inode: 4242, pid: 813, isWaiting: true))
        #expect(
            FileLocks.lock("2: OFDLCK ADVISORY  READ  -1 fe:00:7 0 EOF")
                == .init(inode: 7, pid: -1, isWaiting: false))
        for line in ["", "1:", "1: FLOCK ADVISORY WRITE x fe:00:1 0 EOF", "1: -> FLOCK"] {
            #expect(FileLocks.lock(Substring(line)) == nil)
        }
    }
}
#endif
