#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleSystem

/// Counts the tasks that were submitted to a SwiftNIO loop. Only its memory records them: the loop does not
/// write to its wake-up eventfd while it handles events.
///
/// The loop object is found by its class on the stack of its thread, and its lists by the names of their
/// properties. Checked against SwiftNIO 2.62 to 2.100 (`SelectableEventLoop.swift`) and the deque of
/// swift-collections 1.1 to 1.3. If one of these names differs, nothing is reported.
package enum NIOTasks {
    private static let className = ".SelectableEventLoop"
    private static let immediate = "_immediateTasks", scheduled = "_scheduledTasks"
    /// The maximum number of bytes searched of a stack, from its outer end: the loop's `run` function is
    /// near it.
    private static let mostBytes = 1 << 20
    /// The maximum number of words examined as objects.
    private static let mostObjects = 20_000
    /// The maximum plausible count; a larger number is not a count.
    private static let mostTasks = 1 << 40

    /// The number of tasks that wait for a loop, and of those scheduled for a later time; nil if unknown.
    ///
    /// - Parameters:
    ///   - stack: The live stack of the loop's thread.
    ///   - deadline: The deadline of the search.
    /// - Returns: Both numbers.
    package static func waiting(
        onStack stack: Range<UInt>, until deadline: MonotonicTime
    ) -> EventLoopFacts.Tasks? {
        guard MetadataLayout.known(by: deadline).has(.types),
            let object = loop(onStack: stack, until: deadline),
            let type = MetadataCheck.classOfObject(at: object, in: .process)
        else { return nil }
        let fields = FieldCache.fields(of: type)
        guard let now = fields.first(where: { $0.name == immediate }),
            let later = fields.first(where: { $0.name == scheduled }),
            let waiting = count(behind: object &+ UInt(now.offset), Ring.count),
            let coming = count(behind: object &+ UInt(later.offset), List.count)
        else { return nil }
        return EventLoopFacts.Tasks(waiting: waiting, scheduled: coming)
    }

    /// The offsets of the counts in the storage object of each list, after its header of two words.
    private enum Ring { static let capacity: UInt = 16, count: UInt = 24 }
    private enum List { static let count: UInt = 16 }

    private static func count(behind place: UInt, _ offset: UInt) -> Int? {
        guard let list = GuardedMemory.load(UInt.self, at: place), list > 0xFFFF, list & 7 == 0,
            let count = GuardedMemory.load(Int.self, at: list &+ offset),
            (0...mostTasks).contains(count)
        else { return nil }
        guard offset == Ring.count else { return count }
        // A ring buffer contains at most as many elements as its capacity.
        let room = GuardedMemory.load(Int.self, at: list &+ Ring.capacity)
        return room.map { $0 >= count } == true ? count : nil
    }

    /// The outermost object of the loop's class. Other loops that a handler uses are further in.
    private static func loop(onStack stack: Range<UInt>, until deadline: MonotonicTime) -> UInt? {
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
            let isLoop =
                kinds[kind]
                ?? (MetadataCheck.classOfObject(at: word, in: .process).map {
                    _typeName($0, qualified: true).hasSuffix(className)
                } ?? false)
            kinds[kind] = isLoop
            if isLoop { return word }
        }
        return nil
    }
}
#endif
