#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// How often an object is referred to, as the runtime counts it.
///
/// Layout checked against swift-6.3.1 (`RefCount.h`), 64-bit platforms without Objective-C: the second word
/// of an object has the counts, or leads to a table that has them from its third word on, with the weak ones
/// in the fourth.
struct ReferenceCounts {
    var strong: Int
    var unowned: Int
    var weak: Int
    var hasSideTable: Bool

    /// nil where no counts stand that can be, `.some(nil)` for an object that is never freed.
    static func of(_ object: UInt, in source: MemorySource) -> ReferenceCounts?? {
        guard let word = source.load(UInt.self, at: object &+ 8) else { return nil }
        if word & 0xFFFF_FFFF == 0xFFFF_FFFF { return .some(nil) }
        guard word >> 62 == 0b11 else {
            guard word >> 63 == 0 else { return nil }
            return ReferenceCounts(word, weak: 0, hasSideTable: false)
        }
        let table = word << 3
        guard table != 0, table & 7 == 0, source.load(UInt.self, at: table) == object,
            let counts = source.load(UInt.self, at: table &+ 16),
            let weak = source.load(UInt32.self, at: table &+ 24)
        else { return nil }
        // One of them stands for the object itself, as of the unowned ones.
        return ReferenceCounts(counts, weak: max(0, Int(weak) - 1), hasSideTable: true)
    }

    private init(_ word: UInt, weak: Int, hasSideTable: Bool) {
        strong = Int(word >> 33 & 0x3FFF_FFFF) + 1
        unowned = max(0, Int(word >> 1 & 0x7FFF_FFFF) - 1)
        self.weak = weak
        self.hasSideTable = hasSideTable
    }

    /// How many bytes the C library has set aside for an object of so many; nil where no block of its begins
    /// there. Before each stands its size, with three bits of other meaning (glibc's `malloc.c`).
    static func block(of object: UInt, size: Int, in source: MemorySource) -> Int? {
        guard HeapLayout.calibration.now?.has(.blocks) ?? false, object & 15 == 0,
            ctelltale_image_start(object) == 0,
            let word = source.load(UInt.self, at: object &- 8), word & 8 == 0
        else { return nil }
        let block = Int(clamping: word & ~15) - 8
        return block >= size && block < 1 << 40 ? block : nil
    }
}
#endif
