#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

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
