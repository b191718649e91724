#if TELLTALE_AGENT
import Glibc
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Reachability from live objects is searched in a bounded time of its own.
@Suite(.serialized)
struct ReachGraphTests {
    /// Blocks of the C library's heap, the first of which has pointers to the others.
    private final class Blocks {
        let first: UnsafeMutablePointer<UInt>
        let others: [UnsafeMutableRawPointer]

        init(_ count: Int) throws {
            let memory = try #require(calloc(count, MemoryLayout<UInt>.stride))
            first = memory.bindMemory(to: UInt.self, capacity: count)
            others = (0..<count).compactMap { _ in malloc(48) }
            for (index, other) in others.enumerated() { first[index] = UInt(bitPattern: other) }
        }

        deinit {
            others.forEach { free($0) }
            free(first)
        }
    }

    private static func graph(_ blocks: Blocks) throws -> ReachGraph {
        let graph = try #require(
            ReachGraph(HeapLayout.known(by: .now.advanced(by: .seconds(5)))))
        for other in blocks.others { _ = graph.want(UInt(bitPattern: other)) }
        graph.begin(0, at: UInt(bitPattern: blocks.first))
        return graph
    }

    /// On the thread of a test that is the agent's while it reads.
    private static func run(
        _ graph: ReachGraph, using time: Duration, until deadline: MonotonicTime
    ) -> Bool {
        GuardedReading.during { graph.run(using: time, until: deadline) }
    }

    @Test("the time that it took to say what is wanted is not taken from that of the way")
    func preparation() throws {
        let blocks = try Blocks(2000)
        let graph = try Self.graph(blocks)
        let used = ReachSearch.longest * 2
        let began = ThreadTime.used
        while ThreadTime.used - began < used {}
        #expect(Self.run(graph, using: ReachSearch.longest, until: .distantFuture))
        let way = graph.way(to: UInt(bitPattern: blocks.others[1999]))
        #expect(way?.steps.first?.start == UInt(bitPattern: blocks.first))
    }

    @Test("it ends without processor time, and at its deadline")
    func bounds() throws {
        let blocks = try Blocks(2000)
        #expect(
            try !Self.run(Self.graph(blocks), using: .zero, until: .distantFuture))
        #expect(try !Self.run(Self.graph(blocks), using: .seconds(1), until: .now))
    }

    /// Processor time of the calling thread.
    private enum ThreadTime {
        static var used: Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }
}
#endif
