#if TELLTALE_AGENT
import TelltaleSystem
import Testing

@testable import TelltaleRuntime

/// The places that a search of the memory finds.
@Suite struct MemoryScanTests {
    private static let word: UInt = 0x1357_9BDF_0246_8AC0

    /// 16-aligned memory that begins with the word.
    private static func mark(_ word: UInt, size: Int = 64) -> UnsafeMutableRawPointer {
        let place = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        place.storeBytes(of: word, as: UInt.self)
        place.storeBytes(of: ~word, toByteOffset: 24, as: UInt.self)
        return place
    }

    /// Those of the hits where all of it lies: the word alone lies on stacks too.
    private static func whole(_ hits: [MemoryScan.Hit]) -> [UInt] {
        hits.filter {
            GuardedMemory.load(UInt.self, at: $0.address + 24) == ~$0.word.word
        }.map(\.address)
    }

    @Test func everyPlaceIsFoundAndNoneThatWasOverwritten() {
        let base = Self.word ^ 0x1110
        let marked = (0..<300).map { _ in Self.mark(base) }
        defer { marked.forEach { $0.deallocate() } }
        for place in marked.prefix(100) { place.storeBytes(of: 0, as: UInt.self) }
        let result = MemoryScan.find(
            // A small number for the third would stand in more places than are counted.
            words: [base, base &+ 0x70, base >> 3].map(FirstWord.init),
            deadline: .now.advanced(by: .seconds(60)))
        #expect(result.cut == nil)
        #expect(
            Self.whole(result.hits.filter { $0.word.word == base }).sorted()
                == marked.dropFirst(100).map { UInt(bitPattern: $0) }.sorted())
    }

    @Test func moreWordsThanAreSearchedForAreSaidToBeCut() {
        let words = (1...UInt(MemoryScan.maximumWords + 1)).map { FirstWord(Self.word &+ $0 << 20) }
        let result = MemoryScan.find(
            words: words, deadline: .now.advanced(by: .seconds(60)))
        #expect(result.cut == .full)
    }

    /// Blocks of the sizes that a program takes of its heap, and one that is a mapping by itself.
    @Test func whatLiesBetweenLargeBlocksIsFoundAndTheirInsideIsNotRead() throws {
        try #require(HeapLayout.known(by: .now.advanced(by: .seconds(5))).has(.blocks))
        let base = Self.word ^ 0x3330
        var marked: [UnsafeMutableRawPointer] = []
        var buffers: [UnsafeMutableRawPointer] = []
        for size in [40_000, 64_000, 100_000, 4_000_000] + [Int](repeating: 65_536, count: 400) {
            let buffer = Self.mark(base, size: size)
            // Untouched memory is not read anyway.
            (buffer + 32).initializeMemory(as: UInt8.self, repeating: 1, count: size - 32)
            buffer.storeBytes(of: base, toByteOffset: size / 2 & ~15, as: UInt.self)
            buffers.append(buffer)
            marked += [buffer, Self.mark(base), Self.mark(base, size: 2048)]
        }
        defer { marked.forEach { $0.deallocate() } }
        func found() -> MemoryScan.Result {
            MemoryScan.find(words: [FirstWord(base)], deadline: .now.advanced(by: .seconds(60)))
        }
        let places = Set(marked.map { UInt(bitPattern: $0) })
        // A block that begins with what is looked for may have more of it inside.
        #expect(Set(Self.whole(found().hits)) == places)
        #expect(found().hits.count >= places.count + buffers.count)
        let before = found().bytes
        for buffer in buffers { buffer.storeBytes(of: 0, as: UInt.self) }
        let after = found()
        #expect(
            Set(after.hits.map(\.address)).isSuperset(
                of: places.subtracting(buffers.map { UInt(bitPattern: $0) })))
        let inside = Set(buffers.map { UInt(bitPattern: $0) }).intersection(
            after.hits.map(\.address))
        #expect(inside.isEmpty)
        #expect(after.bytes < before - 20_000_000)
    }

    @Test func moreThanThereIsRoomForIsACutThatIsSaid() {
        let base = Self.word ^ 0x2220
        let marked = (0..<50).map { _ in Self.mark(base) }
        defer { marked.forEach { $0.deallocate() } }
        let result = MemoryScan.find(
            words: [FirstWord(base)], capacity: 10, deadline: .now.advanced(by: .seconds(60)))
        #expect(result.hits.count == 10)
        #expect(result.cut == .full)
    }

    @Test func aDeadlineEndsTheSearch() {
        let result = MemoryScan.find(words: [FirstWord(Self.word)], deadline: .now)
        #expect(result.cut == .late)
        #expect(result.hits.isEmpty)
    }

    @Test func nothingToLookForIsNothingFound() {
        let result = MemoryScan.find(words: [], deadline: .distantFuture)
        #expect(result.hits.isEmpty)
        #expect(result.bytes == 0)
    }

    @Test func searchesAtTheSameTimeDontFindWhatTheOthersCopied() {
        let base = Self.word ^ 0x4440
        let marked = (0..<20).map { _ in Self.mark(base) }
        defer { marked.forEach { $0.deallocate() } }
        let expected = Set(marked.map { UInt(bitPattern: $0) })
        let counts = Locked<[Int]>([])
        for _ in 0..<4 {
            try? NativeThread.start(name: "scan") {
                for _ in 0..<10 {
                    let result = MemoryScan.find(
                        words: [FirstWord(base)], deadline: .now.advanced(by: .seconds(60)))
                    let found = Self.whole(result.hits)
                    let isRight = found.count == expected.count && Set(found) == expected
                    counts.withLock { $0.append(isRight ? 0 : found.count) }
                }
            }
        }

        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while counts.withLock({ $0.count }) < 40, .now < deadline {
            NativeThread.sleep(.microseconds(50))
        }
        #expect(counts.withLock { $0 } == [Int](repeating: 0, count: 40))
    }
}
#endif
