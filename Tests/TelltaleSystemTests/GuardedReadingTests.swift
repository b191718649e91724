import CTelltaleSystem
import Foundation
import TelltaleSystem
import Testing

/// Copies by the kernel, in chunks, that neither fault nor wait.
@Suite(.serialized) struct GuardedReadingTests {
    private static let page = 4096
    private static let chunk = 65536

    private static func copy(_ address: UInt, _ size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0xAA, count: size)
        return bytes.withUnsafeMutableBytes { GuardedReading.read(address: address, into: $0) }
            ? bytes : nil
    }

    /// Fresh pages, none of them touched.
    private static func map(
        _ pages: Int, _ protection: Int32 = PROT_READ | PROT_WRITE,
        flags: Int32 = MAP_PRIVATE | MAP_ANONYMOUS,
        file: Int32 = -1
    ) throws -> UnsafeMutableRawPointer {
        let room = mmap(nil, pages * page, protection, flags, file, 0)
        return try #require(room == MAP_FAILED ? nil : room)
    }

    /// Returns whether the kernel has a page there.
    private static func isTouched(_ address: UnsafeRawPointer) -> Bool? {
        let file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var entry: UInt64 = 0
        let offset = off_t(UInt(bitPattern: address) / UInt(page) * 8)
        guard pread(file, &entry, 8, offset) == 8 else { return nil }
        return entry >> 62 != 0
    }

    /// Reads as it is done in one access, and as it is done by itself.
    private static func inEachWay<Failure: Error>(
        _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        try GuardedReading.during(body)
        try GuardedReading.unbuffered(body)
        try body()
    }

    // MARK: What is there

    @Test func everySizeIsCopiedExactlyAcrossPagesAndChunks() throws {
        let source = (0..<(3 * Self.chunk)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        try Self.inEachWay {
            try source.withUnsafeBytes { bytes in
                let start = UInt(bitPattern: bytes.baseAddress)
                // The first byte of a chunk, and of a page in its middle.
                let next = Int(((start + UInt(Self.chunk)) & ~UInt(Self.chunk - 1)) - start)
                for border in [next, next + 3 * Self.page] {
                    for size in [1, 7, 8, 9, 64, 511, 4096, 4097, Self.chunk - 1, Self.chunk + 9] {
                        for before in [0, 1, 8, 600] where border - before + size <= source.count {
                            let place = border - before
                            try #require(
                                Self.copy(start + UInt(place), size)
                                    == Array(source[place..<place + size]))
                        }
                    }
                }
            }
        }
    }

    @Test func whatHasChangedIsSeenByTheNextAccessAndAfterARefresh() {
        let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        defer { word.deallocate() }
        func read() -> UInt64? { GuardedReading.load(UInt64.self, at: UInt(bitPattern: word)) }
        word.pointee = 1
        GuardedReading.during {
            #expect(read() == 1)
            word.pointee = 2
            // One moment for a whole access.
            #expect(read() == 1)
            #expect(GuardedMemory.load(UInt64.self, at: UInt(bitPattern: word)) == 2)
            GuardedReading.refresh()
            #expect(read() == 2)
            word.pointee = 3
            GuardedReading.during { #expect(read() == 3) }
            word.pointee = 4
            #expect(read() == 4)
        }
        word.pointee = 5
        GuardedReading.unbuffered {
            #expect(read() == 5)
            word.pointee = 6
            #expect(read() == 6)
        }
        GuardedReading.during { #expect(read() == 6) }
    }

    @Test func moreThanTheChunksHoldIsReadToo() throws {
        let pages = 400 * Self.chunk / Self.page
        let room = try Self.map(pages)
        defer { munmap(room, pages * Self.page) }
        let words = room.assumingMemoryBound(to: UInt64.self)
        for page in 0..<pages { words[page * Self.page / 8] = UInt64(page) }
        GuardedReading.during {
            for step in [1, 7, 17 * 16 + 1] {
                for index in 0..<pages {
                    let page = index * step % pages
                    let found = GuardedReading.load(
                        UInt64.self, at: UInt(bitPattern: words + page * Self.page / 8))
                    if found != UInt64(page) { Issue.record("page \(page): \(found ?? 0)") }
                }
            }
        }
    }

    // MARK: What isn't

    @Test func noAddressFaults() throws {
        let room = try Self.map(3)
        defer { munmap(room, 3 * Self.page) }
        memset(room, 1, 3 * Self.page)
        #expect(mprotect(room + Self.page, Self.page, PROT_NONE) == 0)
        let hole = UInt(bitPattern: room) + UInt(Self.page)
        Self.inEachWay {
            for size in [1, 7, 8, 9, 64, 600, 5000] {
                #expect(Self.copy(hole, size) == nil)
                #expect(Self.copy(hole - 1, size + 1) == nil)
                #expect(Self.copy(hole - 8, size + 8) == nil)
                #expect(Self.copy(hole + UInt(Self.page) - 1, size) == nil)
            }
            for size in 1...40 {
                #expect(Self.copy(hole - UInt(size), size) != nil)
                #expect(Self.copy(hole - UInt(size), size + 1) == nil)
            }
            #expect(Self.copy(hole + UInt(Self.page), Self.page) != nil)
            // Neither an address at all, nor one that a pointer can have.
            for address: UInt in [0, 8, 0x8000_0000_0000_0000, 0xDEAD_BEEF_DEAD_BEEF, .max - 3] {
                #expect(Self.copy(address, 8) == nil)
            }
        }
    }

    @Test func aFileThatHasBecomeShorterIsAnAnswer() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        #expect(ftruncate(fileno(file), off_t(2 * Self.page)) == 0)
        let room = try Self.map(2, PROT_READ, flags: MAP_SHARED, file: fileno(file))
        defer { munmap(room, 2 * Self.page) }
        #expect(room.load(as: UInt8.self) == 0)
        #expect(ftruncate(fileno(file), 0) == 0)
        Self.inEachWay { #expect(Self.copy(UInt(bitPattern: room), 64) == nil) }
    }

    // MARK: What was never touched

    @Test func anUntouchedPageIsZerosAndStaysUntouched() throws {
        let room = try Self.map(40)
        defer { munmap(room, 40 * Self.page) }
        memset(room, 1, 2 * Self.page)
        memset(room + 30 * Self.page, 2, Self.page)
        Self.inEachWay {
            let copied = Self.copy(UInt(bitPattern: room), 40 * Self.page)
            let expected =
                [UInt8](repeating: 1, count: 2 * Self.page)
                + [UInt8](repeating: 0, count: 28 * Self.page)
                + [UInt8](repeating: 2, count: Self.page)
                + [UInt8](repeating: 0, count: 9 * Self.page)
            #expect(copied == expected)
            for page in 0..<40 {
                let address = UInt(bitPattern: room) + UInt(page * Self.page) + 5
                #expect(
                    Self.copy(address, 8)
                        == Array(expected[page * Self.page..<page * Self.page + 8]))
                #expect(Self.isTouched(room + page * Self.page) == (page < 2 || page == 30))
            }
        }
    }

    @Test func aDataFilesUntouchedPageIsNotFetched() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let text = [UInt8](repeating: 7, count: 4 * Self.page)
        #expect(write(fileno(file), text, text.count) == text.count)
        let room = try Self.map(4, PROT_READ, flags: MAP_PRIVATE, file: fileno(file))
        defer { munmap(room, 4 * Self.page) }
        #expect(posix_madvise(room, 4 * Self.page, POSIX_MADV_RANDOM) == 0)
        // None of those that the kernel brings along with this one.
        #expect(madvise(room, 4 * Self.page, MADV_DONTNEED) == 0)
        Self.inEachWay {
            #expect(Self.copy(UInt(bitPattern: room), 8) == nil)
            #expect(Self.isTouched(room) == false)
        }
        #expect(room.load(as: UInt8.self) == 7)
        Self.inEachWay { #expect(Self.copy(UInt(bitPattern: room), 8) == Array(text[..<8])) }
    }

    @Test func anImagesUntouchedPageIsRead() throws {
        // The program itself, mapped once more: as code, and beside that as constants.
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let room = try Self.map(4, PROT_READ, flags: MAP_PRIVATE, file: file)
        defer { munmap(room, 4 * Self.page) }
        #expect(mprotect(room + 2 * Self.page, 2 * Self.page, PROT_READ | PROT_EXEC) == 0)
        #expect(madvise(room, 4 * Self.page, MADV_DONTNEED) == 0)
        Self.inEachWay {
            #expect(Self.copy(UInt(bitPattern: room), 4) == [0x7F, 0x45, 0x4C, 0x46])
        }
    }

    // MARK: What it leaves

    @Test func noHandlerIsEverTouched() {
        func handlers() -> [UInt] {
            [SIGSEGV, SIGBUS].map { UInt(bitPattern: ctelltale_signal_current($0)) }
        }
        let before = handlers()
        GuardedReading.during {
            #expect(Self.copy(8, 8) == nil)
            #expect(handlers() == before)
            GuardedReading.during { #expect(Self.copy(8, 8) == nil) }
            #expect(handlers() == before)
        }
        #expect(handlers() == before)
    }

    @Test func aReadingLeavesNeitherDescriptorNorMapping() throws {
        func facts() throws -> (descriptors: Int, chunks: Int) {
            let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            return (
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
                maps.split(separator: "\n").count { $0.hasSuffix("/dev/zero (deleted)") }
            )
        }
        let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        defer { word.deallocate() }
        word.pointee = 9
        let before = try facts()
        for _ in 0..<3 {
            GuardedReading.during {
                #expect(Self.copy(UInt(bitPattern: word), 8) != nil)
                #expect(Self.copy(1 << 20, 8) == nil)
            }
            #expect(GuardedMemory.load(UInt64.self, at: 1 << 20) == nil)
        }
        let after = try facts()
        #expect(after.descriptors == before.descriptors)
        #expect(after.chunks == before.chunks)
    }

    @Test func manyThreadsReadAtOnce() async {
        let results = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var right = 0
                    let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
                    defer { word.deallocate() }
                    for number in 0..<200 {
                        word.pointee = UInt64(number)
                        GuardedReading.during {
                            let address = UInt(bitPattern: word)
                            if GuardedReading.load(UInt64.self, at: address) == UInt64(number) {
                                right += 1
                            }
                            for address: UInt in [8, 0xDEAD_BEEF_DEAD_BEEF] {
                                right += Self.copy(address, 32) == nil ? 1 : 0
                            }
                        }
                    }
                    return right
                }
            }
            return await group.reduce(0, +)
        }
        #expect(results == 8 * 200 * 3)
    }
}
