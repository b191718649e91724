#if TELLTALE_AGENT
import TelltaleSystem

/// Finds objects by references on a thread's stack.
enum StackObjects {
    /// The maximum number of bytes searched of a stack, from its outer end: what a thread was made for is near it.
    private static let mostBytes = 1 << 20
    /// The maximum number of words examined as objects.
    private static let mostObjects = 20_000

    /// The outermost object of a class; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - suffix: The end of the class's name with its module: `.SelectableEventLoop`.
    ///   - stack: The live stack of a thread.
    ///   - deadline: The deadline of the search.
    /// - Returns: The object's address.
    /// - Complexity: O(*n*) for *n* words of the stack.
    static func outermost(
        ofClass suffix: String, on stack: Range<UInt>, until deadline: MonotonicTime
    ) -> UInt? {
        let size = min(stack.count, mostBytes) & ~7
        guard size > 0 else { return nil }
        let words = [UInt](unsafeUninitializedCapacity: size / 8) { buffer, count in
            let isRead = GuardedMemory.read(
                address: stack.upperBound &- UInt(size), into: UnsafeMutableRawBufferPointer(buffer)
            )
            count = isRead ? size / 8 : 0
        }
        var kinds: [UInt: Bool] = [:]
        var asked = 0
        for word in words.reversed() where word > 0xFFFF && word & 15 == 0 && word >> 47 == 0 {
            asked += 1
            guard asked < mostObjects, asked & 255 != 0 || MonotonicTime.now < deadline else {
                return nil
            }
            guard let kind = GuardedMemory.load(UInt.self, at: word) else { continue }
            let isWanted =
                kinds[kind]
                ?? (MetadataCheck.classOfObject(at: word, in: .process).map {
                    _typeName($0, qualified: true).hasSuffix(suffix)
                } ?? false)
            kinds[kind] = isWanted
            if isWanted { return word }
        }
        return nil
    }
}
#endif
