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
    static let className = ".SelectableEventLoop"
    private static let immediate = "_immediateTasks", scheduled = "_scheduledTasks"
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
            // Other loops that a handler uses are further in.
            let object = StackObjects.outermost(
                ofClass: className, on: stack, until: deadline),
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
        guard let list = GuardedMemory.load(UInt.self, at: place) else { return nil }
        return self.count(of: list, offset)
    }

    /// The number of elements of a deque of swift-collections.
    ///
    /// - Parameter list: Its storage object.
    /// - Returns: The number; `nil` if that can't be one.
    static func countOfRing(at list: UInt) -> Int? { count(of: list, Ring.count) }

    private static func count(of list: UInt, _ offset: UInt) -> Int? {
        guard list > 0xFFFF, list & 7 == 0,
            let count = GuardedMemory.load(Int.self, at: list &+ offset),
            (0...mostTasks).contains(count)
        else { return nil }
        guard offset == Ring.count else { return count }
        // A ring buffer contains at most as many elements as its capacity.
        let room = GuardedMemory.load(Int.self, at: list &+ Ring.capacity)
        return room.map { $0 >= count } == true ? count : nil
    }
}
#endif
