import Foundation
import Synchronization

/// Hosts that have much of something: address space, memory, connections.
enum SizeModes {
    private struct Memory: @unchecked Sendable {
        // Written by one thread of this file's.
        let start: UnsafeMutableRawPointer
        let bytes: Int
    }

    private static let filled = Mutex<[Memory]>([])

    /// `size reserve` reserves 2 TiB and touches two pages of it; `size fill 300` writes 300 MiB, and `size write`
    /// has a thread write all of it again and again; `size clients PATH` listens at a path, with 64 descriptors, and
    /// keeps every client.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "size", words.count > 1 else { return nil }
        switch words[1] {
        case "reserve": return reserve()
        case "fill": return fill((words.last.flatMap { Int($0) } ?? 1) << 20)
        case "write":
            Thread.detachNewThread {
                while true { for memory in filled.withLock({ $0 }) { write(memory) } }
            }
            return "writing"
        case "clients": return keepClients(at: words.last ?? "")
        default: return "unknown"
        }
    }

    private static func map(_ bytes: Int, _ protection: Int32) -> UnsafeMutableRawPointer? {
        let withoutReserve: Int32 = 0x4000
        let start = mmap(
            nil, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | withoutReserve, -1, 0)
        return start == MAP_FAILED ? nil : start
    }

    private static func reserve() -> String {
        let bytes = 1 << 40
        guard let usable = map(bytes, PROT_READ | PROT_WRITE), map(bytes, PROT_NONE) != nil else {
            return "refused"
        }
        usable.storeBytes(of: 1, as: UInt8.self)
        usable.storeBytes(of: 1, toByteOffset: bytes / 2, as: UInt8.self)
        return "reserved"
    }

    private static func fill(_ bytes: Int) -> String {
        guard let start = map(bytes, PROT_READ | PROT_WRITE) else { return "refused" }
        let withoutHugePages: Int32 = 15
        madvise(start, bytes, withoutHugePages)
        let memory = Memory(start: start, bytes: bytes)
        write(memory)
        filled.withLock { $0.append(memory) }
        return "filled"
    }

    private static func write(_ memory: Memory) {
        for offset in stride(from: 0, to: memory.bytes, by: 4096) {
            memory.start.storeBytes(
                of: UInt8.random(in: 0...255), toByteOffset: offset, as: UInt8.self)
        }
    }

    // MARK: Descriptors

    private static let failures = Atomic(0)

    private static func keepClients(at path: String) -> String {
        var limit = rlimit(rlim_cur: 64, rlim_max: 64)
        setrlimit(__rlimit_resource_t(7), &limit)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isBound == 0, listen(listener, 1024) == 0 else { return "refused" }
        Thread.detachNewThread { acceptForGood(listener) }
        return "listening"
    }

    // As a server does that takes no heed of the error.
    @inline(never)
    private static func acceptForGood(_ listener: Int32) {
        while true {
            var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            if accept(listener, nil, nil) < 0 { failures.add(1, ordering: .relaxed) }
        }
    }
}
