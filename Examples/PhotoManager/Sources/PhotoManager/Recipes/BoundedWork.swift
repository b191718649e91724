import Dispatch
import Foundation
import Synchronization

/// Twelve pieces of work, of which a semaphore lets two in at once.
enum BoundedWork {
    static let slots = 2

    /// Does them.
    ///
    /// - Parameter completion: Called on the main queue with the most that were in at once.
    static func begin(_ completion: @escaping @MainActor @Sendable (Int) -> Void) {
        let semaphore = DispatchSemaphore(value: slots)
        let queue = DispatchQueue(label: "com.telltale.bounded", attributes: .concurrent)
        let (batch, inside) = (DispatchGroup(), Peak())
        for _ in 0..<12 {
            queue.async(group: batch) {
                semaphore.wait()
                defer { semaphore.signal() }
                inside.enter()
                Thread.sleep(forTimeInterval: 0.1)
                inside.leave()
            }
        }
        batch.notify(queue: .main) {
            MainActor.assumeIsolated { completion(inside.highest) }
        }
    }
}

/// How many are in, and how many were at most.
final class Peak: Sendable {
    private let counts = Mutex((now: 0, highest: 0))

    var highest: Int { counts.withLock { $0.highest } }

    func enter() {
        counts.withLock { counts in
            counts.now += 1
            counts.highest = max(counts.highest, counts.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
}

/// Work that is sent synchronously to a background queue, and its result from there to the main queue: from a
/// thread of neither, since both waits would be for itself otherwise.
enum BackgroundThenMain {
    /// Does it.
    ///
    /// - Parameter completion: Called on the main queue with what the background has made.
    static func begin(_ completion: @escaping @MainActor @Sendable (String) -> Void) {
        let background = DispatchQueue(label: "com.telltale.background", qos: .background)
        DispatchQueue.global().async {
            let sum = background.sync { (1...1_000).reduce(0, +) }
            DispatchQueue.main.sync {
                MainActor.assumeIsolated { completion("1 to 1000 make \(sum)") }
            }
        }
    }
}
