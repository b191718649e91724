#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// What was given to a loop of SwiftNIO's to be run, and that only its memory holds: it doesn't write its
/// counter while it handles events.
///
/// Its object is found by its class on the stack of its thread, its lists by the names of their
/// properties. Checked against SwiftNIO 2.62 to 2.100 (`SelectableEventLoop.swift`) and the deque of
/// swift-collections 1.1 to 1.3; where one of these is called otherwise, nothing is told.
enum NIOTasks {
    private static let className = ".SelectableEventLoop"
    private static let immediate = "_immediateTasks", scheduled = "_scheduledTasks"
    /// So much of a stack is looked through, from its outer end: the function that turns is near it.
    private static let mostBytes = 1 << 20
    /// Objects on it that are asked for their class.
    private static let mostObjects = 20_000
    /// More are no count but a word that is none.
    private static let mostTasks = 1 << 40

    /// How many tasks wait for a loop, and how many for a time to come; nil where that can't be told.
    ///
    /// - Parameters:
    ///   - stack: The live stack of the loop's thread.
    ///   - deadline: When to stop.
    /// - Returns: How many of both.
    static func waiting(
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

    /// Where the numbers stand in the one object of each list, behind its header of two words.
    private enum Ring { static let capacity: UInt = 16, count: UInt = 24 }
    private enum List { static let count: UInt = 16 }

    private static func count(behind place: UInt, _ offset: UInt) -> Int? {
        guard let list = GuardedMemory.load(UInt.self, at: place), list > 0xFFFF, list & 7 == 0,
            let count = GuardedMemory.load(Int.self, at: list &+ offset),
            (0...mostTasks).contains(count)
        else { return nil }
        guard offset == Ring.count else { return count }
        // A ring of so many places has at most as many in it.
        let room = GuardedMemory.load(Int.self, at: list &+ Ring.capacity)
        return room.map { $0 >= count } == true ? count : nil
    }

    /// The outermost object of the loop's class: what a handler has to do with another loop is further in.
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
