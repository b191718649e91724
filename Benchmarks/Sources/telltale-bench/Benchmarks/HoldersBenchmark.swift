import CTelltaleSystem
import TelltaleSystem

/// The cost of one level of a search for holders: a search takes two or three of them for
/// unreachable objects, five and more for one that a timer holds.
struct HoldersBenchmark: Benchmark {
    let name = "holders"
    let summary = """
        one level of a search for the holders of a block, in heaps of 100 MB and 1 GB of large blocks \
        and in one of 1,300,000 small ones
        """

    func run(_ effort: Effort) throws -> [Measurement] {
        #if TELLTALE_AGENT
        var results: [Measurement] = []
        let heaps: [(name: String, count: Int, size: Int, bound: Double)] = [
            ("100-MB", 100, 1 << 20, 0.150), ("1-GB", 1024, 1 << 20, 1.5),
            ("1300000-blocks", 1_300_000, 64, 0.300),
        ]
        for heap in heaps {
            let blocks = Self.blocks(heap.count, of: heap.size)
            defer { for block in blocks { block.deallocate() } }
            var times = Series()
            for _ in 0..<effort.rounds(9) { times.add(try Self.level(blocks)) }
            results.append(
                Measurement(
                    name: "\(name).\(heap.name)", series: times,
                    bound: heap.bound))
        }
        return results
        #else
        throw BenchmarkFailure("the agent is not in this build")
        #endif
    }

    /// Blocks of which each leads to the one before.
    private static func blocks(_ count: Int, of size: Int) -> [UnsafeMutableRawPointer] {
        var blocks: [UnsafeMutableRawPointer] = []
        blocks.reserveCapacity(count)
        for _ in 0..<count {
            let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            block.initializeMemory(as: UInt8.self, repeating: 0x5A, count: size)
            if let last = blocks.last {
                block.storeBytes(of: last, toByteOffset: 32, as: type(of: last))
            }
            blocks.append(block)
        }
        return blocks
    }

    #if TELLTALE_AGENT
    private static func level(_ blocks: [UnsafeMutableRawPointer]) throws
        -> Duration
    {
        var layout = ctelltale_heap_layout
        if let reason = ctelltale_heap_calibrate(&layout) {
            throw BenchmarkFailure(String(cString: reason))
        }
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        guard let search = ctelltale_holders_make(&layout, deadline.nanoseconds) else {
            throw BenchmarkFailure("there is no memory for a search")
        }
        defer { ctelltale_holders_free(search) }
        let wanted = UInt(bitPattern: blocks[blocks.count / 2])
        ctelltale_holders_target(search, wanted, 32)
        let time = timed { _ = ctelltale_holders_level(search) }
        var count = 0
        let nodes = ctelltale_holders_nodes(search, &count)
        let next = UInt(bitPattern: blocks[blocks.count / 2 + 1])
        guard (0..<count).contains(where: { nodes[$0].start == next }) else {
            throw BenchmarkFailure("the holder was not found")
        }
        return time
    }
    #endif
}
