#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleSystem

/// A bounded forward search of this process's memory from live roots: which objects are reachable.
///
/// For use by one thread. Its memory comes from the kernel, and is returned when this object is destroyed.
package final class ReachGraph {
    package struct Step {
        /// The start of the block; nil for a stack.
        package var start: UInt?
        package var size: Int
        /// The offset of the word that refers to the next object.
        package var offset: UInt
    }

    package struct Way {
        /// The steps, ordered from the one nearest to the target to the root.
        package var steps: [Step]
        package var root: Int
    }

    /// The maximum length of a path, including its root.
    private static let mostSteps = 20

    private let reach: OpaquePointer

    /// nil if there is no memory for it.
    package init?(_ layout: HeapLayout) {
        guard MemoryRoom.isEnough else { return nil }
        guard let made = withUnsafePointer(to: layout.numbers, ctelltale_reach_make) else {
            return nil
        }
        reach = made
    }

    deinit { ctelltale_reach_free(reach) }

    /// Excludes a block from all paths. Must be called before anything is wanted.
    package func close(_ block: UInt) { ctelltale_reach_close(reach, block) }

    /// Requests a search for words equal to `address`, only in blocks with this first word; 0 for any
    /// block.
    package func want(_ address: UInt, heldBy word: UInt = 0) -> Bool {
        ctelltale_reach_want(reach, address, word)
    }

    /// Requests a search for the block that contains `address`.
    package func want(inside address: UInt) -> Bool { ctelltale_reach_want_inside(reach, address) }

    /// Adds a block as a root, identified by `root`.
    package func begin(_ root: Int, at block: UInt) {
        DescriptorReserve.shared.makingRoom(for: 1) {
            ctelltale_reach_from_block(reach, UInt32(truncatingIfNeeded: root), block)
        }
    }

    package func begin(_ root: Int, stack: Range<UInt>) {
        ctelltale_reach_from_stack(
            reach, UInt32(truncatingIfNeeded: root), stack.lowerBound & ~15, stack.upperBound & ~15)
    }

    /// Continues the search within this processor time, and until the deadline. Returns true if everything
    /// wanted was found.
    package func run(using time: Duration, until deadline: MonotonicTime) -> Bool {
        let used = MonotonicTime(nanoseconds: 0).advanced(by: time).nanoseconds
        return DescriptorReserve.shared.makingRoom(for: 2) {
            ctelltale_reach_run(reach, used, deadline.nanoseconds)
        }
    }

    /// The path by which `address` is reachable; nil if it isn't.
    package func way(to address: UInt) -> Way? {
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
