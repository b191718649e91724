#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// An object that was found in memory, of which nothing is kept.
enum FoundObject {
    /// Whether an object of the same class stands there: by its first word, by counts of references that can
    /// be, and by the allocator's word on its block.
    ///
    /// What was freed has another first word, or the mark of a `deinit` in its counts. Another object of the
    /// same class that was made in the same place can't be told from it.
    static func isThere(_ address: UInt, word: UInt) -> Bool {
        GuardedMemory.load(UInt.self, at: address) == word
            && ctelltale_object_is_plausible(address, 16, true)
    }

    /// Where weak references to an object lead, in place of the object; 0 where it has none. Its counts have
    /// moved there, and the place stands in their stead (`RefCount.h` of swift-6.3.1).
    static func sideTable(of address: UInt) -> UInt {
        let counts = GuardedMemory.load(UInt.self, at: address &+ 8) ?? 0
        return counts >> 62 == 3 ? (counts << 3) & 0xFFFF_FFFF_FFFF : 0
    }
}
#endif
