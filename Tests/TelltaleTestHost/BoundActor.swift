import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// Actors that run on a queue of the host's, and whose `deinit` ends the process anywhere else.
enum BoundActor {
    private static let queue = DispatchQueue(label: "bound.executor")
    private static let executor = Executor()
    private static let left = Atomic<Int>(0)

    private final class Executor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Root {
        var number = 7
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }
        deinit {
            dispatchPrecondition(condition: .onQueue(queue))
            left.subtract(1, ordering: .relaxed)
        }
    }

    static func perform(_ words: [String]) -> String? {
        guard words.first == "bound-actor", words.count >= 2 else { return nil }
        if words[1] == "left" { return "\(left.load(ordering: .relaxed))" }
        let count = Int(words[1]) ?? 100
        left.store(count, ordering: .relaxed)
        Thread.detachNewThread {
            for number in 0..<count {
                nonisolated(unsafe) var root: Root?
                queue.sync {
                    let made = Root()
                    root = made
                    Telltale.register(made, as: "bound.executor")
                }
                usleep(UInt32(500 + number % 7 * 700))
                queue.sync {
                    withExtendedLifetime(root) {}
                    root = nil
                }
            }
        }
        return "begun"
    }
}

/// Objects with much memory behind them, registered and released.
enum LargeObjects {
    private final class Buffer: ManagedBuffer<Int, UInt8> {}

    /// Registers so many, one after the other, and says by how many KiB the process has grown.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "large-objects", words.count >= 2 else { return nil }
        let size = 256 << 10
        let before = resident
        let queue = DispatchQueue(label: "large.objects")
        for number in 0..<(Int(words[1]) ?? 0) {
            let buffer = Buffer.create(minimumCapacity: size) { buffer in
                buffer.withUnsafeMutablePointerToElements { _ = memset($0, 1, size) }
                return number
            }
            Telltale.register(buffer, as: "large.\(number)", on: queue)
        }
        return "\(resident - before)"
    }

    private static var resident: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4
    }
}
