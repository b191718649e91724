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

/// Checks an object that was found in memory and is not retained.
package enum FoundObject {
    /// Returns true if there is still an object of the same class at an address. Checks its first word
    /// (isa), the plausibility of its reference counts, and the allocator's header of its block.
    ///
    /// A freed object has another first word, or the mark of a `deinit` in its counts. A new object of the
    /// same class at the same address can't be told from it.
    static func isThere(_ address: UInt, word: UInt) -> Bool {
        GuardedMemory.load(UInt.self, at: address) == word
            && ctelltale_object_is_plausible(address, 16, true)
    }

    /// The address of an object's side table, to which weak references point; 0 if it has none. The
    /// reference counts are then in the side table, and its address is stored in their place (`RefCount.h`
    /// of swift-6.3.1).
    package static func sideTable(of address: UInt) -> UInt {
        let counts = GuardedMemory.load(UInt.self, at: address &+ 8) ?? 0
        return counts >> 62 == 3 ? (counts << 3) & 0xFFFF_FFFF_FFFF : 0
    }
}
#endif
