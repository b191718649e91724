#if TELLTALE_AGENT
import TelltaleSystem

/// Weak and unowned references, and whether an object is being destroyed, by its counts.
///
/// Layout of 64-bit platforms without Objective-C, checked against swift-6.3.1. Nothing is
/// retained: a weak reference is not loaded but followed.
enum ReferenceStorage {
    /// What a reference refers to.
    enum Target {
        case none
        case object(UInt)
        /// The object is being destroyed, or is destroyed and kept only for its unowned references.
        case gone
    }

    /// Where the object of a weak reference is; nil if the word is none: that is the address of a
    /// side table, which begins with the object's address and has the counts in its third word.
    static func weakTarget(_ word: UInt, in source: MemorySource) -> Target? {
        let table = word & ~3
        guard table != 0 else { return Target.none }
        guard let block = MemoryBlock(reading: table, count: 24, in: source),
            let object = block.load(UInt.self, at: 0),
            let counts = block.load(UInt.self, at: 16)
        else { return nil }
        return object == 0 || isDeiniting(counts) ? .gone : .object(object)
    }

    /// Where the object of an unowned reference is.
    static func unownedTarget(_ word: UInt, in source: MemorySource) -> Target? {
        guard word != 0 else { return Target.none }
        guard let counts = source.load(UInt.self, at: word &+ 8) else { return nil }
        guard counts >> 62 == 0b11, counts & 0xFFFF_FFFF != 0xFFFF_FFFF else {
            return isDeiniting(counts) ? .gone : .object(word)
        }
        // The counts have moved to a side table.
        let table = (counts & ~(0b11 << 62)) << 3
        guard let moved = source.load(UInt.self, at: table &+ 16) else { return nil }
        return isDeiniting(moved) ? .gone : .object(word)
    }

    private static func isDeiniting(_ counts: UInt) -> Bool { counts & (1 << 32) != 0 }
}
#endif
