#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleSystem

/// The reference counts of an object, as the runtime maintains them.
///
/// The layout was checked against swift-6.3.1 (`RefCount.h`), for 64-bit platforms without Objective-C. The
/// second word of an object contains the counts, or refers to a side table. The side table contains the
/// counts from its third word on, and the weak count in the fourth.
package struct ReferenceCounts {
    package var strong: Int
    package var unowned: Int
    package var weak: Int
    package var hasSideTable: Bool

    /// nil if the counts are implausible; `.some(nil)` for an immortal object.
    package static func of(_ object: UInt, in source: MemorySource) -> ReferenceCounts?? {
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
        // The weak count includes 1 for the object itself, as the unowned count does.
        return ReferenceCounts(counts, weak: max(0, Int(weak) - 1), hasSideTable: true)
    }

    private init(_ word: UInt, weak: Int, hasSideTable: Bool) {
        strong = Int(word >> 33 & 0x3FFF_FFFF) + 1
        unowned = max(0, Int(word >> 1 & 0x7FFF_FFFF) - 1)
        self.weak = weak
        self.hasSideTable = hasSideTable
    }

    /// The usable size of the heap block of an object with `size` bytes; nil if no block of the C library
    /// begins there. The word before a block contains its size, and three flag bits (glibc's `malloc.c`).
    package static func block(of object: UInt, size: Int, in source: MemorySource) -> Int? {
        guard HeapLayout.calibration.now?.has(.blocks) ?? false, object & 15 == 0,
            ctelltale_image_start(object) == 0,
            let word = source.load(UInt.self, at: object &- 8), word & 8 == 0
        else { return nil }
        let block = Int(clamping: word & ~15) - 8
        return block >= size && block < 1 << 40 ? block : nil
    }
}
#endif
