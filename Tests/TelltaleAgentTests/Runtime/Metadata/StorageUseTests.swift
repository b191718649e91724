#if TELLTALE_AGENT
import TelltaleSystem
import Testing

@testable import TelltaleRuntime

/// The used part of the standard library's storage.
struct StorageUseTests {
    private final class Photo {}

    /// The storage of a value that is one reference to it.
    private static func isUnused<Value>(_ value: Value, _ offset: UInt) throws -> Bool {
        try withExtendedLifetime(value) {
            let start = unsafeBitCast(value, to: UInt.self) & 0x0FFF_FFFF_FFFF_FFFF
            let type = try #require(MetadataCheck.classOfObject(at: start, in: .process))
            return try #require(StorageUse(of: type), "\(type)").isUnused(offset, in: start)
        }
    }

    @Test("an array has its elements, up to its count")
    func array() throws {
        var photos: [Photo] = []
        photos.reserveCapacity(10)
        photos.append(Photo())
        photos.append(Photo())
        #expect(try !Self.isUnused(photos, 16))
        #expect(try !Self.isUnused(photos, 40))
        #expect(try Self.isUnused(photos, 48))
        // Each takes 24 bytes, of which the last seven are unused.
        let counted: [(Photo, Int?)] = [(Photo(), 1), (Photo(), 2)]
        let unused = try (4..<10).map { try Self.isUnused(counted, UInt(8 * $0)) }
        #expect(unused == [false, false, true, false, false, true])
        let pairs = [(Photo(), 1), (Photo(), 2)]
        #expect(try !Self.isUnused(pairs, 32 + 24))
        #expect(try Self.isUnused(pairs, 32 + 32))
    }

    @Test("a hash table has its keys and values where its bits say")
    func tables() throws {
        var set: Set<Int> = []
        var table: [Int: Photo] = [:]
        for key in 0..<5 {
            set.insert(key)
            table[key] = Photo()
        }
        let sets = try (32..<64).map { try Self.isUnused(set, UInt(64 + 8 * ($0 - 32))) }
        #expect(sets.prefix(8).count { !$0 } == 5)
        // A table's keys stand behind its bits, and its values behind these: 8 buckets of 8 bytes.
        let cells = try (0..<16).map { try Self.isUnused(table, UInt(72 + 8 * $0)) }
        #expect(cells.prefix(8).count { !$0 } == 5)
        #expect(Array(cells.prefix(8)) == Array(cells.suffix(8)))
    }

    @Test("behind the number of a value in a hash table stands nothing")
    func values() throws {
        let photo = Photo()
        let table: [Int: (Photo, Int?)] = [1: (photo, 1)]
        let address = UInt(bitPattern: Unmanaged.passUnretained(photo).toOpaque())
        let start = unsafeBitCast(table, to: UInt.self)
        let place = try #require(
            stride(from: UInt(72), to: 200, by: 8).first {
                GuardedMemory.load(UInt.self, at: start + $0) == address
            })
        #expect(try !Self.isUnused(table, place) && !Self.isUnused(table, place + 8))
        #expect(try Self.isUnused(table, place + 16))
    }

    @Test("a string's bytes are no references, and other classes have all that they have")
    func others() throws {
        let text = String(repeating: "telltale ", count: 20)
        let words = unsafeBitCast(text, to: (UInt, UInt).self)
        // The object's address is in the second word, below its flags.
        let start = words.1 & 0x0FFF_FFFF_FFFF_FFFF
        let type = try #require(MetadataCheck.classOfObject(at: start, in: .process))
        let use = try #require(StorageUse(of: type))
        #expect(!use.isUnused(8, in: start) && use.isUnused(40, in: start))
        withExtendedLifetime(text) {}
        #expect(StorageUse(of: Photo.self) == nil)
    }
}
#endif
