import Foundation
import Synchronization

/// Runs the same for several items, some at a time, as tests that wait far more than they compute.
///
/// The threads are of their own: on a pool of Dispatch fewer of them would run at once.
///
/// - Parameters:
///   - items: What to run for.
///   - count: The number of items at a time.
///   - body: Run once for each item.
/// - Returns: The results, in the order of the items.
package func sideBySide<Item: Sendable, Result: Sendable>(
    _ items: [Item], atOnce count: Int, _ body: @escaping @Sendable (Item) -> Result
) -> [Result] {
    let next = Atomic(0)
    let results = Mutex<[Int: Result]>([:])
    let done = DispatchGroup()
    for _ in 0..<min(count, items.count) {
        done.enter()
        Thread.detachNewThread {
            while case let index = next.add(1, ordering: .relaxed).oldValue, index < items.count {
                let result = body(items[index])
                results.withLock { $0[index] = result }
            }
            done.leave()
        }
    }
    done.wait()
    return results.withLock { results in items.indices.compactMap { results[$0] } }
}

/// Runs a test's body for several items, some at a time.
///
/// - Parameters:
///   - items: What to run for.
///   - count: The number of items at a time.
///   - body: Returns its complaints. An error that it throws is one more.
/// - Returns: The complaints of all items, in their order.
package func complaintsSideBySide<Item: Sendable>(
    of items: [Item], atOnce count: Int, _ body: @escaping @Sendable (Item) throws -> [String]
) -> [String] {
    sideBySide(items, atOnce: count) { item in
        do {
            return try body(item).map { "\(item): \($0)" }
        } catch {
            return ["\(item): \(error)"]
        }
    }.flatMap { $0 }
}
