#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// What is come to in this process's memory from what lives, forward and within a bound.
///
/// For one thread. Its memory comes from the kernel and is given back with it.
final class ReachGraph {
    struct Step {
        /// nil of a stack.
        var start: UInt?
        var size: Int
        /// Where in it the word stands that leads on.
        var offset: UInt
    }

    struct Way {
        /// The nearest to what is led to first.
        var steps: [Step]
        var root: Int
    }

    /// How long a way may be, with its beginning.
    private static let mostSteps = 20

    private let reach: OpaquePointer

    /// nil where there is no memory for it.
    init?(_ layout: HeapLayout) {
        guard MemoryRoom.isEnough else { return nil }
        guard let made = withUnsafePointer(to: layout.numbers, ctelltale_reach_make) else {
            return nil
        }
        reach = made
    }

    deinit { ctelltale_reach_free(reach) }

    /// Says that no way goes through a block; before anything is wanted.
    func close(_ block: UInt) { ctelltale_reach_close(reach, block) }

    /// Searches for words that are `address`, in blocks with this first word alone; 0 for any.
    func want(_ address: UInt, heldBy word: UInt = 0) -> Bool {
        ctelltale_reach_want(reach, address, word)
    }

    /// Searches for the block that `address` lies in.
    func want(inside address: UInt) -> Bool { ctelltale_reach_want_inside(reach, address) }

    /// Has it go on from a block, known by `root`.
    func begin(_ root: Int, at block: UInt) {
        DescriptorReserve.shared.makingRoom(for: 1) {
            ctelltale_reach_from_block(reach, UInt32(truncatingIfNeeded: root), block)
        }
    }

    func begin(_ root: Int, stack: Range<UInt>) {
        ctelltale_reach_from_stack(
            reach, UInt32(truncatingIfNeeded: root), stack.lowerBound & ~15, stack.upperBound & ~15)
    }

    /// Goes as far as it can in so much processor time, and until then; true if all that is wanted is found.
    func run(using time: Duration, until deadline: MonotonicTime) -> Bool {
        let used = MonotonicTime(nanoseconds: 0).advanced(by: time).nanoseconds
        return DescriptorReserve.shared.makingRoom(for: 2) {
            ctelltale_reach_run(reach, used, deadline.nanoseconds)
        }
    }

    /// How `address` is come to; nil where it is not.
    func way(to address: UInt) -> Way? {
        var root: UInt32 = 0
        let empty = CTelltaleReachStep(start: 0, size: 0, offset: 0)
        let steps = withUnsafeTemporaryAllocation(
            of: CTelltaleReachStep.self, capacity: Self.mostSteps
        ) { buffer -> [Step] in
            buffer.initialize(repeating: empty)
            guard let start = buffer.baseAddress else { return [] }
            let count = ctelltale_reach_way(reach, address, start, buffer.count, &root)
            return buffer.prefix(count).map {
                Step(start: $0.start == 0 ? nil : $0.start, size: $0.size, offset: $0.offset)
            }
        }
        return steps.isEmpty ? nil : Way(steps: steps, root: Int(root))
    }
}
#endif
