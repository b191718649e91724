import Dispatch
import Foundation
import Synchronization

/// Downloads, two of which a semaphore lets run at once, however many threads there are.
enum BoundedDownloads {
    static let slots = 2
    /// The number of downloads.
    static let count = 12

    /// The outcome of the downloads.
    struct Outcome: Sendable, Equatable {
        /// The maximum number that ran at once.
        var most: Int
        /// The number of photos downloaded.
        var downloaded: Int
    }

    /// Downloads photos, again from the first one where there are fewer than ``count``.
    ///
    /// - Parameters:
    ///   - urls: Where they are; at least one.
    ///   - downloader: Gets them and makes their thumbnails.
    ///   - token: Sent as the bearer's token; empty for none.
    ///   - completion: Called once, on the main queue.
    static func begin(
        _ urls: [URL], by downloader: PhotoDownloader, token: String,
        _ completion: @escaping @MainActor @Sendable (Outcome) -> Void
    ) {
        let semaphore = DispatchSemaphore(value: slots)
        let (batch, inside, downloaded) = (DispatchGroup(), Peak(), Counter())
        // One thread waits for all of them: a thread for each would take them from the downloads.
        let queue = DispatchQueue(label: "com.telltale.bounded")
        batch.enter()
        queue.async {
            defer { batch.leave() }
            for number in 0..<count {
                semaphore.wait()
                batch.enter()
                inside.enter()
                downloader.download(urls[number % urls.count], token: token) { result in
                    if case .success = result { downloaded.increment() }
                    inside.leave()
                    semaphore.signal()
                    batch.leave()
                }
            }
        }
        batch.notify(queue: .main) {
            let outcome = Outcome(most: inside.highest, downloaded: downloaded.value)
            MainActor.assumeIsolated { completion(outcome) }
        }
    }
}

/// The current number of running downloads, and its maximum.
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
