#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem
import Testing

@testable import TelltaleAgent

#if os(Linux) && arch(x86_64)
/// By what a task is known to stand where it stood.
struct TaskMarkTests {
    private static let count = 96

    /// Blocks of memory that a task's thread has been given beside the task's own.
    private final class Neighbours: Sendable {
        private let blocks = Locked<[UInt]>([])

        /// More than the allocator has at hand, so that the next ones come from the end of the heap.
        func add() {
            for _ in 0..<16 {
                let block = UnsafeMutableRawPointer.allocate(byteCount: 24, alignment: 16)
                blocks.withLock { $0.append(UInt(bitPattern: block)) }
            }
        }

        func write(_ value: UInt64) {
            for address in blocks.withLock({ $0 }) {
                guard let block = UnsafeMutablePointer<UInt64>(bitPattern: address) else {
                    continue
                }
                for word in 0..<3 { block[word] = value }
            }
        }

        deinit {
            for address in blocks.withLock({ $0 }) {
                UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
            }
        }
    }

    /// Functions in each other, so many of each of two sizes that the innermost ones' contexts stand anywhere in a
    /// task's memory.
    private static func wait(
        _ tasks: WaitingTasks, _ neighbours: Neighbours, small: Int, large: Int
    ) async {
        neighbours.add()
        if large > 0 {
            let values = (small, large, small &* 3, large &* 5, small &- large, small &+ large)
            await wait(tasks, neighbours, small: small, large: large - 1)
            blackHole(values)
        } else {
            await step(tasks, neighbours, small)
        }
    }

    private static func step(_ tasks: WaitingTasks, _ neighbours: Neighbours, _ count: Int) async {
        neighbours.add()
        if count == 0 { return await tasks.pause() }
        await step(tasks, neighbours, count - 1)
    }

    @inline(never) private static func blackHole<Value>(_ value: Value) {}

    private static func marks() throws -> [UInt64: Int] {
        let tasks = try Captured.picture([.tasks]).tasks.filter {
            $0.name == "marked" && $0.waitsFor == .continuation
        }
        return Dictionary(uniqueKeysWithValues: tasks.map { ($0.id, $0.mark) })
    }

    @Test("what others do with the memory beside a task's is no move of the task's")
    func neighbours() async throws {
        let (waiting, neighbours) = (WaitingTasks(), Neighbours())
        for number in 0..<Self.count {
            Task(name: "marked") {
                await Self.wait(waiting, neighbours, small: number % 12, large: number / 12)
            }
        }
        defer { waiting.letGo() }
        try await waiting.settle(Self.count)
        neighbours.write(1)
        let before = try Self.marks()
        #expect(before.count == Self.count)
        neighbours.write(2)
        let after = try Self.marks()
        let moved = before.filter { after[$0.key] != $0.value }.keys.sorted()
        #expect(moved == [], "of \(before.count)")
    }
}
#endif
#endif
