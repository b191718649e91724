import Foundation
import TelltaleSystem
import Testing

@_silgen_name("syscall") private func systemCall(_ number: Int, _ flags: Int) -> Int

/// Regions of `userfaultfd` whose owner never fills them. Reading a missing page there waits forever, also
/// in a system call.
@Suite(.serialized) struct UnservedRegionTests {
    private static let page = 4096
    #if arch(x86_64)
    private static let userfaultfd = 323
    #else
    private static let userfaultfd = 282
    #endif

    /// Registers the pages with a descriptor, which the caller closes.
    private static func makeUnserved(_ start: UnsafeRawPointer, pages: Int) throws -> Int32 {
        let descriptor = Int32(systemCall(userfaultfd, Int(O_CLOEXEC)))
        try #require(descriptor >= 0, "userfaultfd is not permitted here")
        var api: (version: UInt64, features: UInt64, calls: UInt64) = (0xAA, 0, 0)
        try #require(ioctl(descriptor, 0xC018_AA3F, &api) == 0)
        var region: (start: UInt64, length: UInt64, mode: UInt64, calls: UInt64) = (
            UInt64(UInt(bitPattern: start)), UInt64(pages * page), 1, 0
        )
        try #require(ioctl(descriptor, 0xC020_AA00, &region) == 0)
        return descriptor
    }

    private static func copy(_ address: UInt, _ size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0xAA, count: size)
        return bytes.withUnsafeMutableBytes { GuardedReading.read(address: address, into: $0) }
            ? bytes : nil
    }

    /// Runs the body buffered and unbuffered on a thread of its own; false if it waits for more than 10 s.
    private static func ends(_ body: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            GuardedReading.during(body)
            body()
            done.signal()
        }
        return done.wait(timeout: .now() + 10) == .success
    }

    @Test("a missing page is not read, and no fork is made")
    func missingPage() throws {
        let size = 20 * Self.page
        let room = try #require(
            mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(room != MAP_FAILED)
        memset(room, 1, Self.page)
        let descriptor = try Self.makeUnserved(room, pages: 20)
        let address = UInt(bitPattern: room)
        let hasEnded = Self.ends {
            #expect(Self.copy(address, 8) == [UInt8](repeating: 1, count: 8))
            #expect(Self.copy(address + UInt(Self.page), 8) == nil)
            #expect(Self.copy(address, 20 * Self.page) == nil)
        }
        #expect(hasEnded)
        // A fork may wait for the descriptor's reader.
        #expect(throws: SystemError.self) {
            _ = try FrozenCopy(until: .now.advanced(by: .seconds(1)))
        }
        // A thread that still waits there goes on now.
        close(descriptor)
        munmap(room, size)
    }

    @Test("a missing page between two mappings of a program's file is not read")
    func betweenMappingsOfOneFile() throws {
        let file = open("/bin/ls", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        let size = 3 * Self.page
        let room = try #require(
            mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(room != MAP_FAILED)
        for (index, protection) in [(0, PROT_READ), (2, PROT_READ | PROT_EXEC)] {
            let place = room + index * Self.page
            try #require(
                mmap(place, Self.page, protection, MAP_PRIVATE | MAP_FIXED, file, 0) == place)
        }
        close(file)
        let descriptor = try Self.makeUnserved(room + Self.page, pages: 1)
        let start = UInt(bitPattern: room)
        let hasEnded = Self.ends {
            // The file's own pages are those of a program: they are read.
            let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
            #expect(Self.copy(start, 4) == magic)
            #expect(Self.copy(start + UInt(Self.page), 4) == nil)
            #expect(Self.copy(start + UInt(2 * Self.page), 4) == magic)
        }
        #expect(hasEnded)
        close(descriptor)
        munmap(room, size)
    }
}
